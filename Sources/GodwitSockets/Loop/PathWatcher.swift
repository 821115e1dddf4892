#if os(Linux)
package import GodwitCore
import Synchronization

/// Notifies when the network path changes. It is started when that begins to matter, so that a program that makes one request
/// doesn't pay for it.
package final class PathWatcher: Sendable {
    private struct State {
        /// `nil` before it is set, and once it was stopped.
        var action: (@Sendable () -> Void)?
        var task: Task<Void, Never>?
    }

    private let monitor: @Sendable () -> any PathMonitor
    private let state = Mutex(State())

    package init(_ monitor: @escaping @Sendable () -> any PathMonitor) {
        self.monitor = monitor
    }

    /// Sets what to do, before it is started.
    package func onChange(_ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.action = action }
    }

    /// Starts watching, once. Any thread may call it.
    @Sendable package func start() {
        state.withLock { state in
            guard state.task == nil, let action = state.action else { return }
            state.task = Task { [monitor] in
                var isFirst = true
                for await _ in monitor().paths {
                    if !isFirst { action() }
                    isFirst = false
                }
            }
        }
    }

    package func stop() {
        let task = state.withLock { state in
            state.action = nil
            return state.task.take()
        }
        task?.cancel()
    }
}
#endif
