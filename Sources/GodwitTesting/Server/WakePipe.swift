import GodwitLibc
import GodwitSupport

/// A pipe with which a task wakes a thread that sleeps in `poll`.
final class WakePipe: Sendable {
    let readEnd: Int32
    private let writeEnd: Int32

    /// `nil` if the process has almost no free descriptor.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        guard !ends.contains(where: Self.isSpare) else {
            for end in ends { close(end) }
            return nil
        }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        readEnd = ends[0]
        writeEnd = ends[1]
    }

    /// Whether a server leaves a descriptor to its process: more than clients do, as many threads open pipes at the same time.
    static func isSpare(_ descriptor: Int32) -> Bool { Descriptor.isSpare(descriptor, ofLast: 24) }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    /// Wakes the thread, now or when it next sleeps. A full pipe wakes it too.
    func wake() {
        var byte: UInt8 = 1
        _ = write(writeEnd, &byte, 1)
    }

    /// Sleeps until ``wake()``.
    func wait() {
        var polled = pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)
        while poll(&polled, 1, -1) < 0 && errno == EINTR {}
    }

    /// Discards past wake-ups.
    func drain() {
        var scratch: (UInt64, UInt64) = (0, 0)
        while read(readEnd, &scratch, 16) > 0 {}
    }
}
