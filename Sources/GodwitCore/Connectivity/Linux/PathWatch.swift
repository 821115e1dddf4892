#if os(Linux)
import GodwitLibc

/// Monitors the kernel and the system's bus on one thread, and updates a feed.
///
/// An announcement triggers a new dump of the complete state. No change is missed, as the socket for announcements
/// exists before the first dump.
final class PathWatch {
    private static let retryMilliseconds: Int32 = 1000

    private let feed: PathFeed
    private let adjust: @Sendable (inout NetworkPath) -> Void
    private let stop: StopSignal
    private let socket: NetlinkSocket
    private var bus: NetworkManagerBus?
    private var isMetered: Bool?
    private var table: NetworkTable?

    init(
        _ socket: NetlinkSocket, _ table: NetworkTable, feed: PathFeed, stop: StopSignal,
        adjust: @escaping @Sendable (inout NetworkPath) -> Void
    ) {
        self.socket = socket
        self.table = table
        self.feed = feed
        self.stop = stop
        self.adjust = adjust
    }

    /// Runs until the stop signal is raised.
    func run() {
        bus = NetworkManagerBus()
        readCost()
        publish()
        while let change = waitForChange() {
            if change.contains(.network) { table = NetlinkSocket.table() }
            readCost()
            publish()
        }
        feed.finish()
    }

    /// The path of a table.
    static func path(_ table: NetworkTable) -> NetworkPath {
        table.path { name, hardware, driver in
            InterfaceKind(name: name, hardware: hardware, driver: driver, traits: LinkTraits(ofLink: name))
        }
    }

    private struct Change: OptionSet {
        let rawValue: Int
        static let network = Change(rawValue: 1)
        static let cost = Change(rawValue: 2)
    }

    /// Waits for a change; `nil` when the thread must end.
    private func waitForChange() -> Change? {
        while true {
            let input = Int16(POLLIN)
            var waits = [
                pollfd(fd: stop.readEnd, events: input, revents: 0),
                pollfd(fd: socket.descriptor, events: input, revents: 0),
                // The system ignores a negative descriptor.
                pollfd(fd: bus?.descriptor ?? -1, events: input, revents: 0),
            ]
            // A failed dump is repeated.
            let count = poll(&waits, nfds_t(waits.count), table == nil ? Self.retryMilliseconds : -1)
            if count < 0, errno != EINTR { return nil }
            if waits[0].revents != 0 { return nil }
            var change: Change = count == 0 ? .network : []
            if waits[1].revents != 0, hasNews() { change.insert(.network) }
            if waits[2].revents != 0 { change.insert(.cost) }
            if !change.isEmpty { return change }
        }
    }

    /// Reads all announcements. Returns whether one of them concerns the path.
    private func hasNews() -> Bool {
        var found = false
        while true {
            switch socket.read(flags: Int32(MSG_DONTWAIT)) {
            case .messages(let messages): found = found || messages.contains(where: NetworkTable.concerns)
            case .overflow: found = true
            case .nothing, .failure: return found
            }
        }
    }

    /// Reads the cost again until the bus has no more messages.
    private func readCost() {
        guard let bus else { return }
        var hasMore = true
        while hasMore {
            isMetered = bus.isMetered()
            hasMore = false
            var progress = bus.processMessage()
            while progress == .something {
                hasMore = true
                progress = bus.processMessage()
            }
            if progress == .disconnected {
                self.bus = nil
                isMetered = nil
                return
            }
        }
    }

    private func publish() {
        guard let table else { return }
        var path = Self.path(table)
        if let isMetered, path.status == .satisfied { path.isExpensive = isMetered || path.isCellular }
        adjust(&path)
        feed.update(path)
    }
}
#endif
