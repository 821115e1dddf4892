#if os(Linux)
import CLibcurl
import CLinux
import GodwitLibc

/// Watches libcurl's sockets with epoll, as libcurl wants them watched: it may leave packets unread, so events are
/// level-triggered. Used on the loop's thread.
final class QUICPoller {
    private let epoll: Int32
    private let signal: Int32
    private var owners: [Int32: QUICMulti] = [:]

    /// `nil` if the system has no descriptor left.
    ///
    /// - Parameter signal: An eventfd that ends a wait.
    init?(_ signal: Int32) {
        self.signal = signal
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0, control(EPOLL_CTL_ADD, signal, EPOLLIN.rawValue) else { return nil }
    }

    deinit {
        if epoll >= 0 { close(epoll) }
    }

    /// - Parameter what: libcurl's `CURL_POLL_…`.
    func watch(_ descriptor: Int32, for what: Int32, _ owner: QUICMulti) {
        if what == CURL_POLL_REMOVE {
            // It may speak of a socket that it closed, whose number is another's now.
            if owners[descriptor] === owner { forget(descriptor) }
            return
        }
        let events =
            (what & CURL_POLL_IN != 0 ? EPOLLIN.rawValue : 0) | (what & CURL_POLL_OUT != 0 ? EPOLLOUT.rawValue : 0)
        let isKnown = owners.updateValue(owner, forKey: descriptor) != nil
        _ = control(isKnown ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, descriptor, events)
    }

    func forget(_ descriptor: Int32) {
        if owners.removeValue(forKey: descriptor) != nil { _ = control(EPOLL_CTL_DEL, descriptor, 0) }
    }

    private func control(_ operation: Int32, _ descriptor: Int32, _ events: UInt32) -> Bool {
        var event = epoll_event()
        event.events = events
        event.data.fd = descriptor
        return epoll_ctl(epoll, operation, descriptor, &event) == 0
    }

    /// Waits for events, and passes them on.
    ///
    /// - Parameters:
    ///   - milliseconds: The longest wait; -1 for no limit.
    ///   - woke: Called after the wait.
    func wait(milliseconds: Int32, woke: () -> Void) {
        withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: 64) { events in
            // glibc 2.41 wants an address that isn't optional.
            guard let first = events.baseAddress else { return }
            let count = epoll_wait(epoll, first, Int32(events.count), milliseconds)
            woke()
            for event in events.prefix(Int(max(0, count))) {
                if event.data.fd == signal {
                    var rings: eventfd_t = 0
                    eventfd_read(signal, &rings)
                    continue
                }
                // One before may have closed it.
                owners[event.data.fd]?.act(on: event.data.fd, Self.selection(event.events))
            }
        }
    }

    private static func selection(_ events: UInt32) -> Int32 {
        (events & EPOLLIN.rawValue != 0 ? CURL_CSELECT_IN : 0)
            | (events & EPOLLOUT.rawValue != 0 ? CURL_CSELECT_OUT : 0)
            | (events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 ? CURL_CSELECT_ERR : 0)
    }
}
#endif
