#if os(Linux)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A pipe whose reading end becomes readable when a thread is to end.
final class StopSignal: Sendable {
    let readEnd: Int32
    private let writeEnd: Int32

    /// Nil where the process has no descriptor left.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    func raise() {
        var byte: UInt8 = 1
        _ = write(writeEnd, &byte, 1)
    }
}
#endif
