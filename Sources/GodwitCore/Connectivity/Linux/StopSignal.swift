#if os(Linux)
import GodwitLibc

/// A pipe whose read end becomes readable when a thread must end.
final class StopSignal: Sendable {
    let readEnd: Int32
    private let writeEnd: Int32

    /// `nil` if the process has no free descriptor.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        readEnd = ends[0]
        writeEnd = ends[1]
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
