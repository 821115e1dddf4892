/// The five components of a URI reference (RFC 3986 section 3 and appendix B), encoded but not normalized.
struct URLParts {
    var scheme: String?
    var authority: String?
    var path: String
    var query: String?
    var fragment: String?

    /// Splits a reference and rejects invalid characters.
    ///
    /// Works on bytes: Swift reads `?` followed by a combining accent as one character, a server reads it as `?`.
    init(parsing text: String) throws(InvalidURL) {
        let text = Authority.encodingZone(in: text)
        try Self.refuseIllegalCharacters(in: text)
        var rest = text.utf8[...]
        if let tail = Self.cut(&rest, at: UInt8(ascii: "#")) {
            fragment = PercentEncoding.encode(tail, allowing: .query)
        }
        if let tail = Self.cut(&rest, at: UInt8(ascii: "?")) {
            query = PercentEncoding.encode(tail, allowing: .query)
        }
        if let colon = rest.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(rest[..<colon]) {
            scheme = String(Substring(rest[..<colon]))
            rest = rest[rest.index(after: colon)...]
        }
        if rest.starts(with: "//".utf8) {
            rest = rest.dropFirst(2)
            let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
            authority = String(Substring(rest[..<end]))
            rest = rest[end...]
        }
        path = PercentEncoding.encode(String(Substring(rest)), allowing: .path)
    }

    /// Truncates the text before the first delimiter and returns the part after it; `nil` without a delimiter.
    private static func cut(_ text: inout Substring.UTF8View, at mark: UInt8) -> String? {
        guard let index = text.firstIndex(of: mark) else { return nil }
        defer { text = text[..<index] }
        return String(Substring(text[text.index(after: index)...]))
    }

    /// The path without dot segments; `/` if empty (RFC 3986 section 5.2.4).
    func normalizedPath() throws(InvalidURL) -> String {
        guard path.isEmpty || path.hasPrefix("/") else {
            throw InvalidURL("the path \"\(RedactedText.references(path))\" must start with /")
        }
        return Self.removingDotSegments(path)
    }

    static func removingDotSegments(_ path: String) -> String {
        guard path.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "%") }) else {
            return path.isEmpty ? "/" : path
        }
        var kept: [Substring] = []
        let segments = segments(of: path).dropFirst()
        for (index, segment) in zip(segments.indices, segments) {
            let isLast = index == segments.index(before: segments.endIndex)
            switch dots(in: segment) {
            case 1:
                if isLast { kept.append("") }
            case 2:
                _ = kept.popLast()
                if isLast { kept.append("") }
            default:
                kept.append(segment)
            }
        }
        return "/" + kept.joined(separator: "/")
    }

    /// The parts between slashes, with an empty segment before the first one.
    static func segments(of path: String) -> [Substring] {
        path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(Substring.init)
    }

    /// 1 for `.`, 2 for `..`, encoded or not; otherwise 0.
    static func dots(in segment: some StringProtocol) -> Int {
        guard segment.utf8.count <= 6 else { return 0 }
        return switch String(segment).asciiLowercased {
        case ".", "%2e": 1
        case "..", "%2e.", ".%2e", "%2e%2e": 2
        default: 0
        }
    }

    private static func isScheme(_ text: Substring.UTF8View) -> Bool {
        guard let first = text.first, first.isLetter else { return false }
        return text.allSatisfy { byte in
            byte.isLetter || byte.isDigit
                || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
        }
    }

    private static func refuseIllegalCharacters(in text: String) throws(InvalidURL) {
        for byte in text.utf8 {
            if byte == 0x20 { throw InvalidURL("it contains a space; write it as %20") }
            if byte < 0x20 || byte == 0x7F { throw InvalidURL("it contains a control character") }
            if byte == UInt8(ascii: "\\") { throw InvalidURL("it contains a backslash; write it as %5C") }
        }
        guard PercentEncoding.isWellFormed(text) else {
            throw InvalidURL("it contains a % that is not followed by two hexadecimal digits")
        }
    }
}
