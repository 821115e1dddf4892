import GodwitWire

/// Sun, 06 Nov 1994 08:49:37 GMT, and moments around it.
enum Moment {
    static let start = Date(timeIntervalSince1970: 784_111_777)

    static func after(_ seconds: TimeInterval) -> Date { start.addingTimeInterval(seconds) }

    static func text(_ seconds: TimeInterval = 0) -> String { HTTPDate.format(after(seconds)) }
}

extension CachedResponse {
    /// A response that came at `Moment.start`.
    static func sample(
        _ fields: HTTPFields = [:], status: Int = 200, variant: String = "", body: String = "body",
        requested: TimeInterval = 0, received: TimeInterval = 0
    ) -> CachedResponse {
        CachedResponse(
            url: url, variant: variant, status: HTTPStatus(status) ?? .ok, fields: fields, body: Data(body.utf8),
            requestTime: Moment.after(requested), responseTime: Moment.after(received))
    }

    static let url = HTTPURL(
        origin: Origin(scheme: .https, host: "example.com", port: 443), path: "/a", query: nil)
}
