/// The pins and authorities of hosts, for transports whose system validates chains and calls back.
package struct ServerRules: Sendable {
    /// Whether to accept a server.
    package enum Decision: Sendable, Hashable {
        /// No rule refuses the server: the system's validation decides.
        case leftToSystem
        /// The chain was validated here, with authorities that the system doesn't trust.
        case trusted
        case refused(NetworkError.SecurityFailure)
    }

    /// The authorities of a host.
    struct Anchors: Sendable, Hashable {
        /// In DER.
        let certificates: [Data]
        /// Whether the system's authorities are trusted as well.
        let keepsOthers: Bool
    }

    private let pins: HostTable<PinSet>
    private let anchors: HostTable<Anchors>

    /// Reads the pins and authorities of a configuration.
    ///
    /// - Throws: `.invalidRequest` for an invalid rule, and `.insecure(.configuration)` if a file can't be read or
    ///   contains no certificates.
    package init(_ tls: TLSConfiguration) throws(NetworkError) {
        try tls.validate()
        pins = tls.pins
        anchors = try tls.authorities.map { entry, scope throws(NetworkError) in
            let certificates = PEMCertificates.certificates(in: try entry.certificates.read())
            guard let certificates, !certificates.isEmpty else {
                let reason = "the authorities for \(scope.name) contain no certificate in PEM, or an unreadable one"
                throw NetworkError(.insecure(.configuration(reason)), phase: .building)
            }
            return Anchors(certificates: certificates, keepsOthers: entry.keepsOthers)
        }
    }

    /// Whether there is a rule for a host.
    package func hasRule(for host: String) -> Bool {
        pins.value(for: host) != nil || anchors.value(for: host) != nil
    }

    /// Checks a server against the rules for it. Reports a pin mismatch as the ``PinSet`` requires.
    func decision(on chain: some ServerChain, from host: String) -> Decision {
        let (pins, anchors) = (pins.value(for: host), anchors.value(for: host))
        guard pins != nil || anchors != nil else { return .leftToSystem }
        if let anchors, let failure = chain.trust(anchors) { return .refused(failure) }
        // Pins are checked after validation: any server can send a pinned certificate.
        if let failure = chain.validate(for: host) { return .refused(failure) }
        if let pins, !pins.admits(chain.keys, from: host) { return .refused(.pinMismatch) }
        return anchors == nil ? .leftToSystem : .trusted
    }
}

/// A server's certificates, and the system that validates them.
protocol ServerChain {
    /// Sets the trusted authorities. Returns the reason if that fails.
    func trust(_ anchors: ServerRules.Anchors) -> NetworkError.SecurityFailure?

    /// Validates the chain for a host. Returns the reason if it is invalid.
    func validate(for host: String) -> NetworkError.SecurityFailure?

    /// The keys of the validated chain, the server's first.
    var keys: [Pin] { get }
}
