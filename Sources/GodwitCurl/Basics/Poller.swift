#if os(Linux)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif
import CGodwitCurl
import GodwitSockets

/// Registers descriptors with epoll, as rarely as possible (decision 004). Used by the thread that has the turn.
///
/// libcurl stops watching a connection when an exchange ends and watches it again when the next one starts. Telling the kernel
/// each time costs two system calls per request. So an unwatched connection stays registered until an event arrives for it,
/// and only differences are passed on, once per turn.
final class Poller {
    struct Watch {
        /// The events libcurl waits for; 0 for none.
        var wanted: UInt32 = 0
        /// The events that are registered; 0 if the descriptor isn't registered.
        var registered: UInt32 = 0
        /// The multi handle that waits for them.
        var generation: UInt32 = 0
        /// Whether libcurl reports when this descriptor is closed, so that it may stay registered unwatched.
        var isConnection = false
        var isDirty = false
        var connection = Connection()
    }

    enum Operation: Int32 {
        case add, change, remove
    }

    private let epoll: Int32
    /// The time of the loop's turn.
    let clock: UnsafeMutablePointer<LoopTime>
    /// Called before a socket is closed.
    var onClose: ((_ descriptor: Int32) -> Void)?
    /// The socket that libcurl closes and that stays open, as it is ours from then on; -1 for none.
    var kept: Int32 = -1
    /// When kept connections have to be checked; nil if none is idle.
    var nextSweep: LoopTime?
    /// Nanoseconds between the first connection's becoming idle and the first check; nil for never.
    var sweepDelay: Int64?
    /// How many descriptors were closed.
    private(set) var closedCount = 0
    /// The descriptors whose number the winner of a race took.
    private(set) var raced: Set<Int32> = []
    /// How many connections are shut down and not closed yet.
    var endedCount = 0
    /// The connection that a caller with the turn reads by itself, and when the kernel has to watch it again: meanwhile it would
    /// wake the loop.
    private var loan: (descriptor: Int32, end: LoopTime)?
    /// By descriptor.
    @exclusivity(unchecked) var watches: [Watch] = []
    @exclusivity(unchecked) private var dirty: [Int32] = []
    private let events: UnsafeMutableBufferPointer<godwit_event>

    init(epoll: Int32) {
        self.epoll = epoll
        clock = .allocate(capacity: 1)
        clock.initialize(to: .current())
        events = .allocate(capacity: 128)
    }

    deinit {
        clock.deallocate()
        events.deallocate()
    }

    /// The events of epoll for what libcurl waits for.
    static func events(for what: Int32) -> UInt32 {
        switch what {
        case CURL_POLL_IN: godwit_epoll_in
        case CURL_POLL_OUT: godwit_epoll_out
        case CURL_POLL_INOUT: godwit_epoll_in | godwit_epoll_out
        default: 0
        }
    }

    /// A new connection got this descriptor.
    ///
    /// - Parameter isPooled: Whether libcurl may keep it for later exchanges.
    func opened(_ descriptor: Int32, isPooled: Bool) {
        reserve(descriptor)
        watches[descriptor] = Watch(
            isConnection: true, connection: Connection(isPooled: isPooled, opened: clock.pointee))
    }

    /// Another socket got this descriptor's number. The kernel doesn't watch it yet.
    func replaced(_ descriptor: Int32) {
        reserve(descriptor)
        watches[descriptor].registered = 0
        raced.insert(descriptor)
        let known = watches[descriptor]
        watch(descriptor, for: known.wanted, generation: known.generation)
    }

    /// A socket is about to be closed.
    func willClose(_ descriptor: Int32) {
        onClose?(descriptor)
        closed(descriptor)
    }

    /// The connection is being closed; the kernel forgets it by itself.
    func closed(_ descriptor: Int32) {
        if !raced.isEmpty { raced.remove(descriptor) }
        if descriptor == loan?.descriptor { loan = nil }
        reserve(descriptor)
        closedCount += 1
        if watches[descriptor].connection.hasEnded { endedCount -= 1 }
        watches[descriptor] = Watch()
    }

    /// The connection with this local port, if there is one. Asks the kernel about each connection.
    func connection(from port: Int32) -> Int32? {
        watches.indices.first { watches[$0].isConnection && godwit_local_port(Int32($0)) == port }.map { Int32($0) }
    }

    /// Watches a descriptor for events; 0 stops watching.
    ///
    /// - Parameter generation: The multi handle that waits.
    func watch(_ descriptor: Int32, for events: UInt32, generation: UInt32 = 0) {
        reserve(descriptor)
        let index = Int(descriptor)
        watches[index].wanted = events
        watches[index].generation = generation
        if events == 0 {
            if watches[index].isConnection {
                becameIdle(index)
            } else {
                // Such as a resolver's pipe, whose number may be reused before the turn ends.
                remove(descriptor)
            }
        } else if !watches[index].isDirty {
            watches[index].isDirty = true
            dirty.append(descriptor)
        }
    }

    /// Waits for events. Returns the number of ready descriptors. Another thread may have the turn meanwhile.
    func wait(milliseconds: Int32) -> Int {
        Int(godwit_epoll_wait(epoll, events.baseAddress, Int32(events.count), milliseconds))
    }

    private func becameIdle(_ index: Int) {
        watches[index].connection.idleSince = clock.pointee
        if nextSweep == nil, let sweepDelay, watches[index].connection.isPooled {
            nextSweep = clock.pointee + sweepDelay
        }
    }

    /// Reports the ready descriptors, until `report` returns false.
    ///
    /// - Parameter reportUnwatched: Called for a connection that no exchange waits for.
    func reportReady(
        _ count: Int, _ report: (_ descriptor: Int32, _ events: UInt32) -> Bool,
        _ reportUnwatched: (_ descriptor: Int32, _ events: UInt32) -> Void
    ) {
        for index in 0..<count {
            let event = events[index]
            if isStray(event.descriptor) {
                reportUnwatched(event.descriptor, event.events)
            } else if !report(event.descriptor, event.events) {
                return
            }
        }
    }

    /// Whether an event is for an unwatched connection, such as one that the server closed while it was idle.
    private func isStray(_ descriptor: Int32) -> Bool {
        watches.indices.contains(Int(descriptor)) && watches[descriptor].registered != 0
            && watches[descriptor].wanted == 0
    }

    /// Takes the one connection that libcurl has begun to wait for in this turn from the kernel, for a short time; nil if the
    /// kernel watches more than that.
    func borrow() -> Int32? {
        guard dirty.count == 1, let descriptor = dirty.first else { return nil }
        let watch = watches[descriptor]
        guard watch.isConnection, watch.wanted == godwit_epoll_in else { return nil }
        if descriptor == loan?.descriptor, watch.registered == 0 { return descriptor }
        guard watch.registered == godwit_epoll_in else { return nil }
        giveBack()
        remove(descriptor)
        loan = (descriptor, clock.pointee + Self.loanTime)
        return descriptor
    }

    /// Nanoseconds that the kernel may miss the end of an idle connection: a call of the kernel for each loan would cost more
    /// than it saves.
    private static let loanTime: Int64 = 50_000_000

    /// When the kernel has to watch the borrowed connection again; nil if there is none.
    var returnTime: LoopTime? { loan?.end }

    /// Has the kernel watch the borrowed connection again once it is time.
    func takeBack(at now: LoopTime) {
        if let returnTime, returnTime <= now { giveBack() }
    }

    private func giveBack() {
        guard let descriptor = loan?.descriptor else { return }
        loan = nil
        // A connection in use is registered with what it waits for, at the end of the turn.
        guard isIdle(descriptor), let connection = self[descriptor], !connection.hasEnded else { return }
        if watches[descriptor].registered == 0 { awaitBytes(descriptor) }
    }

    /// Tells the kernel which events libcurl waits for now.
    func tellKernel() {
        for descriptor in dirty {
            let index = Int(descriptor)
            watches[index].isDirty = false
            let wanted = watches[index].wanted
            let registered = watches[index].registered
            guard wanted != 0, wanted != registered else { continue }
            control(registered == 0 ? .add : .change, descriptor, wanted)
            watches[index].registered = wanted
        }
        dirty.removeAll(keepingCapacity: true)
    }

    /// Unregisters a descriptor until it is watched again.
    func remove(_ descriptor: Int32) {
        guard watches[descriptor].registered != 0 else { return }
        control(.remove, descriptor, 0)
        watches[descriptor].registered = 0
    }

    func control(_ operation: Operation, _ descriptor: Int32, _ events: UInt32) {
        let error = godwit_epoll_control(epoll, operation.rawValue, descriptor, events)
        switch (operation, error) {
        case (.add, EEXIST): _ = godwit_epoll_control(epoll, Operation.change.rawValue, descriptor, events)
        case (.change, ENOENT): _ = godwit_epoll_control(epoll, Operation.add.rawValue, descriptor, events)
        default: break
        }
    }

    private func reserve(_ descriptor: Int32) {
        let missing = Int(descriptor) + 1 - watches.count
        if missing > 0 { watches.append(contentsOf: repeatElement(Watch(), count: missing)) }
    }
}

extension [Poller.Watch] {
    /// The watch of this descriptor. Converts it in one place, as each conversion takes the compiler 8 ms in a debug build.
    subscript(descriptor: Int32) -> Poller.Watch {
        get { self[Int(descriptor)] }
        _modify { yield &self[Int(descriptor)] }
    }
}
#endif
