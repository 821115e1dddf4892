import GodwitCore

/// One route as a server or transport uses it.
struct Route: Sendable {
    let method: HTTPMethod?
    let pattern: RoutePattern
    let query: [String: String]
    let predicate: (@Sendable (MockRequest) -> Bool)?
    let bodyReading: BodyReading
    let reply: Reply
    /// Whether a strict test may leave it unused.
    let isOptional: Bool
    /// Where it is written.
    let location: MockSourceLocation

    /// The values of the path's parameters where the route takes the request under this method, else nil.
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

/// When and how fast a server reads the content of a request.
enum BodyReading: Sendable, Hashable {
    /// Before the answer.
    case whole
    /// Before the answer, slowly.
    case paced(bytesPerSecond: Int)
    /// After the answer.
    case early
}

/// What a route answers.
enum Reply: Sendable {
    case none
    case script(ReplyScript)
    case handler(MockRoute.Handler)
    case webSocket(WebSocketRoute)
}
