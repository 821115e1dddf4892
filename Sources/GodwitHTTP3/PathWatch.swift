#if os(Linux)
import GodwitCore
import Synchronization

/// Tells when the network path changes. Starts when it is first of use, so that a program that makes one request doesn't pay
/// for it.
final class PathWatch: Sendable {
    private struct State {
        var action: (@Sendable () -> Void)?
        var task: Task<Void, Never>?
    }

    private let monitor: @Sendable () -> any PathMonitor
    private let state = Mutex(State())

    init(_ monitor: @escaping @Sendable () -> any PathMonitor) {
        self.monitor = monitor
    }

    /// Sets what to do, before it is started.
    func onChange(_ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.action = action }
    }

    /// Starts watching, once.
    func start() {
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

    func stop() {
        let task = state.withLock { state in
            state.action = nil
            return state.task.take()
        }
        task?.cancel()
    }
}
#endif
