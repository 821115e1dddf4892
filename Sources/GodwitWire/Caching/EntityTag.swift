/// Compares entity tags (RFC 9110 section 8.8.3.2).
enum EntityTag {
    /// Whether both tags are equal and neither is weak.
    static func matchesStrongly(_ left: String, _ right: String) -> Bool {
        left == right && !isWeak(left)
    }

    /// Whether both tags are equal, weak or not.
    static func matchesWeakly(_ left: String, _ right: String) -> Bool {
        opaque(left) == opaque(right)
    }

    /// Whether the text is one strong entity tag: quoted, without inner quotes, so that a list of tags doesn't count.
    static func isStrong(_ tag: String) -> Bool {
        let bytes = tag.utf8
        return bytes.count >= 2 && bytes.first == quote && bytes.last == quote
            && !bytes.dropFirst().dropLast().contains(quote)
    }

    /// The tags of an `If-None-Match`; `nil` for `*`.
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

/// The condition of a request, as far as a cache can evaluate it (RFC 9111 section 4.3.2).
enum RequestCondition: Hashable {
    case none
    /// `If-None-Match` with these tags; `nil` for `*`.
    case noneOf([String]?)
    /// `If-Modified-Since`.
    case modifiedSince(Date)
    /// Only the server can evaluate it: `If-Match`, `If-Unmodified-Since`, `If-Range`, or an invalid date.
    case forServer

    init(_ request: HTTPFields) {
        if [HTTPField.Name.ifMatch, .ifUnmodifiedSince, .ifRange].contains(where: request.contains) {
            self = .forServer
        } else if let tags = request[.ifNoneMatch] {
            // It takes precedence over `If-Modified-Since` (RFC 9110 section 13.2.2).
            self = .noneOf(EntityTag.list(tags))
        } else if request.contains(.ifModifiedSince) {
            let date = request.agreedValue(of: .ifModifiedSince).flatMap { HTTPDate.parse($0, now: Date()) }
            self = date.map(Self.modifiedSince) ?? .forServer
        } else {
            self = .none
        }
    }

    /// Whether a stored response meets the condition, which makes the response a 304; `nil` if unknown.
    ///
    /// Without `Last-Modified`, the response's `Date` counts, otherwise the time it was received.
    func isMet(by response: CachedResponse) -> Bool? {
        // Only a 200 has a state to compare.
        guard response.status == .ok else { return nil }
        switch self {
        case .none: return false
        case .forServer: return nil
        case .noneOf(nil): return true
        case .noneOf(let tags?):
            guard let own = response.fields.agreedValue(of: .etag) else { return nil }
            return tags.contains { EntityTag.matchesWeakly($0, own) }
        case .modifiedSince(let date):
            let names = [HTTPField.Name.lastModified, .date]
            let changed = names.lazy.compactMap { response.fields.agreedValue(of: $0) }.first
                .map { HTTPDate.parse($0, now: response.responseTime) }
            guard let changed = changed ?? response.responseTime else { return nil }
            return changed <= date
        }
    }
}
