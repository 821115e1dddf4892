#if os(Linux)
package import GodwitCore

/// The rules of a ``TLSConfiguration`` with their files read, and certificates and keys parsed.
package struct LoadedRules: Sendable {
    let authorities: HostTable<Authorities>
    /// The same, by their numbers.
    let numberedAuthorities: [Authorities]
    let pins: HostTable<PinCheck>
    let identities: HostTable<TLSIdentity>

    struct Authorities: Sendable {
        let certificates: Data
        let keepsSystem: Bool
        /// Its index among the transport's lists of authorities.
        let number: Int
    }

    /// `nil` if no host has a rule.
    ///
    /// Throws `.invalidRequest` for rules that can never hold, and `.insecure(.configuration)` for files that can't be read.
    ///
    /// - Parameter additional: The file of authorities that are trusted in addition to the system's.
    package static func load(_ tls: TLSConfiguration, additional: URL?) throws(NetworkError) -> LoadedRules? {
        if tls.isEmpty { return nil }
        try tls.validate()
        var numbered: [Authorities] = []
        let authorities = try tls.authorities.map { entry, scope throws(NetworkError) in
            // A rule that relies on a file fails without it.
            if entry.keepsOthers, let additional { _ = try KeyMaterial.file(additional).read() }
            let next = try Authorities(entry, for: scope, number: numbered.count)
            numbered.append(next)
            return next
        }
        return LoadedRules(
            authorities: authorities, numberedAuthorities: numbered,
            pins: tls.pins.map { set, scope in PinCheck(set, for: scope) },
            identities: try tls.clientCertificates.map { entry, _ throws(NetworkError) in try TLSIdentity(entry) })
    }
}

extension LoadedRules.Authorities {
    private static let marks = ["-----BEGIN CERTIFICATE-----", "-----BEGIN TRUSTED CERTIFICATE-----"]

    fileprivate init(_ entry: TrustedAuthorities, for scope: HostScope, number: Int) throws(NetworkError) {
        self.number = number
        keepsSystem = entry.keepsOthers
        let text = try entry.certificates.read()
        guard Self.marks.contains(where: { text.firstRange(of: Data($0.utf8)) != nil }) else {
            let reason = "the authorities for \(scope.name) hold no certificate in PEM"
            throw NetworkError(.insecure(.configuration(reason)), phase: .building)
        }
        certificates = text
    }
}

/// The TLS rules for single hosts.
///
/// A host's rules never change, and a connection is used for one host only. So a connection that was made without a rule is never
/// used for a host with one.
package struct HostRules: Sendable {
    private let rules: LoadedRules?

    package init(_ rules: LoadedRules?) {
        self.rules = rules
    }

    /// The rules for a URL's connections.
    package func rule(for url: HTTPURL) -> Rule {
        guard let rules, url.scheme == .https else { return Rule() }
        let host = url.host
        return Rule(
            authorities: rules.authorities.value(ofNormalised: host)?.number,
            pins: rules.pins.value(ofNormalised: host), identity: rules.identities.value(ofNormalised: host))
    }

    /// The rules for one host. `nil` means the general rule.
    package struct Rule: Sendable {
        /// The number of its store; see ``TrustStores/store(for:)``.
        package var authorities: Int?
        package var pins: PinCheck?
        package var identity: TLSIdentity?

        package init() {}

        init(authorities: Int?, pins: PinCheck?, identity: TLSIdentity?) {
            self.authorities = authorities
            self.pins = pins
            self.identity = identity
        }
    }
}
#endif
