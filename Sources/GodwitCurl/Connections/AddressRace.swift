#if os(Linux)
package import GodwitSockets

/// Decides when to try further addresses of a host while the first ones are silent (RFC 8305 section 5).
///
/// libcurl tries one address of a family at a time, and gives each half of the remaining connect limit. So the race tries the
/// other addresses itself, and gives libcurl the socket that connects first. An address that refuses costs nothing, and a
/// silent one costs ``attemptDelay``.
package struct AddressRace {
    package enum Step: Equatable {
        /// Look up the host's other addresses.
        case lookUp
        case connect(SocketAddress)
    }

    /// Nanoseconds between two attempts. Slightly more than libcurl's delay for the other family, which then comes first.
    package static let attemptDelay: Int64 = 210_000_000
    /// Nanoseconds after which the other addresses are looked up, to be known in time.
    package static let lookUpDelay: Int64 = 100_000_000
    /// The most addresses of a host that are tried.
    package static let mostAddresses = 8

    private enum Knowledge {
        case none, asked, known
    }

    private let start: LoopTime
    private var tried: [SocketAddress]
    private var untried: [SocketAddress] = []
    private var nextAttempt: LoopTime
    private var knowledge = Knowledge.none
    private var isOver = false

    /// libcurl opened the first socket.
    package init(_ first: SocketAddress, at now: LoopTime) {
        start = now
        tried = [first]
        nextAttempt = now + Self.attemptDelay
    }

    /// The address that libcurl tried first.
    package var first: SocketAddress { tried[0] }

    /// When to call ``step(at:)`` next; nil if an event has to come first.
    package var next: LoopTime? {
        if isOver { return nil }
        return switch knowledge {
        case .none: start + Self.lookUpDelay
        case .asked: nil
        case .known: untried.isEmpty ? nil : nextAttempt
        }
    }

    /// libcurl tries another address by itself.
    package mutating func opened(_ address: SocketAddress) {
        tried.append(address)
        untried.removeAll { $0 == address }
    }

    /// The host has these addresses, the preferred ones first.
    package mutating func found(_ addresses: [SocketAddress]) {
        knowledge = .known
        for address in addresses where address.port == first.port {
            guard tried.count + untried.count < Self.mostAddresses else { return }
            if !tried.contains(address) && !untried.contains(address) { untried.append(address) }
        }
    }

    /// The step that is due now, if there is one.
    package mutating func step(at now: LoopTime) -> Step? {
        guard let next, next <= now else { return nil }
        if knowledge == .none {
            knowledge = .asked
            return .lookUp
        }
        let address = takeUntried()
        tried.append(address)
        nextAttempt = now + Self.attemptDelay
        return .connect(address)
    }

    /// An attempt of the race failed: the next one need not wait.
    package mutating func failed(at now: LoopTime) {
        nextAttempt = now
    }

    /// A connection was made, or is not needed any more.
    package mutating func end() {
        isOver = true
    }

    /// Families take turns, as a whole family may be dead.
    private mutating func takeUntried() -> SocketAddress {
        let last = tried[tried.count - 1]
        return untried.remove(at: untried.firstIndex { $0.isIPv6 != last.isIPv6 } ?? 0)
    }
}
#endif
