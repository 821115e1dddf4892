#if os(Linux)
import CGodwitCurl
import GodwitSockets

/// The connections of an engine that leave HTTP or have left it. Used on the engine's thread.
final class Upgrades {
    let poller: Poller
    private var byID: [Int: UpgradedConnection] = [:]
    /// Those that have not switched protocols yet.
    private var byExchange: [ObjectIdentifier: UpgradedConnection] = [:]
    /// Which connection gets a descriptor's events.
    private var byDescriptor: [Int32: UpgradedConnection] = [:]
    private var connecting: [UpgradedConnection] = []
    private var unread: [UpgradedConnection] = []
    private var lastID = 0
    /// The earliest timer that libcurl has set, also by connections that are gone.
    private var earliestTimer: LoopTime?
    /// Received bytes on their way to their receiver, one connection at a time.
    let readBuffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)

    init(_ poller: Poller) {
        self.poller = poller
    }

    deinit {
        readBuffer.deallocate()
    }

    var isEmpty: Bool { byID.isEmpty }

    /// When libcurl has to be called for the first connection that is being made. `nil` without one: a timer of a connection
    /// that is gone would wake the loop again and again, as nothing serves it.
    var connectDeadline: LoopTime? { connecting.isEmpty ? nil : earliestTimer }

    /// Whether some have more to read immediately.
    var hasUnread: Bool { !unread.isEmpty }

    var all: [UpgradedConnection] { Array(byID.values) }

    subscript(id: Int) -> UpgradedConnection? { byID[id] }

    func owner(of descriptor: Int32) -> UpgradedConnection? {
        byDescriptor.isEmpty ? nil : byDescriptor[descriptor]
    }

    /// Makes the connection of an exchange, which has to connect.
    func add(_ exchange: Exchange, on handle: EasyHandle) -> UpgradedConnection {
        lastID += 1
        let connection = UpgradedConnection(lastID, exchange, on: handle, in: self)
        byID[lastID] = connection
        byExchange[ObjectIdentifier(exchange)] = connection
        connecting.append(connection)
        return connection
    }

    /// The connection that an exchange has not switched yet; the exchange gives it up.
    func take(_ exchange: Exchange) -> UpgradedConnection? {
        byExchange.isEmpty ? nil : byExchange.removeValue(forKey: ObjectIdentifier(exchange))
    }

    func connected(_ connection: UpgradedConnection) {
        connecting.removeAll { $0 === connection }
    }

    /// Closes a connection and frees everything of it.
    func close(_ connection: UpgradedConnection) {
        byID[connection.id] = nil
        connecting.removeAll { $0 === connection }
        unread.removeAll { $0 === connection }
        connection.free()
    }

    func watch(_ descriptor: Int32, for events: UInt32, of connection: UpgradedConnection) {
        byDescriptor[descriptor] = events == 0 ? nil : connection
        poller.watch(descriptor, for: events)
    }

    func noteConnectTimer(_ deadline: LoopTime?) {
        earliestTimer = .earlier(earliestTimer, deadline)
    }

    func noteUnread(_ connection: UpgradedConnection) {
        unread.append(connection)
    }

    func takeUnread() -> [UpgradedConnection] {
        defer { unread = [] }
        return unread
    }

    /// The connections whose timer is due.
    func takeDue(at now: LoopTime) -> [UpgradedConnection] {
        guard let due = connectDeadline, due <= now else { return [] }
        earliestTimer = nil
        var ready: [UpgradedConnection] = []
        for connection in connecting {
            guard let deadline = connection.connectDeadline else { continue }
            if deadline <= now { ready.append(connection) } else { noteConnectTimer(deadline) }
        }
        return ready
    }
}
#endif
