public import GodwitCore

/// The TLS rules for the host of a job's URL: trusted authorities, pinned keys, a client certificate.
///
/// ```swift
/// try await session.download(request, to: folder) {
///     $0.tls.authorities = URL(filePath: "/etc/corp-ca.pem")
///     $0.tls.pins = [.sha256(current), .sha256(backup)]
/// }
/// ```
///
/// Files are saved as paths and read for each attempt, so that no key gets into the queue. If a file can't be read, the job
/// fails. The rules and the client certificate don't apply to other hosts after a redirect. Certificates are always
/// validated.
///
/// On Apple platforms a job with such rules is rejected with `.unsupported`.
public struct BackgroundTLS: Sendable, Hashable {
    /// A PEM file with certificates of authorities to trust in addition to the system's. `nil` by default.
    public var authorities: URL?

    /// The pinned keys, one of which must be in the host's certificate chain. Empty (the default) accepts any.
    public var pins: [Pin] = []

    /// A PEM file with the client certificate. `nil` by default.
    public var certificate: URL?

    /// A PEM file with the certificate's key. `nil` (the default) if it is in the same file.
    public var key: URL?

    /// Creates empty rules.
    public init() {}

    package var isEmpty: Bool { self == BackgroundTLS() }

    /// The rules for a transport. One pin is enough, as the program can hand the job over again with another one.
    package func rules(for host: String) -> TLSConfiguration {
        var rules = TLSConfiguration()
        if let authorities { rules.authorities[host] = .adding(.file(authorities)) }
        if let pin = pins.first { rules.pins[host] = Set(pins).count > 1 ? PinSet(pins) : .withoutBackup(pin) }
        if let certificate {
            rules.clientCertificates[host] = .pem(certificate: .file(certificate), key: .file(key ?? certificate))
        }
        return rules
    }

    /// Why the rules are not valid; `nil` if they are.
    var fault: String? {
        if let pin = pins.first(where: { !$0.isValid }) { return "the pin \(pin) is not valid" }
        if key != nil, certificate == nil { return "a key needs its certificate" }
        let isFile = [authorities, certificate, key].compactMap(\.self).allSatisfy(\.isFileURL)
        return isFile ? nil : "a URL in its TLS rules is not a file URL"
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
