public import GodwitCore

/// What holds for TLS with the host of a job's URL, beyond the system's rules: authorities, pinned keys, a client
/// certificate.
///
/// ```swift
/// try await session.download(request, to: folder) {
///     $0.tls.authorities = URL(filePath: "/etc/corp-ca.pem")
///     $0.tls.pins = [.sha256(current), .sha256(backup)]
/// }
/// ```
///
/// Files are kept by their paths and read anew for each attempt, so that no key gets into the queue; where one cannot be
/// read, the job fails. A redirect to another host is held to none of it, and shown no certificate. Certificates are
/// always validated.
///
/// On Apple's systems a job with rules of its own is refused with `.unsupported`.
public struct BackgroundTLS: Sendable, Hashable {
    /// A file of certificates (PEM) of authorities to trust beside the system's; nil, the default, for none.
    public var authorities: URL?

    /// The keys of which one has to be in the host's chain; empty, the default, for any.
    public var pins: [Pin] = []

    /// A file with the certificate (PEM) to show where the host asks for one; nil, the default, for none.
    public var certificate: URL?

    /// The file with the certificate's key (PEM); nil, the default, where it is in the same file.
    public var key: URL?

    /// Makes the defaults.
    public init() {}

    /// Whether there are no rules.
    package var isEmpty: Bool { self == BackgroundTLS() }

    /// The rules as engines take them. One pin is enough: who hands a job over can hand over another.
    package func rules(for host: String) -> TLSConfiguration {
        var rules = TLSConfiguration()
        if let authorities { rules.authorities[host] = .adding(.file(authorities)) }
        if let pin = pins.first { rules.pins[host] = Set(pins).count > 1 ? PinSet(pins) : .withoutBackup(pin) }
        if let certificate {
            rules.clientCertificates[host] = .pem(certificate: .file(certificate), key: .file(key ?? certificate))
        }
        return rules
    }

    /// Why they can never hold; nil where they can.
    var fault: String? {
        if let pin = pins.first(where: { !$0.isValid }) { return "the pin \(pin) is none" }
        if key != nil, certificate == nil { return "a key needs its certificate" }
        let isFile = [authorities, certificate, key].compactMap(\.self).allSatisfy(\.isFileURL)
        return isFile ? nil : "a URL of its rules for TLS is none of a file"
    }
}

extension BackgroundTLS: Codable {
    private enum Key: String, CodingKey {
        case authorities, pins, certificate, key
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        func file(_ key: Key) throws -> URL? {
            try values.decodeIfPresent(String.self, forKey: key).map { URL(filePath: $0, directoryHint: .notDirectory) }
        }
        authorities = try file(.authorities)
        pins = try values.decode([String].self, forKey: .pins).map { Pin.sha256($0) }
        certificate = try file(.certificate)
        key = try file(.key)
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encodeIfPresent(authorities?.absoluteURL.path, forKey: .authorities)
        try values.encode(pins.map(\.description), forKey: .pins)
        try values.encodeIfPresent(certificate?.absoluteURL.path, forKey: .certificate)
        try values.encodeIfPresent(key?.absoluteURL.path, forKey: .key)
    }
}
