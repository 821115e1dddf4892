extension Chain {
    /// The middlewares of a client in their order, outermost first. Where one stands, and why, is decided here alone.
    static func standard(_ configuration: ClientConfiguration, over transport: some HTTPTransport) -> Chain {
        let order: [[any Middleware]] = [
            // Outermost, so that it tells what the caller asked for and what the caller got, once.
            configuration.logging.level == .off ? [] : [Logging(configuration.logging)],
            // The user's, per call: sees neither redirects nor retries, and may answer a call itself.
            configuration.middleware,
            // Before anything that sends twice, so that all attempts of a call carry one id and the same fields.
            RequestIdentifier.isNeeded(configuration) ? [RequestIdentifier(configuration.requestIDs)] : [],
            DefaultFields.standard(configuration),
            // Innermost of ours: whatever stands below sees every hop as a request of its own.
            [Redirects()],
            // The user's, per attempt: sees exactly what goes to the transport.
            configuration.attemptMiddleware,
        ]
        return Chain(order.flatMap(\.self), over: transport)
    }
}

extension RequestIdentifier {
    fileprivate static func isNeeded(_ configuration: ClientConfiguration) -> Bool {
        if case .off = configuration.requestIDs { false } else { true }
    }
}

extension DefaultFields {
    fileprivate static func standard(_ configuration: ClientConfiguration) -> [any Middleware] {
        var fields = configuration.defaultFields
        if let userAgent = configuration.userAgent, !fields.contains(.userAgent) {
            fields.append(userAgent, for: .userAgent)
        }
        return fields.isEmpty ? [] : [DefaultFields(fields)]
    }
}
