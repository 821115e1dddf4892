import GodwitCore

/// An immutable route.
struct Route: Sendable {
    let method: HTTPMethod?
    let pattern: RoutePattern
    let query: [String: String]
    let predicate: (@Sendable (MockRequest) -> Bool)?
    let bodyReading: BodyReading
    /// Makes what takes the body; `nil` if the request keeps it.
    let intake: (@Sendable (MockRequest) -> any BodyIntake)?
    let reply: Reply
    /// Whether a strict test may leave it unused.
    let isOptional: Bool
    let location: MockSourceLocation

    /// Returns the values of the path's parameters if the route matches the request with this method.
    func match(_ request: MockRequest, as method: HTTPMethod) -> [String: String]? {
        guard self.method == nil || self.method == method, let values = pattern.match(request.path),
            query.allSatisfy({ request.queryValue($0.key) == $0.value }), predicate?(request) ?? true
        else { return nil }
        return values
    }
}

extension Route: CustomStringConvertible {
    var description: String {
        let items = query.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "&")
        return "\(method?.rawValue ?? "any") \(pattern.text)" + (items.isEmpty ? "" : "?\(items)")
    }
}

/// When and how fast a server reads the body of a request.
enum BodyReading: Sendable, Hashable {
    /// Before the response.
    case whole
    /// Before the response, slowly.
    case paced(bytesPerSecond: Int)
    /// After the response.
    case early
}

/// The source of a route's response.
enum Reply: Sendable {
    case none
    case script(ReplyScript)
    case handler(MockRoute.Handler)
    case webSocket(WebSocketRoute)
}

/// A path pattern: exact segments, `:name` for any one segment, and `*` at the end for any rest.
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

    /// A pattern that matches one path, also if its segments look like parameters.
    init(exactly path: String) {
        text = path
        segments = Self.split(path).map { .exact(PercentEncoding.decode($0) ?? String($0)) }
    }

    /// Returns the values of the parameters if the path matches. The rest that `*` matched is under `"*"`.
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
