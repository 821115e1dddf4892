#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif
import Synchronization

extension Descriptor {
    /// How late a waiting thread notices that its task was canceled.
    private static let slice = Duration.milliseconds(50)

    /// Waits for events of `poll`, on another thread, until one comes or the task is canceled.
    public static func wait(_ descriptor: Int32, for events: Int32) async {
        let cancellation = Cancellation()
        await withTaskCancellationHandler {
            await BlockingWork.run {
                wait(descriptor, for: events) { cancellation.isRequested.load(ordering: .relaxed) }
            }
        } onCancel: {
            cancellation.isRequested.store(true, ordering: .relaxed)
        }
    }

    /// Blocks until an event of `poll` comes or the wait should end.
    public static func wait(_ descriptor: Int32, for events: Int32, unless isOver: () -> Bool) {
        while !isOver(), !wait(descriptor, for: events, until: .now + slice) {}
    }

    /// Whether an event of `poll` has come.
    public static func isReady(_ descriptor: Int32, for events: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        return poll(&entry, 1, 0) != 0
    }

    private final class Cancellation: Sendable {
        let isRequested = Atomic(false)
    }
}
