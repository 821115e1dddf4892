import GodwitSupport

/// The public keys that a host can have. A server is accepted if its validated chain contains one of them.
///
/// ```swift
/// $0.pins["api.example.com"] = [.sha256(current), .sha256(backup)]
/// $0.pins[domain: "example.com"] = PinSet([.sha256(current), .sha256(backup)]).reportingOnly { print($0) }
/// ```
///
/// A set requires at least two different pins, one of them of a backup key that is stored elsewhere: with a single pin,
/// the loss of its key locks out every installed client. To accept that, use ``withoutBackup(_:)``.
///
/// Pins are checked in addition to the usual validation. A mismatch closes the connection before anything is sent, and
/// throws `.insecure(.pinMismatch)`, which is never retried.
public struct PinSet: Sendable, Nonisolated {
    /// Receives a mismatch, on the transport's thread during the handshake.
    public typealias Report = @Sendable (PinMismatch) -> Void

    /// The public keys, at least one of which a host's certificate chain must contain.
    public let pins: [Pin]

    private var needsBackup = true
    private var report: Report?

    /// Whether a mismatch is only reported. See ``reportingOnly(_:)``.
    public private(set) var isReportOnly = false

    /// When mismatches stop closing connections; see ``expiring(at:)``. `nil`, the default, means never.
    public private(set) var expirationDate: Date?

    /// Creates a set of two or more different pins.
    ///
    /// - Parameter pins: The pins. With fewer than two different ones, the transport's initializer throws.
    public init(_ pins: some Sequence<Pin>) {
        self.pins = Array(pins)
    }

    /// A single pin. If its key is lost, clients with this pin can't connect any more.
    public static func withoutBackup(_ pin: Pin) -> PinSet {
        var set = PinSet([pin])
        set.needsBackup = false
        return set
    }

    /// Returns these pins, with mismatches refused and reported.
    ///
    /// - Parameter report: Called on the transport's thread during the handshake; must return quickly.
    public func reporting(_ report: @escaping Report) -> PinSet {
        var set = self
        set.report = report
        return set
    }

    /// Returns these pins, with mismatches accepted and reported, to test pins before they can lock out clients.
    ///
    /// - Parameter report: Called on the transport's thread during the handshake; must return quickly. A resumed TLS
    ///   session has no certificates and is not reported again.
    public func reportingOnly(_ report: @escaping Report) -> PinSet {
        var set = reporting(report)
        set.isReportOnly = true
        return set
    }

    /// Returns these pins, enforced until a date. After it, mismatches are accepted and reported; the chain is still
    /// validated.
    ///
    /// Use it in apps that people may not update: after the server's keys have changed, an old version can connect
    /// again. The device's clock decides.
    ///
    /// ```swift
    /// $0.pins["api.example.com"] = PinSet([.sha256(current), .sha256(backup)]).expiring(at: release + 180 * 86_400)
    /// ```
    ///
    /// - Parameter date: The first moment when a mismatch is accepted.
    public func expiring(at date: Date) -> PinSet {
        var set = self
        // Foundation can't print dates far outside of the calendar.
        set.expirationDate = min(max(date, .distantPast), .distantFuture)
        return set
    }

    /// Whether to accept a server with these keys in its chain, the leaf's first. Reports a mismatch.
    package func admits(_ keys: [Pin], from host: String) -> Bool {
        guard !pins.contains(where: keys.contains) else { return true }
        let isAdmitted = isReportOnly || expirationDate.map { $0 <= Date() } ?? false
        report?(PinMismatch(host: host, keys: keys, pins: pins, isRefused: !isAdmitted))
        return isAdmitted
    }

    /// Why the pins are invalid; `nil` if they are valid.
    package func fault(for host: String) -> String? {
        if let fault = pins.lazy.compactMap(\.fault).first { return fault }
        if pins.isEmpty { return "there are no pins for \(host)" }
        guard Set(pins).count < 2, needsBackup else { return nil }
        return "\(host) needs at least two different pins, the current key's and a backup's; see PinSet.withoutBackup"
    }
}

extension PinSet: ExpressibleByArrayLiteral {
    /// Creates a set of two or more different pins.
    ///
    /// - Parameter pins: The pins. With fewer than two different ones, the transport's initializer throws.
    public init(arrayLiteral pins: Pin...) {
        self.init(pins)
    }
}

/// A public key of a server: the SHA-256 digest of its SubjectPublicKeyInfo (RFC 7469 section 2.4).
///
/// ```shell
/// openssl x509 -in server.pem -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64
/// ```
///
/// A certificate that is renewed with the same key has the same pin.
public struct Pin: Sendable, Hashable {
    private enum Content: Sendable, Hashable {
        case digest([UInt8])
        case unreadable(String)
    }

    private let content: Content

    /// A pin from the digest in Base64, with or without the prefix `sha256/` or `sha256//`.
    ///
    /// - Parameter text: 44 characters of Base64, as from `openssl dgst -sha256 -binary | base64`. With any other text,
    ///   the transport's initializer throws `.invalidRequest`.
    public static func sha256(_ text: String) -> Pin {
        var encoded = text[...]
        if encoded.hasPrefix("sha256/") { encoded = encoded.dropFirst(7) }
        if encoded.hasPrefix("/") && encoded.utf8.count == 45 { encoded = encoded.dropFirst() }
        guard let digest = Data(base64Encoded: String(encoded)), digest.count == 32 else {
            return Pin(content: .unreadable(text))
        }
        return Pin(content: .digest(Array(digest)))
    }

    /// A pin from the 32 bytes of the digest.
    ///
    /// - Parameter digest: The bytes. With another number of bytes, the transport's initializer throws
    ///   `.invalidRequest`.
    public static func sha256(_ digest: some Sequence<UInt8>) -> Pin {
        let bytes = Array(digest)
        return Pin(content: bytes.count == 32 ? .digest(bytes) : .unreadable("\(bytes.count) bytes"))
    }

    /// The pin of a certificate's key; `nil` if the data isn't a certificate.
    ///
    /// - Parameter der: The certificate in DER. It isn't validated.
    public static func key(ofCertificate der: Data) -> Pin? {
        CertificateKey.subjectPublicKeyInfo(of: der).map { .sha256(SHA256.digest($0)) }
    }

    /// Whether the pin is a digest of 32 bytes.
    public var isValid: Bool { fault == nil }

    /// Why the pin is invalid; `nil` if it is valid.
    package var fault: String? {
        guard case .unreadable(let text) = content else { return nil }
        return "the pin \"\(text)\" isn't the Base64 of a SHA-256 digest (32 bytes)"
    }
}

extension Pin: CustomStringConvertible {
    /// The pin in the form `sha256/` and Base64.
    public var description: String {
        switch content {
        case .digest(let bytes): "sha256/" + Data(bytes).base64EncodedString()
        case .unreadable(let text): text
        }
    }
}

/// A server whose validated chain doesn't contain a pinned key.
public struct PinMismatch: Sendable, Hashable {
    /// The host that was connected to.
    public let host: String

    /// The keys of its chain, from the server's to the authority's.
    public let keys: [Pin]

    /// The pins of the host, none of which is in the chain.
    public let pins: [Pin]

    /// Whether the connection was closed.
    public let isRefused: Bool

    package init(host: String, keys: [Pin], pins: [Pin], isRefused: Bool) {
        self.host = host
        self.keys = keys
        self.pins = pins
        self.isRefused = isRefused
    }
}

extension PinMismatch: CustomStringConvertible {
    /// One line for a log.
    public var description: String {
        let keys = keys.map(\.description).joined(separator: " ")
        return "no pinned key is in the chain of \(host) (\(keys)); \(isRefused ? "refused" : "only reported")"
    }
}
