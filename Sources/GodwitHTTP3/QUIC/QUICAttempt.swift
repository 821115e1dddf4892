#if os(Linux)
import GodwitCore
import Synchronization

/// How one request may be sent over QUIC. Only one of QUIC and TCP can take it, so it is never sent twice.
final class QUICAttempt: Sendable {
    /// The UDP port; `nil` for the URL's, and if TCP isn't an option.
    let port: UInt16?
    /// Whether a connection may be made for it.
    let mayConnect: Bool
    /// Whether it uses no open connection, and finds out whether QUIC connects.
    let isProbe: Bool
    private let owner = Mutex(Owner.none)

    private enum Owner {
        case none, quic, tcp
    }

    init(port: UInt16?, mayConnect: Bool, isProbe: Bool = false) {
        self.port = port
        self.mayConnect = mayConnect
        self.isProbe = isProbe
    }

    /// Takes the request for QUIC; `false` if TCP has it.
    func take() -> Bool { take(.quic) }

    /// Takes the request for TCP; `false` if QUIC has it.
    func takeForTCP() -> Bool { take(.tcp) }

    /// QUIC lost the request, and sending it again does no harm: whoever has a connection may take it.
    func giveBack() { owner.withLock { $0 = .none } }

    /// Whether it is sent over QUIC, or was.
    var isTaken: Bool { owner.withLock { $0 } == .quic }

    private func take(_ new: Owner) -> Bool {
        owner.withLock { owner in
            if owner == .none { owner = new }
            return owner == new
        }
    }
}

/// What is known of the origins with QUIC connections, for all threads.
final class QUICOrigins: Sendable {
    private struct Entry {
        var open = 0
        var isProbed = false
    }

    /// What a request of an origin may do.
    enum Choice {
        /// A connection is open.
        case open
        /// None is, and the request has to find out whether QUIC connects. Ends with ``endProbe(_:)``.
        case probe
        /// Another request is finding that out.
        case wait
    }

    private let entries = Mutex<[Origin: Entry]>([:])

    /// - Parameter needsNew: Whether the open connections could not take the request.
    func choose(for origin: Origin, needsNew: Bool) -> Choice {
        entries.withLock { entries in
            var entry = entries[origin] ?? Entry()
            if entry.open > 0, !needsNew { return .open }
            if entry.isProbed { return .wait }
            entry.isProbed = true
            entries[origin] = entry
            return .probe
        }
    }

    func endProbe(_ origin: Origin) { change(origin) { $0.isProbed = false } }
    func connected(_ origin: Origin) { change(origin) { $0.open += 1 } }
    func disconnected(_ origin: Origin) { change(origin) { $0.open -= 1 } }

    /// No open connection is used any more.
    func retireAll() {
        entries.withLock { entries in
            entries = entries.filter { $0.value.isProbed }.mapValues { _ in Entry(isProbed: true) }
        }
    }

    private func change(_ origin: Origin, _ body: (inout Entry) -> Void) {
        entries.withLock { entries in
            var entry = entries[origin] ?? Entry()
            body(&entry)
            entries[origin] = entry.open > 0 || entry.isProbed ? entry : nil
        }
    }
}
#endif
