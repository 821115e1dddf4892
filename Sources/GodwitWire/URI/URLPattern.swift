/// A pattern for URLs of one origin (the URL Pattern standard), without regular expressions.
///
/// Has the parts of the syntax that a path and a query need: `*`, `:name`, `{groups}` with `?`, `+` and `*`, and `\` before a
/// character that is meant literally. Whatever else is valid, such as a pattern of hosts, is refused: a dictionary with such a
/// pattern is never used. Takes time in proportion to the lengths of pattern and URL, whatever they are.
package struct URLPattern: Sendable, Hashable {
    /// The most bytes of a pattern that is read.
    package static let longestText = 1024
    /// The most bytes of a path or a query that is matched.
    static let longestSubject = 8192

    private let origin: Origin
    private let path: URLPatternProgram
    /// `nil` matches every query.
    private let query: URLPatternProgram?

    /// Reads a pattern relative to a URL, as its constructor with a base URL does.
    ///
    /// - Returns: `nil` for one that isn't valid, isn't of the base's origin, or has a part that isn't supported.
    package init?(_ text: String, relativeTo base: HTTPURL) {
        guard !text.isEmpty, text.utf8.count <= Self.longestText else { return nil }
        var rest = Array(text.utf8)[...]
        let root = base.origin.description.utf8
        if rest.starts(with: root), rest.dropFirst(root.count).first == UInt8(ascii: "/") {
            rest = rest.dropFirst(root.count)
        }
        // The start of another origin.
        guard !rest.starts(with: "//".utf8) else { return nil }
        guard let parts = Self.split(rest) else { return nil }
        let start = Self.isAbsolute(parts.path) ? [] : Self.literal(base.path, upToLastSlash: !parts.path.isEmpty)
        guard let path = URLPatternProgram(start + parts.path, separator: UInt8(ascii: "/")) else { return nil }
        let query = parts.query.map { URLPatternProgram($0, separator: nil) }
        if case .some(nil) = query { return nil }
        origin = base.origin
        self.path = path
        self.query = query ?? nil
    }

    /// Whether the whole URL matches.
    package func matches(_ url: HTTPURL) -> Bool {
        guard url.origin == origin, path.matches(url.path) else { return false }
        return query.map { $0.matches(url.query ?? "") } ?? true
    }
}

extension URLPattern {
    /// Separates the path from the query. `nil` for a fragment, a scheme or a regular expression.
    private static func split(_ text: ArraySlice<UInt8>) -> (path: [UInt8], query: [UInt8]?)? {
        var path: [UInt8] = []
        var query: [UInt8]?
        var reader = URLPatternReader(text)
        var depth = 0
        while let token = reader.next() {
            switch token {
            case .open: depth += 1
            case .close: depth -= 1
            case .literal(UInt8(ascii: "#"), _), .literal(UInt8(ascii: ":"), isEscaped: false), .invalid: return nil
            case .literal(UInt8(ascii: "?"), isEscaped: true) where depth == 0 && query == nil:
                query = []
                continue
            case .modifier where depth == 0 && query == nil && token.isQuestion && !reader.mayBeModified:
                query = []
                continue
            default: break
            }
            if query == nil { path += reader.taken } else { query? += reader.taken }
        }
        return (path, query)
    }

    private static func isAbsolute(_ path: [UInt8]) -> Bool {
        path.starts(with: "/".utf8) || path.starts(with: "\\/".utf8) || path.starts(with: "{/".utf8)
    }

    /// A part of the base's path, as a pattern that matches it only.
    private static func literal(_ path: String, upToLastSlash: Bool) -> [UInt8] {
        var bytes = Array(path.utf8)
        if upToLastSlash, let slash = bytes.lastIndex(of: UInt8(ascii: "/")) { bytes.removeSubrange((slash + 1)...) }
        return bytes.flatMap { "*:{}()\\?+".utf8.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0] }
    }
}
