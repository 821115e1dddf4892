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
    /// What is to become of a server.
    package enum Verdict: Sendable, Hashable {
        /// The system's validation counts: no rule has anything against it.
        case leftToSystem
        /// It was validated here, by authorities that the system does not know.
        case trusted
        case refused(NetworkError.SecurityFailure)
    }

    private struct Anchors: Sendable {
        let certificates: [Data]
        let keepsOthers: Bool
    }

    private let pins: HostTable<PinSet>
    private let anchors: HostTable<Anchors>

    /// Makes a check.
    ///
    /// Throws `.invalidRequest` for pins that can hold nobody: unreadable ones, or one alone without
    /// ``PinSet/withoutBackup(_:)``.
    public init(_ pins: HostTable<PinSet>) throws(NetworkError) {
        var tls = TLSConfiguration()
        tls.pins = pins
        try self.init(tls)
    }

    /// Makes a check of the pins and authorities of a configuration.
    ///
    /// Throws `.invalidRequest` for rules that can never hold, and `.insecure(.configuration)` for files that cannot be
    /// read, or hold no certificates.
    package init(_ tls: TLSConfiguration) throws(NetworkError) {
        try tls.validate()
        pins = tls.pins
        anchors = try tls.authorities.map { entry, scope throws(NetworkError) in
            let certificates = PEMCertificates.certificates(in: try entry.certificates.read())
            guard let certificates, !certificates.isEmpty else {
                let reason = "the authorities for \(scope.name) hold no certificate in PEM, or one that cannot be read"
                throw NetworkError(.insecure(.configuration(reason)), phase: .building)
            }
            return Anchors(certificates: certificates, keepsOthers: entry.keepsOthers)
        }
    }

    /// Why a server is not let in; nil where its pins have nothing against it, and the system decides.
    ///
    /// Validates the chain, which may take as long as the network does: not to be called on the main thread. A mismatch
    /// is reported as the ``PinSet`` says.
    public func failure(of trust: SecTrust, from host: String) -> NetworkError.SecurityFailure? {
        guard case .refused(let failure) = verdict(on: trust, from: host) else { return nil }
        return failure
    }

    /// Whether there is anything to check.
    package func hasRule(for host: String) -> Bool {
        pins.value(for: host) != nil || anchors.value(for: host) != nil
    }

    /// Validates a server by the rules for it, as ``failure(of:from:)`` does.
    package func verdict(on trust: SecTrust, from host: String) -> Verdict {
        let (pins, anchors) = (pins.value(for: host), anchors.value(for: host))
        guard pins != nil || anchors != nil else { return .leftToSystem }
        if let anchors, let failure = Self.install(anchors, in: trust) { return .refused(failure) }
        var reason: CFError?
        // Before this, the chain is what the server sent, and anyone could send a certificate that is pinned.
        guard SecTrustEvaluateWithError(trust, &reason) else { return .refused(Self.failure(reason, host)) }
        if let pins {
            let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate] ?? []
            let keys = chain.compactMap { Pin.key(ofCertificate: SecCertificateCopyData($0) as Data) }
            guard pins.admits(keys, from: host) else { return .refused(.pinMismatch) }
        }
        return anchors == nil ? .leftToSystem : .trusted
    }

    /// Has a chain validated by other authorities; nil where that is so. Host and dates are checked as ever.
    private static func install(_ anchors: Anchors, in trust: SecTrust) -> NetworkError.SecurityFailure? {
        let certificates = anchors.certificates.compactMap { SecCertificateCreateWithData(nil, $0 as CFData) }
        guard certificates.count == anchors.certificates.count,
            SecTrustSetAnchorCertificates(trust, certificates as CFArray) == errSecSuccess,
            SecTrustSetAnchorCertificatesOnly(trust, !anchors.keepsOthers) == errSecSuccess
        else { return .configuration("the system does not take one of the authorities") }
        return nil
    }

    private static func failure(_ reason: CFError?, _ host: String) -> NetworkError.SecurityFailure {
        guard let reason else { return .untrustedCertificate("the chain does not end in a trusted authority") }
        switch OSStatus(truncatingIfNeeded: CFErrorGetCode(reason)) {
        case errSecCertificateExpired, errSecCertificateNotValidYet: return .certificateExpired
        case errSecHostNameMismatch: return .hostMismatch(host)
        default: return .untrustedCertificate("\(reason)")
        }
    }
}
#endif
