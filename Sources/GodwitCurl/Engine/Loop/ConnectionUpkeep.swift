import CGodwitCurl
package import GodwitCore

/// When an engine has to look after its kept connections.
struct ConnectionUpkeep {
    let rules: ConnectionRules
    /// Called when the first connection is kept, and then forgotten: now the network path matters.
    var onFirstKept: (@Sendable () -> Void)?
    /// When libcurl has to look through its connections; nil for not.
    private(set) var pruneDue: LoopTime?
    private var lastPrune: LoopTime?
    /// Idle connections with bytes that libcurl has to read.
    private var unread: [Int32] = []

    /// libcurl looks at most once a second.
    private static let pruneInterval: Int64 = 1_050_000_000

    /// - Parameter onFirstKept: Called when the first connection was kept.
    init(_ policy: ConnectionPolicy, _ onFirstKept: (@Sendable () -> Void)?) {
        rules = ConnectionRules(policy)
        self.onFirstKept = onFirstKept
    }

    /// How many nanoseconds after the first connection became idle the first look comes; nil for never.
    var firstDelay: Int64? {
        guard onFirstKept != nil else { return rules.delay }
        return min(rules.delay ?? .max, 1_000_000_000)
    }

    /// libcurl has to look as soon as it does.
    mutating func requestPrune(at now: LoopTime) {
        let due = lastPrune.map { max(now, $0 + Self.pruneInterval) } ?? now
        pruneDue = .earlier(pruneDue, due)
    }

    /// libcurl looks now.
    mutating func willPrune(at now: LoopTime) {
        pruneDue = nil
        lastPrune = now
    }

    mutating func noteUnread(_ descriptor: Int32) {
        unread.append(descriptor)
    }

    mutating func takeUnread() -> [Int32] {
        defer { unread = [] }
        return unread
    }
}

/// Decides from its times what becomes of a connection. All durations are in nanoseconds.
package struct ConnectionRules: Sendable {
    /// How long a connection may be idle, and how old it may get. `nil` means no limit.
    package var idle: Int64?
    package var lifetime: Int64?

    package enum Decision: Equatable, Sendable {
        /// Stays, and has to be looked at again after this long; `nil` means not because of its age.
        case keep(again: Int64?)
        /// Is closed now.
        case close
        /// Gets no further request, and is closed when its last one ends.
        case retire
    }

    package init(_ policy: ConnectionPolicy) {
        idle = policy.idleTimeout.map(Self.nanoseconds)
        lifetime = policy.maximumLifetime.map(Self.nanoseconds)
    }

    /// How long after a connection became idle the first look is due; `nil` means never.
    package var delay: Int64? {
        [idle, lifetime].compactMap(\.self).min()
    }

    /// - Parameters:
    ///   - age: Since the connection was opened.
    ///   - idleTime: Since its last request ended; `nil` while it carries one.
    package func decision(age: Int64, idleTime: Int64?) -> Decision {
        guard let idleTime else {
            guard let lifetime else { return .keep(again: nil) }
            return age >= lifetime ? .retire : .keep(again: lifetime - age)
        }
        let rests = [idle.map { $0 - idleTime }, lifetime.map { $0 - age }].compactMap(\.self)
        guard let rest = rests.min() else { return .keep(again: nil) }
        return rest <= 0 ? .close : .keep(again: rest)
    }

    /// A century is as good as a duration that overflows.
    private static func nanoseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        return min(max(seconds, 0), 1 << 31) * 1_000_000_000 + max(attoseconds, 0) / 1_000_000_000
    }
}

/// How long a shared connection must have been silent to be given up when one of its requests ends without an answer. In
/// milliseconds.
///
/// A connection that is alive but slow is given up too if nothing arrives for so long: that costs a handshake, while a dead one
/// that is kept costs every request.
package struct SilenceRule: Equatable, Sendable {
    /// If no other request is on it. What nobody else uses is given up sooner.
    package var alone: Int64
    /// If there are others, which end with it; `nil` means never.
    package var shared: Int64?

    /// How a request ended.
    package enum Ending: Sendable {
        /// Nothing arrived within its inactivity limit.
        case inactivity(limit: Int64)
        /// Its total limit was over, after it had waited for so long.
        case total(waited: Int64)
        /// Its caller gave up, after it had waited for so long.
        case cancelled(waited: Int64)
    }

    package init(_ ending: Ending) {
        switch ending {
        case .inactivity(let limit):
            (alone, shared) = (limit / 2, limit - Self.tolerance)
        case .total(let waited):
            // Short limits need several requests until the silence is long enough.
            (alone, shared) = (max(1_000, waited - Self.tolerance), max(10_000, waited - Self.tolerance))
        case .cancelled(let waited):
            (alone, shared) = (max(2_000, waited - Self.tolerance), nil)
        }
    }

    /// Whether a connection is given up.
    ///
    /// - Parameter silence: Negative if it is unknown.
    package func givesUp(after silence: Int64, others: Int) -> Bool {
        if silence < 0 { return false }
        if others == 0 { return silence >= alone }
        return shared.map { silence >= $0 } ?? false
    }

    /// What two clocks may differ by.
    private static let tolerance: Int64 = 20
}

/// Makes libcurl look through its kept connections.
///
/// libcurl closes dead connections, and answers HTTP/2 frames on idle ones, only when a transfer looks for a connection, and at
/// most once a second. This transfer looks for one and then declines to open a socket, so that it costs no traffic.
final class Pruner {
    /// Made when it is first needed.
    private var made: UnsafeMutableRawPointer?

    private var pointer: UnsafeMutableRawPointer? {
        if made == nil { made = Self.makePointer() }
        return made
    }

    private static func makePointer() -> UnsafeMutableRawPointer? {
        CurlLibrary.prepare()
        guard let pointer = curl_easy_init() else { return nil }
        godwit_set_long(pointer, CURLOPT_NOSIGNAL, 1)
        godwit_set_string(pointer, CURLOPT_URL, "http://127.0.0.1:1/")
        godwit_set_string(pointer, CURLOPT_PROXY, "")
        godwit_set_string(pointer, CURLOPT_NOPROXY, "")
        godwit_set_long(pointer, CURLOPT_FRESH_CONNECT, 1)
        // Ages are our business.
        godwit_set_long(pointer, CURLOPT_MAXAGE_CONN, 1 << 30)
        godwit_set_open_function(pointer) { _, _, _ in CURL_SOCKET_BAD }
        return pointer
    }

    func free() {
        if let made { curl_easy_cleanup(made) }
        made = nil
    }

    /// Looks through the connections of a multi handle. Never called from within libcurl.
    func run(on multi: MultiHandle) {
        guard let pointer, multi.add(pointer) else { return }
        multi.actOnTimers()
        multi.remove(pointer)
    }

    /// Closes the connection that has been idle for longest, if there is one, without waiting for the next look.
    ///
    /// - Parameter limit: The engine's own limit of connections.
    func closeOldest(of multi: MultiHandle, limit: Int?) {
        guard let pointer, multi.add(pointer) else { return }
        // libcurl makes room for a new connection by closing an idle one.
        multi.limitConnections(to: 1)
        multi.actOnTimers()
        multi.limitConnections(to: limit)
        // Wakes what the limit held up meanwhile.
        multi.remove(pointer)
    }
}
