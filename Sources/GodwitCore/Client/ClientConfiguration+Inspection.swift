import GodwitLibc

extension ClientConfiguration {
    /// The value of `GODWIT_INSPECT` when the process started its first client.
    static let requestedInspection = getenv("GODWIT_INSPECT").map { String(cString: $0) }

    /// With ``Inspector/local`` if `GODWIT_INSPECT` asks for it, the configuration allows it, and has none yet.
    ///
    /// Applies to clients with any transport: a program shows all that it sends.
    func inspectedIfRequested(by value: String? = requestedInspection) -> ClientConfiguration {
        guard inspector == nil, allowsInspectorFromEnvironment, let value, !["", "0"].contains(value) else {
            return self
        }
        var configuration = self
        configuration.inspector = value.contains("://") ? .page(at: value) : .local
        return configuration
    }
}
