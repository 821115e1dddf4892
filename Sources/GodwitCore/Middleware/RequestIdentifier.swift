/// Gives each call an `X-Request-ID`, unless it has one; all its attempts carry the same.
///
/// ```swift
/// let chain = Chain([RequestIdentifier(.generated { UUID().uuidString }), Retry()], over: transport)
/// ```
public struct RequestIdentifier: RequestMiddleware {
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
