#if os(Linux)
import CGodwitCurl
import GodwitCore
import GodwitSockets

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
        /// Its index among the transport's lists of authorities.
        let number: Int
    }

    struct Pins: Sendable {
        let set: PinSet
        let scope: HostScope
    }

    struct Identity: Sendable {
        let certificate: Data
        /// Nil if the certificate's container holds the key.
        let key: Data?
        let password: String
    }

    /// Nil if no host has a rule.
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
                entry, for: scope, addingTo: configuration.additionalAuthorities, number: numbered.count)
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

    /// libcurl uses these instead of its file of authorities, and keeps its folder of them. So the file's content is added if it
    /// isn't the system's, or if the system has no folder.
    fileprivate init(
        _ entry: TrustedAuthorities, for scope: HostScope, addingTo file: URL?, number: Int
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

/// An engine's TLS rules for single hosts, in memory that libcurl can point to. Lives as long as the engine, and so as long as any
/// connection made with them.
///
/// A host's rules never change, and libcurl shares a connection only among exchanges with one host. So a connection that was
/// made without a rule is never used for a host with one.
final class HostRules {
    private let authorities: HostTable<AuthorityList>
    private let pins: HostTable<PinCheck>
    private let identities: HostTable<Identity>

    init(_ rules: LoadedRules) {
        authorities = rules.authorities.map { entry, _ in AuthorityList(entry) }
        pins = rules.pins.map { entry, _ in PinCheck(entry) }
        identities = rules.identities.map { entry, _ in Identity(entry) }
    }

    /// The rules for a URL's connections.
    func rule(for url: HTTPURL) -> Rule {
        guard url.scheme == .https else { return Rule() }
        let host = url.host
        return Rule(
            authorities: authorities.value(ofNormalised: host), pins: pins.value(ofNormalised: host),
            identity: identities.value(ofNormalised: host))
    }

    /// The rules for one host. Nil means the general rule.
    struct Rule {
        var authorities: AuthorityList?
        var pins: PinCheck?
        var identity: Identity?
    }
}

/// Authorities for single hosts, in the form that libcurl reads if the engine has no ``TrustStores``.
final class AuthorityList {
    private let certificates: StableBytes
    private let keepsSystem: Bool
    /// Its index in ``TrustStores/authorities``.
    let number: Int

    init(_ entry: LoadedRules.Authorities) {
        certificates = StableBytes(entry.certificates)
        keepsSystem = entry.keepsSystem
        number = entry.number
    }

    /// Replaces the previous authorities in libcurl.
    static func change(
        from previous: AuthorityList?, to next: AuthorityList?, on easy: UnsafeMutableRawPointer
    ) -> Bool {
        guard previous !== next else { return true }
        let usesFolder = next?.keepsSystem ?? true
        if usesFolder != previous?.keepsSystem ?? true {
            let folder = usesFolder ? godwit_get_string(easy, CURLINFO_CAPATH) : nil
            guard godwit_set_string(easy, CURLOPT_CAPATH, folder) == CURLE_OK else { return false }
        }
        return StableBytes.set(CURLOPT_CAINFO_BLOB, to: next?.certificates, on: easy)
    }
}
#endif
