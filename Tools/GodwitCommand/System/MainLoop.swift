import GodwitLibc
import Synchronization

/// Runs a command's tasks on the main thread.
///
/// A short command needs no other thread of its own; a dispatch queue starts three, which costs more than a small request
/// (decision 088).
final class MainLoop: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var isWaiting = false
    }

    private let state = Mutex(State())
    private let pipe: (reading: Int32, writing: Int32)

    /// `nil` if the process has no descriptors left; `errno` tells.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard GodwitLibc.pipe(&ends) == 0 else { return nil }
        // A full pipe wakes as well as one more byte, and child processes don't need it.
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        pipe = (ends[0], ends[1])
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let wakes = state.withLock { state in
            defer { state.isWaiting = false }
            state.jobs.append(job)
            return state.isWaiting
        }
        if wakes { wake() }
    }

    /// Ends the wait for jobs. Can be called in a signal handler.
    func wake() {
        var byte: UInt8 = 0
        _ = write(pipe.writing, &byte, 1)
    }

    /// Runs jobs until one of them exits the process.
    ///
    /// - Parameter check: Called again and again between jobs, and after each ``wake()``.
    func run(checking check: () -> Void) -> Never {
        while true {
            let jobs = state.withLock { state in
                defer { state.jobs.removeAll(keepingCapacity: true) }
                state.isWaiting = state.jobs.isEmpty
                return state.jobs
            }
            for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
            if jobs.isEmpty { wait() }
            check()
        }
    }

    private func wait() {
        var request = pollfd(fd: pipe.reading, events: Int16(POLLIN), revents: 0)
        guard poll(&request, 1, -1) == 1 else { return }
        var bytes: [UInt8] = Array(repeating: 0, count: 64)
        _ = read(pipe.reading, &bytes, bytes.count)
    }
}
