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
