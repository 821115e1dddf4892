#if os(Linux)
import CLinux
import GodwitLibc

/// What has a descriptor that the poller watches.
protocol PollTarget: AnyObject {
    /// Events of the descriptor came: bits of epoll. They are hints.
    func ready(_ events: UInt32)
}

/// Watches descriptors with epoll. Used in the loop's turn.
///
/// Each is registered once, edge-triggered: an exchange on a kept connection costs no call of epoll. So the owner of a descriptor
/// remembers that it is readable until a read finds nothing.
final class Poller {
    static let readable = EPOLLIN.rawValue
    static let writable = EPOLLOUT.rawValue
    /// The peer closed its side, or the connection failed.
    static let closed = EPOLLRDHUP.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue

    /// What is watched, and the same without ``writable``.
    static let all = unwritable | writable
    static let unwritable = readable | EPOLLRDHUP.rawValue

    private struct Watch {
        let target: any PollTarget
        let serial: UInt32
    }

    private let epoll: Int32
    /// By descriptor.
    private var watches: [Watch?] = []
    private var lastSerial: UInt32 = 0

    /// `nil` if the system has no descriptor left.
    init?() {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        if epoll < 0 { return nil }
    }

    deinit {
        if epoll >= 0 { close(epoll) }
    }

    /// Watches a descriptor until it is closed; `false` if the system can't.
    func add(_ descriptor: Int32, _ target: any PollTarget) -> Bool {
        let serial = lastSerial &+ 1
        guard control(EPOLL_CTL_ADD, descriptor, serial, isPaused: false) else { return false }
        lastSerial = serial
        let missing = Int(descriptor) + 1 - watches.count
        if missing > 0 { watches.append(contentsOf: repeatElement(nil, count: missing)) }
        watches[Int(descriptor)] = Watch(target: target, serial: serial)
        return true
    }

    /// Reports nothing but failures of a descriptor, until it is resumed. What is there then is reported.
    func pause(_ descriptor: Int32) { change(descriptor, isPaused: true) }

    func resume(_ descriptor: Int32) { change(descriptor, isPaused: false) }

    private func change(_ descriptor: Int32, isPaused: Bool) {
        guard let watch = watches[Int(descriptor)] else { return }
        _ = control(EPOLL_CTL_MOD, descriptor, watch.serial, isPaused: isPaused)
    }

    private func control(_ operation: Int32, _ descriptor: Int32, _ serial: UInt32, isPaused: Bool) -> Bool {
        var event = epoll_event()
        event.events = godwit_epoll_edge
        if !isPaused { event.events |= Self.all }
        event.data.u64 = UInt64(serial) << 32 | UInt64(UInt32(bitPattern: descriptor))
        return epoll_ctl(epoll, operation, descriptor, &event) == 0
    }

    /// The descriptor is about to be closed, which ends the kernel's watch.
    func remove(_ descriptor: Int32) {
        guard watches.indices.contains(Int(descriptor)) else { return }
        watches[Int(descriptor)] = nil
    }

    /// Waits for what happens to the descriptors; ``report(_:)`` tells their owners.
    func makeWait() -> PollWait { PollWait(epoll) }

    /// Reports what a wait found. A descriptor that was closed since may have its number again; it gets none of the former's events.
    func report(_ wait: PollWait) {
        for event in wait.found {
            let descriptor = Int(event.data.u64 & 0xFFFF_FFFF)
            guard watches.indices.contains(descriptor), let watch = watches[descriptor],
                watch.serial == UInt32(event.data.u64 >> 32)
            else { continue }
            watch.target.ready(event.events)
        }
    }
}

/// The wait for events of a poller, which needs no turn. Used on the loop's thread.
final class PollWait {
    private let epoll: Int32
    private static let capacity: Int32 = 256
    // Not a buffer, whose address is optional: glibc 2.41 wants one.
    private let events = UnsafeMutablePointer<epoll_event>.allocate(capacity: Int(PollWait.capacity))
    private var count = 0

    init(_ epoll: Int32) { self.epoll = epoll }

    deinit { events.deallocate() }

    /// What the last wait found. The rest is found first by the next.
    var found: UnsafeMutableBufferPointer<epoll_event> { UnsafeMutableBufferPointer(start: events, count: count) }

    /// Waits for events.
    ///
    /// - Parameter milliseconds: The longest wait; -1 for no limit.
    func wait(milliseconds: Int32) {
        count = max(0, Int(epoll_wait(epoll, events, Self.capacity, milliseconds)))
    }
}
#endif
