#if os(Linux)
import GodwitCore
import GodwitLibc
import GodwitSupport
import Synchronization

/// A name and a port that connections are made to.
package struct HostAndPort: Hashable, Sendable {
    package let host: String
    package let port: Int

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// The host without the brackets and the zone of an IPv6 address.
    var bareHost: String {
        guard host.utf8.first == UInt8(ascii: "["), host.utf8.last == UInt8(ascii: "]") else { return host }
        let address = host.dropFirst().dropLast()
        return String(address.firstRange(of: "%25").map { address[..<$0.lowerBound] } ?? address)
    }

    /// The interface that the host names: the zone of an IPv6 address (RFC 9844).
    var zone: String? {
        guard host.utf8.last == UInt8(ascii: "]"), let mark = host.firstRange(of: "%25") else { return nil }
        return String(host[mark.upperBound...].dropLast())
    }

    /// The addresses of `localhost` and the names below it, which are this machine's whatever DNS says (RFC 6761 section 6.3):
    /// credentials go to them over plain HTTP. `nil` for other names.
    var localAddresses: [SocketAddress]? {
        guard host == "localhost" || host.hasSuffix(".localhost") else { return nil }
        return ["::1", "127.0.0.1"].compactMap { SocketAddress($0, port: port) }
    }
}

/// Looks up all addresses of a host, on up to four threads.
///
/// The system's resolver may hang for long, so the number of threads that wait for it is bounded.
package enum AddressLookup {
    private typealias Listener = @Sendable ([SocketAddress]) -> Void

    private struct State {
        var listeners: [HostAndPort: [Listener]] = [:]
        var queue: [HostAndPort] = []
        var threads = 0
    }

    private static let state = Mutex(State())
    private static let mostThreads = 4
    private static let mostQueued = 256

    /// Calls back on another thread; with an empty array if the name has no addresses, or too many names wait.
    package static func find(_ name: HostAndPort, _ listener: @escaping @Sendable ([SocketAddress]) -> Void) {
        let (isAccepted, needsThread) = state.withLock { state -> (Bool, Bool) in
            guard state.listeners[name] == nil else {
                state.listeners[name]?.append(listener)
                return (true, false)
            }
            guard state.queue.count < mostQueued else { return (false, false) }
            state.listeners[name] = [listener]
            state.queue.append(name)
            guard state.threads < mostThreads else { return (true, false) }
            state.threads += 1
            return (true, true)
        }
        if !isAccepted { return listener([]) }
        guard needsThread else { return }
        if let thread = SystemThread(work) { return thread.detach() }
        let listeners = state.withLock { state in
            state.threads -= 1
            state.queue.removeAll { $0 == name }
            return state.listeners.removeValue(forKey: name) ?? []
        }
        for listener in listeners { listener([]) }
    }

    private static func work() {
        while let name = nextName() {
            let addresses = addresses(of: name)
            let listeners = state.withLock { $0.listeners.removeValue(forKey: name) } ?? []
            for listener in listeners { listener(addresses) }
        }
    }

    private static func nextName() -> HostAndPort? {
        state.withLock { state in
            if !state.queue.isEmpty { return state.queue.removeFirst() }
            state.threads -= 1
            return nil
        }
    }

    private static func addresses(of name: HostAndPort) -> [SocketAddress] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(name.host, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        return sequence(first: list) { $0?.pointee.ai_next }.prefix { $0 != nil }.compactMap { entry in
            entry?.pointee.ai_addr.flatMap { SocketAddress($0, port: UInt16(clamping: name.port)) }
        }
    }
}
#endif
