import GodwitSupport
import Synchronization

/// A path monitor that is updated by your code: by a program with a better source than the system, or by a test.
///
/// ```swift
/// let feed = PathFeed(.unsatisfied)
/// let task = Task { for await path in feed.paths { print(path) } }
/// feed.update(NetworkPath(status: .satisfied, interfaces: [.wifi]))
/// ```
public final class PathFeed: PathMonitor {
    private struct State {
        var path: NetworkPath
        /// Counts the changes, so that each reader can tell whether it has the latest.
        var version: UInt64 = 0
        var hasEnded = false
        var waiters = Waiters<Void>()
    }

    private enum Step {
        case path(NetworkPath, UInt64)
        case wait(Waiter<Void>)
        case end
    }

    private let state: Mutex<State>

    /// Creates a feed with a first path.
    ///
    /// - Parameter path: The first path.
    public init(_ path: NetworkPath) {
        state = Mutex(State(path: path))
    }

    /// The latest path.
    public var current: NetworkPath { state.withLock { $0.path } }

    /// The latest path, then each change.
    public var paths: NetworkPaths { NetworkPaths(self) }

    /// Sets the path. Does nothing if it is the same, or after ``finish()``.
    ///
    /// - Parameter path: The new path.
    public func update(_ path: NetworkPath) {
        change { state in
            guard !state.hasEnded, state.path != path else { return false }
            state.path = path
            state.version += 1
            return true
        }
    }

    /// Ends all sequences, after their readers have received the last path.
    public func finish() {
        change { state in
            state.hasEnded = true
            return true
        }
    }

    /// The number of tasks that wait for a change.
    package var waitingCount: Int { state.withLock { $0.waiters.count } }

    /// The path, once its version differs from the one given; `nil` at the end, or if the task is canceled.
    func path(after seen: UInt64?, isolation actor: isolated (any Actor)?) async -> (NetworkPath, UInt64)? {
        while !Task.isCancelled {
            let step: Step = state.withLock { state in
                if state.version != seen { return .path(state.path, state.version) }
                return state.hasEnded ? .end : .wait(state.waiters.add())
            }
            switch step {
            case .path(let path, let version): return (path, version)
            case .end: return nil
            case .wait(let waiter):
                await waiter.value {
                    state.withLock { _ = $0.waiters.remove(waiter) }
                    waiter.resume()
                }
            }
        }
        return nil
    }

    /// Changes the state, and resumes all waiters if the closure returns `true`.
    private func change(_ body: (inout State) -> Bool) {
        let waiters = state.withLock { body(&$0) ? $0.waiters.takeAll() : [] }
        for waiter in waiters { waiter.resume() }
    }
}
