import CGodwitCurl
import GodwitCore

/// The rules of a ``TLSConfiguration`` with their files read: what every event loop makes its own ``HostRules`` of.
struct LoadedRules: Sendable {
    let authorities: HostTable<Authorities>
    /// The same, by their numbers.
    let numberedAuthorities: [Authorities]
    let pins: HostTable<Pins>
    let identities: HostTable<Identity>

    struct Authorities: Sendable {
        let certificates: Data
        let keepsSystem: Bool
        /// Its place among those of the transport.
        let number: Int
    }

    struct Pins: Sendable {
        let set: PinSet
        let scope: HostScope
    }

    struct Identity: Sendable {
        let certificate: Data
        /// Nil where the certificate's container holds it.
        let key: Data?
        let password: String
    }

    /// Nil where no host has a rule.
    ///
    /// Throws `.invalidRequest` for rules that can never hold, `.insecure(.configuration)` for files that cannot be read,
    /// and `.unsupported` for pins where libcurl uses another TLS library.
    static func load(_ configuration: CurlConfiguration) throws(NetworkError) -> LoadedRules? {
        let tls = configuration.tls
        if tls.isEmpty { return nil }
        try tls.validate()
        CurlLibrary.prepare()
        if !tls.pins.isEmpty, godwit_can_check_chains() == 0 {
            throw NetworkError(.unsupported(feature: "pins", on: "libcurl without OpenSSL"), phase: .building)
        }
        var numbered: [Authorities] = []
        let authorities = try tls.authorities.map { entry, scope throws(NetworkError) in
            let next = try Authorities(
                entry, for: scope, beside: configuration.additionalAuthorities, number: numbered.count)
            numbered.append(next)
            return next
        }
        return LoadedRules(
            authorities: authorities, numberedAuthorities: numbered,
            pins: tls.pins.map { set, scope in Pins(set: set, scope: scope) },
            identities: try tls.clientCertificates.map { entry, _ throws(NetworkError) in try Identity(entry) })
    }
}

extension LoadedRules.Authorities {
    private static let marks = ["-----BEGIN CERTIFICATE-----", "-----BEGIN TRUSTED CERTIFICATE-----"]

    /// libcurl takes these in place of its file of authorities, and keeps its folder of them. So what the file holds has
    /// to be said again where it was not the system's, or where the system has no folder.
    fileprivate init(
        _ entry: TrustedAuthorities, for scope: HostScope, beside file: URL?, number: Int
    ) throws(NetworkError) {
        self.number = number
        keepsSystem = entry.keepsOthers
        var certificates = try entry.certificates.read()
        guard Self.marks.contains(where: { certificates.firstRange(of: Data($0.utf8)) != nil }) else {
            let reason = "the authorities for \(scope.name) hold no certificate in PEM"
            throw NetworkError(.insecure(.configuration(reason)), phase: .building)
        }
        if entry.keepsOthers, let others = file ?? CurlLibrary.onlyAuthoritiesFile {
            certificates.append(UInt8(ascii: "\n"))
            certificates.append(try KeyMaterial.file(others).read())
        }
        self.certificates = certificates
    }
}

extension LoadedRules.Identity {
    fileprivate init(_ entry: ClientCertificate) throws(NetworkError) {
        password = entry.password ?? ""
        switch entry.content {
        case .pem(let certificate, let key):
            self.certificate = try certificate.read()
            self.key = try key.read()
        case .pkcs12(let container):
            certificate = try container.read()
            key = nil
        }
        guard !certificate.isEmpty, key?.isEmpty != true else {
            throw NetworkError(
                .insecure(.configuration("a client certificate or its key is empty")), phase: .building)
        }
    }
}
