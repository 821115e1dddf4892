import GodwitCore

/// A path as a route writes it: exact segments, `:name` for any one segment, and `*` at the end for any rest.
struct RoutePattern: Sendable {
    private enum Segment {
        case exact(String)
        case parameter(String)
        case rest
    }

    let text: String
    private let segments: [Segment]

    init(_ text: String) {
        self.text = text
        let parts = Self.split(text)
        segments = parts.enumerated().map { index, part in
            if part == "*", index == parts.count - 1 { return .rest }
            if part.hasPrefix(":") { return .parameter(String(part.dropFirst())) }
            return .exact(PercentEncoding.decode(part) ?? String(part))
        }
    }

    /// The values of the parameters where the path fits, else nil. What a `*` stood for is under `"*"`.
    func match(_ path: String) -> [String: String]? {
        let parts = Self.split(path)
        var values: [String: String] = [:]
        for (index, segment) in segments.enumerated() {
            if case .rest = segment {
                values["*"] = parts.dropFirst(index).joined(separator: "/")
                return values
            }
            guard index < parts.count else { return nil }
            let part = PercentEncoding.decode(parts[index]) ?? String(parts[index])
            switch segment {
            case .exact(let expected): guard part == expected else { return nil }
            case .parameter(let name): values[name] = part
            case .rest: break
            }
        }
        return parts.count == segments.count ? values : nil
    }

    private static func split(_ path: String) -> [Substring] {
        path.drop { $0 == "/" }.split(separator: "/", omittingEmptySubsequences: false)
    }
}
