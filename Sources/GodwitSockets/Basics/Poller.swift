#if os(Linux)
import CLinux
#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// What has a descriptor that the poller watches.
protocol PollTarget: AnyObject {
    /// Events of the descriptor came: bits of epoll. They are hints; one may be of a descriptor that was closed before.
    func ready(_ events: UInt32)
}

/// Watches descriptors with epoll. Used on the loop's thread.
///
/// Each is registered once, edge-triggered, and never changed: an exchange on a kept connection costs no call of epoll. So the
/// owner of a descriptor remembers that it is readable until a read finds nothing.
final class Poller {
    static let readable = EPOLLIN.rawValue
    static let writable = EPOLLOUT.rawValue
    /// The peer closed its side, or the connection failed.
    static let closed = EPOLLRDHUP.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue

    private let epoll: Int32
    private let events: UnsafeMutableBufferPointer<epoll_event>
    /// By descriptor.
    private var targets: [(any PollTarget)?] = []

    /// `nil` if the system has no descriptor left.
    init?() {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        events = .allocate(capacity: 256)
        if epoll < 0 { return nil }
    }

    deinit {
        if epoll >= 0 { close(epoll) }
        events.deallocate()
    }

    /// Watches a descriptor until it is closed; `false` if the system can't.
    func add(_ descriptor: Int32, _ target: any PollTarget) -> Bool {
        var event = epoll_event()
        event.events = Self.readable | Self.writable | EPOLLRDHUP.rawValue | godwit_epoll_edge
        event.data.fd = descriptor
        guard epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0 else { return false }
        let missing = Int(descriptor) + 1 - targets.count
        if missing > 0 { targets.append(contentsOf: repeatElement(nil, count: missing)) }
        targets[Int(descriptor)] = target
        return true
    }

    /// The descriptor is about to be closed, which ends the kernel's watch.
    func remove(_ descriptor: Int32) {
        guard targets.indices.contains(Int(descriptor)) else { return }
        targets[Int(descriptor)] = nil
    }

    /// Waits for events, and reports them until there is no time left; the rest is reported first the next time.
    ///
    /// - Parameters:
    ///   - milliseconds: The longest wait; -1 for no limit.
    ///   - woke: Called after the wait.
    func wait(milliseconds: Int32, woke: () -> Void) {
        let count = epoll_wait(epoll, events.baseAddress, Int32(events.count), milliseconds)
        woke()
        guard count > 0 else { return }
        for index in 0..<Int(count) {
            let event = events[index]
            let descriptor = Int(event.data.fd)
            guard targets.indices.contains(descriptor), let target = targets[descriptor] else { continue }
            target.ready(event.events)
        }
    }
}
#endif
