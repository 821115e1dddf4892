/// What holds for TLS with some hosts beyond what holds for all: authorities, pinned keys, client certificates.
///
/// ```swift
/// let transport = try CurlTransport {
///     $0.tls.pins["api.example.com"] = [.sha256(current), .sha256(backup)]
///     $0.tls.authorities["localhost"] = .adding(.file(URL(filePath: "dev-ca.pem")))
/// }
/// ```
///
/// Certificates are always validated; no setting turns that off. Rules hold for the server of a URL, not for a proxy on
/// the way to it, and do nothing for plain http.
public struct TLSConfiguration: Sendable, Nonisolated {
    /// The authorities trusted for a host; the transport's own where there is no entry.
    public var authorities = HostTable<TrustedAuthorities>()

    /// The keys a host may have; any where there is no entry.
    public var pins = HostTable<PinSet>()

    /// What to show a host that asks who is there; nothing where there is no entry.
    public var clientCertificates = HostTable<ClientCertificate>()

    /// Makes an empty configuration.
    public init() {}

    /// Whether no host has a rule of its own.
    public var isEmpty: Bool { authorities.isEmpty && pins.isEmpty && clientCertificates.isEmpty }

    /// Throws `.invalidRequest` where a rule can never hold: an entry under what is no host, a pin that is none, or fewer
    /// than two pins.
    ///
    /// Transports call it when they are made.
    public func validate() throws(NetworkError) {
        let fault = authorities.fault ?? pins.fault ?? clientCertificates.fault
        if let fault { throw Self.error(fault) }
        _ = try pins.map { set, scope throws(NetworkError) in
            if let fault = set.fault(for: scope.name) { throw Self.error(fault) }
        }
    }

    private static func error(_ fault: String) -> NetworkError {
        NetworkError(.invalidRequest(reason: "TLS configuration: \(fault)"), phase: .building)
    }
}
