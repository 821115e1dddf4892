/// Gives each call an `X-Request-ID`, unless it has one; all its attempts carry the same.
///
/// ```swift
/// let chain = Chain([RequestIdentifier(.generated { UUID().uuidString }), Retry()], over: transport)
/// ```
public struct RequestIdentifier: RequestMiddleware {
    public static let isSynchronous = true

    private let source: RequestIDs

    /// Makes the middleware.
    ///
    /// - Parameter source: Where ids come from; ``RequestIDs/off`` adds none.
    public init(_ source: RequestIDs = .automatic) {
        self.source = source
    }

    /// Appends the id where the request has none.
    public func prepare(_ call: inout Call) {
        guard !call.request.fields.contains(.requestID), let id = id(of: call) else { return }
        call.request.fields.append(id, for: .requestID)
    }

    private func id(of call: Call) -> String? {
        switch source {
        case .off: nil
        case .automatic: Self.prefix + Hexadecimal.short(call.id)
        case .generated(let generate): generate()
        }
    }

    private static let prefix = Hexadecimal.encode(.random(in: .min ... .max)) + "-"
}

/// Adds fields to every request that does not have them itself.
///
/// ```swift
/// DefaultFields([.acceptLanguage: "de", "X-Client": "demo"])
/// ```
///
/// Names are compared without case.
public struct DefaultFields: RequestMiddleware {
    public static let isSynchronous = true

    private let fields: HTTPFields

    /// Makes the middleware. Several fields of one name are added together or not at all.
    ///
    /// - Parameter fields: The fields.
    public init(_ fields: HTTPFields) {
        self.fields = fields
    }

    /// Appends the fields behind the request's own, in their order.
    public func prepare(_ call: inout Call) {
        // A copy of the list, to look at what was in it, would make the first addition copy it all.
        let own = call.request.fields.count
        for field in fields where !call.request.fields.contains(field.name, amongFirst: own) {
            call.request.fields.append(field)
        }
    }
}

/// Where the ids come from that go out as `X-Request-ID`, so that a server's log can be found again.
///
/// One call has one id, whatever retries and redirects it takes; ``NetworkError/requestID`` names it.
///
/// ```swift
/// $0.requestIDs = .generated { UUID().uuidString }
/// ```
public enum RequestIDs: Sendable {
    /// None is sent.
    case off

    /// Sixteen random digits of this process and the number of the call: unique and cheap.
    case automatic

    /// The caller's own; called once for each call, from any task.
    case generated(@Sendable () -> String)
}
