#if canImport(Security)
public import Security

/// Checks pinned keys in the authentication challenges of a `URLSession`, on Apple platforms.
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
/// Pins are checked in addition to the system's validation, which decides if a host has no pins or they match. Godwit's
/// transports use this check themselves.
public struct ServerTrustCheck: Sendable {
    private let rules: ServerRules

    /// Creates a check of pinned keys.
    ///
    /// - Parameter pins: The keys that hosts can have.
    /// - Throws: `.invalidRequest` for invalid pins, or a single one without ``PinSet/withoutBackup(_:)``.
    public init(_ pins: HostTable<PinSet>) throws(NetworkError) {
        var tls = TLSConfiguration()
        tls.pins = pins
        rules = try ServerRules(tls)
    }

    /// Creates a check with all kinds of rules.
    package init(_ rules: ServerRules) {
        self.rules = rules
    }

    /// Why a server must be refused; `nil` if the system decides.
    ///
    /// Validates the chain, which can use the network: don't call it on the main thread. Reports a mismatch as the
    /// ``PinSet`` requires.
    ///
    /// - Parameters:
    ///   - trust: The server's certificates.
    ///   - host: The host that was connected to.
    public func failure(of trust: SecTrust, from host: String) -> NetworkError.SecurityFailure? {
        guard case .refused(let failure) = decision(on: trust, from: host) else { return nil }
        return failure
    }

    /// Checks a server against all kinds of rules.
    package func decision(on trust: SecTrust, from host: String) -> ServerRules.Decision {
        rules.decision(on: SystemChain(trust: trust), from: host)
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
        else { return .configuration("the system refuses one of the authorities") }
        return nil
    }

    func validate(for host: String) -> NetworkError.SecurityFailure? {
        var reason: CFError?
        if SecTrustEvaluateWithError(trust, &reason) { return nil }
        guard let reason else { return .untrustedCertificate("the chain doesn't end with a trusted authority") }
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
