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
/// Godwit's own sessions use the same check, and need nothing of this.
public struct ServerTrustCheck: Sendable {
    private let rules: ServerRules

    /// Makes a check.
    ///
    /// Throws `.invalidRequest` for pins that can hold nobody: unreadable ones, or one alone without
    /// ``PinSet/withoutBackup(_:)``.
    ///
    /// - Parameter pins: The keys that hosts may have.
    public init(_ pins: HostTable<PinSet>) throws(NetworkError) {
        var tls = TLSConfiguration()
        tls.pins = pins
        rules = try ServerRules(tls)
    }

    /// Makes a check by rules of all kinds.
    package init(_ rules: ServerRules) {
        self.rules = rules
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
        guard case .refused(let failure) = verdict(on: trust, from: host) else { return nil }
        return failure
    }

    /// What is to become of a server, by rules of all kinds.
    package func verdict(on trust: SecTrust, from host: String) -> ServerRules.Verdict {
        rules.verdict(on: SystemChain(trust: trust), from: host)
    }
}

/// A chain that Apple's Security validates.
private struct SystemChain: ServerChain {
    let trust: SecTrust

    func trust(_ anchors: ServerRules.Anchors) -> NetworkError.SecurityFailure? {
        let certificates = anchors.certificates.compactMap { SecCertificateCreateWithData(nil, $0 as CFData) }
        guard certificates.count == anchors.certificates.count,
            SecTrustSetAnchorCertificates(trust, certificates as CFArray) == errSecSuccess,
            SecTrustSetAnchorCertificatesOnly(trust, !anchors.keepsOthers) == errSecSuccess
        else { return .configuration("the system does not take one of the authorities") }
        return nil
    }

    func validate(for host: String) -> NetworkError.SecurityFailure? {
        var reason: CFError?
        if SecTrustEvaluateWithError(trust, &reason) { return nil }
        guard let reason else { return .untrustedCertificate("the chain does not end in a trusted authority") }
        switch OSStatus(truncatingIfNeeded: CFErrorGetCode(reason)) {
        case errSecCertificateExpired, errSecCertificateNotValidYet: return .certificateExpired
        case errSecHostNameMismatch: return .hostMismatch(host)
        default: return .untrustedCertificate("\(reason)")
        }
    }

    var keys: [Pin] {
        let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate] ?? []
        return chain.compactMap { Pin.key(ofCertificate: SecCertificateCopyData($0) as Data) }
    }
}
#endif
