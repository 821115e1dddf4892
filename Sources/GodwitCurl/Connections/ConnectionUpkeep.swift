#if os(Linux)
import CGodwitCurl
package import GodwitCore
import GodwitSockets

/// When an engine has to maintain its kept connections.
struct ConnectionUpkeep {
    let rules: ConnectionRules
    /// Called once, when the first connection is kept: from then on the network path matters.
    var onFirstKept: (@Sendable () -> Void)?
    /// When libcurl has to prune its connections; nil for never.
    private(set) var pruneDue: LoopTime?
    private var lastPrune: LoopTime?
    /// Idle connections with bytes that libcurl has to read.
    private var unread: [Int32] = []

    /// libcurl prunes at most once a second.
    private static let pruneInterval: Int64 = 1_050_000_000

    init(_ policy: ConnectionPolicy, _ onFirstKept: (@Sendable () -> Void)?) {
        rules = ConnectionRules(policy)
        self.onFirstKept = onFirstKept
    }

    /// Nanoseconds between the first connection's becoming idle and the first sweep; nil for never.
    var firstDelay: Int64? {
        guard onFirstKept != nil else { return rules.delay }
        return min(rules.delay ?? .max, 1_000_000_000)
    }

    /// libcurl has to prune as soon as it can.
    mutating func requestPrune(at now: LoopTime) {
        let due = lastPrune.map { max(now, $0 + Self.pruneInterval) } ?? now
        pruneDue = .earlier(pruneDue, due)
    }

    /// libcurl prunes now.
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

/// Decides whether a connection is kept, from its age and idle time. All durations are in nanoseconds.
package struct ConnectionRules: Sendable {
    /// How long a connection may be idle, and how old it may get. `nil` means no limit.
    package var idle: Int64?
    package var lifetime: Int64?

    package enum Decision: Equatable, Sendable {
        /// Stays, and has to be checked again after this long; `nil` means no limit applies.
        case keep(again: Int64?)
        /// Close it now.
        case close
        /// Send no further request on it, and close it when its last one ends.
        case retire
    }

    package init(_ policy: ConnectionPolicy) {
        idle = policy.idleTimeout.map(Self.nanoseconds)
        lifetime = policy.maximumLifetime.map(Self.nanoseconds)
    }

    /// How long after a connection became idle the first check is due; `nil` means never.
    package var delay: Int64? {
        [idle, lifetime].compactMap(\.self).min()
    }

    /// - Parameters:
    ///   - age: Time since the connection was opened.
    ///   - idleTime: Time since its last request ended; `nil` while it carries one.
    package func decision(age: Int64, idleTime: Int64?) -> Decision {
        guard let idleTime else {
            guard let lifetime else { return .keep(again: nil) }
            return age >= lifetime ? .retire : .keep(again: lifetime - age)
        }
        let rests = [idle.map { $0 - idleTime }, lifetime.map { $0 - age }].compactMap(\.self)
        guard let rest = rests.min() else { return .keep(again: nil) }
        return rest <= 0 ? .close : .keep(again: rest)
    }

    /// Bounded, so that no duration overflows.
    private static func nanoseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        return min(max(seconds, 0), 1 << 31) * 1_000_000_000 + max(attoseconds, 0) / 1_000_000_000
    }
}

/// Makes libcurl prune its kept connections.
///
/// libcurl closes dead connections, and answers HTTP/2 frames on idle ones, only when a transfer needs a connection, and at
/// most once a second. This transfer needs one and then declines to open a socket, so that it causes no traffic.
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
        // The engine limits ages itself.
        godwit_set_long(pointer, CURLOPT_MAXAGE_CONN, 1 << 30)
        godwit_set_open_function(pointer) { _, _, _ in CURL_SOCKET_BAD }
        return pointer
    }

    func free() {
        if let made { curl_easy_cleanup(made) }
        made = nil
    }

    /// Prunes the connections of a multi handle. Never called from within libcurl.
    func run(on multi: MultiHandle) {
        guard let pointer, multi.add(pointer) else { return }
        multi.actOnTimers()
        multi.remove(pointer)
    }

    /// Closes the connection that has been idle for longest, if there is one, without waiting for the next pruning.
    ///
    /// - Parameter limit: The engine's limit of connections.
    func closeOldest(of multi: MultiHandle, limit: Int?) {
        guard let pointer, multi.add(pointer) else { return }
        // libcurl makes room for a new connection by closing an idle one.
        multi.limitConnections(to: 1)
        multi.actOnTimers()
        multi.limitConnections(to: limit)
        // Wakes the transfers that the limit held up.
        multi.remove(pointer)
    }
}
#endif
