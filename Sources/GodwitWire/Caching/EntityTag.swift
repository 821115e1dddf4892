/// Compares entity tags (RFC 9110 section 8.8.3.2).
enum EntityTag {
    /// Whether both are the same and neither is weak.
    static func matchesStrongly(_ left: String, _ right: String) -> Bool {
        left == right && !isWeak(left)
    }

    /// Whether both are the same, weak or not.
    static func matchesWeakly(_ left: String, _ right: String) -> Bool {
        opaque(left) == opaque(right)
    }

    /// Whether the text is one strong entity tag: quoted, without a quote inside, so that a list of tags is not taken for one.
    static func isStrong(_ tag: String) -> Bool {
        let bytes = tag.utf8
        return bytes.count >= 2 && bytes.first == quote && bytes.last == quote
            && !bytes.dropFirst().dropLast().contains(quote)
    }

    /// The tags of an `If-None-Match`; nil for `*`.
    static func list(_ value: String) -> [String]? {
        guard value.trimmingBlanks != "*" else { return nil }
        var (rest, tags) = (value.utf8[...], [String]())
        while let start = rest.firstIndex(of: quote) {
            let isWeak = rest[..<start].suffix(2).elementsEqual("W/".utf8)
            guard let end = rest[rest.index(after: start)...].firstIndex(of: quote) else { break }
            tags.append((isWeak ? "W/" : "") + String(Substring(rest[start...end])))
            rest = rest[rest.index(after: end)...]
        }
        return tags
    }

    private static let quote = UInt8(ascii: "\"")

    static func isWeak(_ tag: String) -> Bool {
        tag.hasPrefix("W/")
    }

    private static func opaque(_ tag: String) -> Substring {
        isWeak(tag) ? tag.dropFirst(2) : tag[...]
    }
}
