/// What holds for the certificates of single hosts, where it is the system that validates chains and asks about them.
package struct ServerRules: Sendable {
    /// What is to become of a server.
    package enum Verdict: Sendable, Hashable {
        /// The system's validation counts: no rule has anything against it.
        case leftToSystem
        /// It was validated here, by authorities that the system does not know.
        case trusted
        case refused(NetworkError.SecurityFailure)
    }

    /// The authorities of a host.
    package struct Anchors: Sendable, Hashable {
        /// In DER.
        package let certificates: [Data]
        /// Whether the system's are trusted beside them.
        package let keepsOthers: Bool
    }

    private let pins: HostTable<PinSet>
    private let anchors: HostTable<Anchors>

    /// Takes the pins and authorities of a configuration.
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

    /// Whether there is anything to check.
    package func hasRule(for host: String) -> Bool {
        pins.value(for: host) != nil || anchors.value(for: host) != nil
    }

    /// Validates a server by the rules for it. A mismatch of pins is reported as the ``PinSet`` says.
    package func verdict(on chain: some ServerChain, from host: String) -> Verdict {
        let (pins, anchors) = (pins.value(for: host), anchors.value(for: host))
        guard pins != nil || anchors != nil else { return .leftToSystem }
        if let anchors, let failure = chain.trust(anchors) { return .refused(failure) }
        // Before this, the chain is what the server sent, and anyone could send a certificate that is pinned.
        if let failure = chain.validate(for: host) { return .refused(failure) }
        if let pins, !pins.admits(chain.keys, from: host) { return .refused(.pinMismatch) }
        return anchors == nil ? .leftToSystem : .trusted
    }
}

/// A server's certificates, and the system that validates them.
package protocol ServerChain {
    /// Has them validated by these authorities; why that cannot be, or nil.
    func trust(_ anchors: ServerRules.Anchors) -> NetworkError.SecurityFailure?

    /// Why they are not valid for a host, or nil.
    func validate(for host: String) -> NetworkError.SecurityFailure?

    /// The keys of the validated chain, the server's own first.
    var keys: [Pin] { get }
}
