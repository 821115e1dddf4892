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
