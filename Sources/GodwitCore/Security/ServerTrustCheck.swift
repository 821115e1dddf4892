#if canImport(Security)
public import Security

/// Holds servers to pinned keys in the authentication challenges of a `URLSession`, on Apple's systems.
///
/// ```swift
/// func urlSession(_ session: URLSession, didReceive challenge: URLAuthenticationChallenge) async
///     -> (URLSession.AuthChallengeDisposition, URLCredential?)
/// {
///     guard let trust = challenge.protectionSpace.serverTrust,
///         let failure = check.failure(of: trust, from: challenge.protectionSpace.host)
///     else { return (.performDefaultHandling, nil) }
///     note(failure)
///     return (.cancelAuthenticationChallenge, nil)
/// }
/// ```
///
/// Pins come on top of the system's validation: a host without any is left to it, and so is one whose pins match.
public struct ServerTrustCheck: Sendable {
    private let pins: HostTable<PinSet>

    /// Makes a check.
    ///
    /// Throws `.invalidRequest` for pins that can hold nobody: unreadable ones, or one alone without
    /// ``PinSet/withoutBackup(_:)``.
    ///
    /// - Parameter pins: The keys that hosts may have.
    public init(_ pins: HostTable<PinSet>) throws(NetworkError) {
        if let fault = pins.fault { throw NetworkError(.invalidRequest(reason: fault), phase: .building) }
        self.pins = try pins.map { set, scope throws(NetworkError) in
            if let fault = set.fault(for: scope.name) {
                throw NetworkError(.invalidRequest(reason: fault), phase: .building)
            }
            return set
        }
    }

    /// Why a server is not let in; nil where its pins have nothing against it, and the system decides.
    ///
    /// Validates the chain, which may take as long as the network does: not to be called on the main thread. A mismatch
    /// is reported as the ``PinSet`` says.
    ///
    /// - Parameters:
    ///   - trust: What the system knows of the server's certificates.
    ///   - host: The host that was connected to.
    public func failure(of trust: SecTrust, from host: String) -> NetworkError.SecurityFailure? {
        guard let set = pins.value(for: host) else { return nil }
        var reason: CFError?
        // Before this, the chain is what the server sent, and anyone could send a certificate that is pinned.
        guard SecTrustEvaluateWithError(trust, &reason) else {
            return .untrustedCertificate(reason.map { "\($0)" } ?? "the chain does not end in a trusted authority")
        }
        let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate] ?? []
        let keys = chain.compactMap { Pin.key(ofCertificate: SecCertificateCopyData($0) as Data) }
        return set.admits(keys, from: host) ? nil : .pinMismatch
    }
}
#endif
