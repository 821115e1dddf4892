#if os(Linux)
import GodwitCore
import Synchronization

/// Notifies event loops when the network path changes. Starts when the first connection is kept, so that a program that makes one
/// request doesn't pay for it.
final class PathWatcher: Sendable {
    private struct State {
        var loops: [EventLoop] = []
        var task: Task<Void, Never>?
        var isStopped = false
    }

    private let monitor: @Sendable () -> any PathMonitor
    private let state = Mutex(State())

    init(_ monitor: @escaping @Sendable () -> any PathMonitor) {
        self.monitor = monitor
    }

    /// Sets the loops, before one of them can start the watcher.
    func serve(_ loops: [EventLoop]) {
        state.withLock { $0.loops = loops }
    }

    /// Starts watching, once. Any loop may call it.
    @Sendable func start() {
        state.withLock { state in
            guard state.task == nil, !state.isStopped else { return }
            state.task = Task { [monitor, loops = state.loops] in
                var isFirst = true
                for await _ in monitor().paths {
                    if !isFirst { for loop in loops { loop.post(.pathChanged) } }
                    isFirst = false
                }
            }
        }
    }

    func stop() {
        let task = state.withLock { state in
            state.isStopped = true
            state.loops = []
            return state.task.take()
        }
        task?.cancel()
    }
}
#endif
