#if os(Linux)
package import GodwitCore
import GodwitSockets

/// The origins that announced HTTP/3, as a value. Times are seconds since 1970.
package struct AlternativeTable: Sendable, Equatable {
    /// Whether to try HTTP/3 with an origin.
    package enum Decision: Sendable, Equatable {
        /// It was not announced.
        case unknown
        /// It failed; it is tried again at this time.
        case broken(until: Double)
        /// At this UDP port of the origin's host.
        case available(port: Int)
    }

    struct Entry: Sendable, Equatable {
        var port: Int
        var expires: Double
        var persists: Bool
        /// How often it failed since it last worked.
        var failures = 0
        var brokenUntil: Double = 0
    }

    package static let mostOrigins = 1024
    /// Seconds for which HTTP/3 isn't tried after a failure. Doubles with each, up to a day.
    package static let firstPause = 300.0
    private static let longestPause = 86_400.0

    /// What was learned and forgotten since the last ``takeChanges()``.
    struct Changes: Sendable, Equatable {
        /// Whether everything was forgotten before the rest.
        var forgetsAll = false
        /// `nil` for what was forgotten.
        var entries: [Origin: Entry?] = [:]

        var isEmpty: Bool { !forgetsAll && entries.isEmpty }

        mutating func append(_ later: Changes) {
            if later.forgetsAll { self = Changes(forgetsAll: true) }
            entries.merge(later.entries) { $1 }
        }
    }

    private(set) var entries: [Origin: Entry] = [:]
    private var changes = Changes()

    package init() {}

    mutating func takeChanges() -> Changes {
        defer { changes = Changes() }
        return changes
    }

    mutating func removeAll() {
        entries = [:]
        changes = Changes(forgetsAll: true)
    }

    /// Applies changes to what a file has.
    mutating func apply(_ changes: Changes, at time: Double) {
        if changes.forgetsAll { entries = [:] }
        for (origin, entry) in changes.entries {
            if entry != nil, entries[origin] == nil { makeRoom(at: time) }
            entries[origin] = entry
        }
    }

    private mutating func set(_ entry: Entry?, for origin: Origin) {
        entries[origin] = entry
        changes.entries.updateValue(entry, forKey: origin)
    }

    package var isEmpty: Bool { entries.isEmpty }

    package func decision(for origin: Origin, at time: Double) -> Decision {
        guard let entry = entries[origin], entry.expires > time else { return .unknown }
        // A clock that was set back must not make the pause longer than it can be.
        guard entry.brokenUntil > time, entry.brokenUntil - time <= Self.longestPause else {
            return .available(port: entry.port)
        }
        return .broken(until: entry.brokenUntil)
    }

    /// Takes an announcement. Returns whether something changed that is worth keeping.
    package mutating func learn(
        _ field: AlternativeServiceField, from origin: Origin, age: Int, at time: Double
    ) -> Bool {
        guard origin.scheme == .https else { return false }
        guard case .services(let services) = field,
            let service = services.first(where: { Self.isUsable($0, for: origin) }), service.maximumAge > age
        else {
            let isKnown = entries[origin] != nil
            if isKnown { set(nil, for: origin) }
            return isKnown
        }
        var entry = Entry(
            port: service.port, expires: time + Double(service.maximumAge - max(age, 0)), persists: service.persists)
        guard let known = entries[origin] else {
            makeRoom(at: time)
            set(entry, for: origin)
            return true
        }
        // A server that announces the same again has not made UDP work.
        if known.port == entry.port {
            entry.failures = known.failures
            entry.brokenUntil = known.brokenUntil
        }
        set(entry, for: origin)
        // Each response announces it again; a file that is an hour behind is good enough.
        return known.port != entry.port || known.persists != entry.persists || entry.expires - known.expires > 3600
    }

    package mutating func succeeded(at origin: Origin) {
        entries[origin]?.failures = 0
        entries[origin]?.brokenUntil = 0
    }

    package mutating func failed(at origin: Origin, at time: Double) {
        guard var entry = entries[origin] else { return }
        let pause = min(Self.firstPause * Double(1 << min(entry.failures, 20)), Self.longestPause)
        entry.failures += 1
        entry.brokenUntil = time + pause
        entries[origin] = entry
    }

    /// Returns whether entries were removed.
    package mutating func pathChanged() -> Bool {
        let voided = entries.filter { !$0.value.persists }.keys
        for origin in voided { set(nil, for: origin) }
        for origin in entries.keys { succeeded(at: origin) }
        return !voided.isEmpty
    }

    /// Only HTTP/3, and only on the host that the certificate has to name anyway.
    private static func isUsable(_ service: AlternativeService, for origin: Origin) -> Bool {
        service.protocolID == "h3" && (service.host.isEmpty || service.host == origin.host)
    }

    private mutating func makeRoom(at time: Double) {
        guard entries.count >= Self.mostOrigins else { return }
        entries = entries.filter { $0.value.expires > time }
        guard entries.count >= Self.mostOrigins, let first = entries.min(by: { $0.value.expires < $1.value.expires })
        else { return }
        entries[first.key] = nil
    }
}

// The text of a file: one line for each origin.
extension AlternativeTable {
    private static let header = "godwit alt-svc 1"

    var text: String {
        let lines = entries.map { origin, entry in
            "\(origin.host) \(origin.port) \(entry.port) \(Int64(entry.expires)) \(entry.persists ? 1 : 0)\n"
        }
        return Self.header + "\n" + lines.sorted().joined()
    }

    /// Reads a text; nil if it isn't one of ours. Expired and malformed lines are skipped.
    init?(_ text: String, at time: Double) {
        let lines = text.split(separator: "\n")
        guard lines.first == Substring(Self.header) else { return nil }
        for line in lines.dropFirst().prefix(Self.mostOrigins) {
            let words = line.split(separator: " ")
            guard words.count == 5, let url = try? HTTPURL("https://\(words[0]):\(words[1])/"),
                let port = UInt16(words[2]), port > 0, let expires = Int64(words[3]), Double(expires) > time,
                Double(expires) <= time + Double(AlternativeService.longestAge)
            else { continue }
            entries[url.origin] = Entry(port: Int(port), expires: Double(expires), persists: words[4] == "1")
        }
    }
}
#endif
