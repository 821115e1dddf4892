/// The public keys a host may have. A server is let in where a key of its validated chain is one of them.
///
/// ```swift
/// $0.pins["api.example.com"] = [.sha256(current), .sha256(backup)]
/// $0.pins[domain: "example.com"] = PinSet([.sha256(current), .sha256(backup)]).reportingOnly { print($0) }
/// ```
///
/// At least two different pins are needed, one of them of a key that is kept elsewhere: with a single one, the loss of
/// that key locks every installed client out. ``withoutBackup(_:)`` says that this is understood.
///
/// Pins come on top of validation and take nothing away from it. A mismatch ends the connection before anything is sent,
/// with `.insecure(.pinMismatch)`, which is never retried.
public struct PinSet: Sendable, Nonisolated {
    /// What is done where no pin matches.
    private enum Consequence: Sendable {
        case refusal, report
    }

    /// Is told of a mismatch.
    public typealias Report = @Sendable (PinMismatch) -> Void

    /// The pins.
    public let pins: [Pin]

    private var needsBackup = true
    private var consequence = Consequence.refusal
    private var report: Report?

    /// When a mismatch stops ending connections; see ``expiring(at:)``. `nil`, the default, means never.
    public private(set) var expirationDate: Date?

    /// Makes a set of two or more different pins.
    ///
    /// - Parameter pins: The pins, in any order. Fewer than two different ones make the transport's initialiser throw.
    public init(_ pins: some Sequence<Pin>) {
        self.pins = Array(pins)
    }

    /// One pin alone. When its key is lost, no client with this pin reaches the server again.
    ///
    /// - Parameter pin: The pin.
    public static func withoutBackup(_ pin: Pin) -> PinSet {
        var set = PinSet([pin])
        set.needsBackup = false
        return set
    }

    /// The same pins, with mismatches reported beside being refused.
    ///
    /// - Parameter report: Called on the transport's thread during the handshake: return quickly.
    public func reporting(_ report: @escaping Report) -> PinSet {
        var set = self
        set.report = report
        return set
    }

    /// The same pins, with mismatches reported and let in: to try pins out before they can lock anyone out.
    ///
    /// - Parameter report: Called on the transport's thread during the handshake: return quickly. A connection that
    ///   resumes an earlier TLS session shows no certificates and is not reported again.
    public func reportingOnly(_ report: @escaping Report) -> PinSet {
        var set = reporting(report)
        set.consequence = .report
        return set
    }

    /// The same pins, checked until a date. From then on a mismatch is reported and let in, as the chain is still validated.
    ///
    /// For pins in an app that people may not update: when the server's keys have moved on, an old version connects again
    /// instead of staying locked out. The device's clock counts.
    ///
    /// ```swift
    /// $0.pins["api.example.com"] = PinSet([.sha256(current), .sha256(backup)]).expiring(at: release + 180 * 86_400)
    /// ```
    ///
    /// - Parameter date: The first moment at which a mismatch no longer ends the connection.
    public func expiring(at date: Date) -> PinSet {
        var set = self
        set.expirationDate = date
        return set
    }

    /// Whether a mismatch is only reported.
    public var isReportOnly: Bool { consequence == .report }

    /// Whether a server with these keys in its chain, the leaf's first, is let in. Reports where none matches.
    package func admits(_ keys: [Pin], from host: String) -> Bool {
        guard !pins.contains(where: keys.contains) else { return true }
        let isAdmitted = isReportOnly || expirationDate.map { $0 <= Date() } ?? false
        report?(PinMismatch(host: host, keys: keys, pins: pins, isRefused: !isAdmitted))
        return isAdmitted
    }

    /// Why no server can be held to these pins, or nil.
    package func fault(for host: String) -> String? {
        if let fault = pins.lazy.compactMap(\.fault).first { return fault }
        if pins.isEmpty { return "there are no pins for \(host)" }
        guard Set(pins).count < 2, needsBackup else { return nil }
        return "\(host) needs at least two different pins, the current key's and a backup's; see PinSet.withoutBackup"
    }
}

extension PinSet: ExpressibleByArrayLiteral {
    /// Makes a set of two or more different pins.
    ///
    /// - Parameter pins: The pins. Fewer than two different ones make the transport's initialiser throw.
    public init(arrayLiteral pins: Pin...) {
        self.init(pins)
    }
}

/// A public key a server may have: the SHA-256 of its SubjectPublicKeyInfo (RFC 7469 section 2.4).
///
/// ```shell
/// openssl x509 -in server.pem -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64
/// ```
///
/// A key outlives its certificates: renewing one with the same key keeps its pin.
public struct Pin: Sendable, Hashable {
    private enum Content: Sendable, Hashable {
        case digest([UInt8])
        case unreadable(String)
    }

    private let content: Content

    /// The digest in Base64, with or without `sha256/` or `sha256//` before it.
    ///
    /// A text that is not 32 bytes of Base64 makes the transport's initialiser throw `.invalidRequest`.
    ///
    /// - Parameter text: 44 characters of Base64, as `openssl dgst -sha256 -binary | base64` writes them.
    public static func sha256(_ text: String) -> Pin {
        var encoded = text[...]
        if encoded.hasPrefix("sha256/") { encoded = encoded.dropFirst(7) }
        if encoded.hasPrefix("/") && encoded.utf8.count == 45 { encoded = encoded.dropFirst() }
        guard let digest = Data(base64Encoded: String(encoded)), digest.count == 32 else {
            return Pin(content: .unreadable(text))
        }
        return Pin(content: .digest(Array(digest)))
    }

    /// The 32 bytes of the digest.
    ///
    /// Another number of them makes the transport's initialiser throw `.invalidRequest`.
    ///
    /// - Parameter digest: The bytes.
    public static func sha256(_ digest: some Sequence<UInt8>) -> Pin {
        let bytes = Array(digest)
        return Pin(content: bytes.count == 32 ? .digest(bytes) : .unreadable("\(bytes.count) bytes"))
    }

    /// The pin of a certificate's key, whatever its kind; nil where the data is no certificate in DER.
    ///
    /// The certificate is not validated.
    ///
    /// - Parameter der: The certificate in DER.
    public static func key(ofCertificate der: Data) -> Pin? {
        CertificateKey.subjectPublicKeyInfo(of: der).map { .sha256(SHA256.digest($0)) }
    }

    /// Whether it is a digest of 32 bytes, and so can match a key.
    public var isValid: Bool { fault == nil }

    /// Why it can never match, or nil.
    package var fault: String? {
        guard case .unreadable(let text) = content else { return nil }
        return "the pin \"\(text)\" is not the Base64 of a SHA-256 digest (32 bytes)"
    }
}

extension Pin: CustomStringConvertible {
    /// The pin as configurations write it: `sha256/` and Base64.
    public var description: String {
        switch content {
        case .digest(let bytes): "sha256/" + Data(bytes).base64EncodedString()
        case .unreadable(let text): text
        }
    }
}

/// A server whose validated chain holds none of the pinned keys.
public struct PinMismatch: Sendable, Hashable {
    /// The host that was connected to.
    public let host: String

    /// The keys of its chain, the server's own first and the authority's last.
    public let keys: [Pin]

    /// The pins that none of them is.
    public let pins: [Pin]

    /// Whether the connection was ended, or let in as it is only reported.
    public let isRefused: Bool

    /// Makes a report; for transports and tests.
    ///
    /// - Parameters:
    ///   - host: Whose certificates they are.
    ///   - keys: The keys of the chain, the server's first.
    ///   - pins: The keys that were wanted.
    ///   - isRefused: Whether the connection ended.
    public init(host: String, keys: [Pin], pins: [Pin], isRefused: Bool) {
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
