import Synchronization

/// A path monitor that is told the path: by a program that knows better than the system, or by a test.
///
/// ```swift
/// let feed = PathFeed(.unsatisfied)
/// let task = Task { for await path in feed.paths { print(path) } }
/// feed.update(NetworkPath(status: .satisfied, interfaces: [.wifi]))
/// ```
public final class PathFeed: PathMonitor {
    private struct State {
        var path: NetworkPath
        /// Counts the changes, so that each reader knows whether it has seen the latest.
        var version: UInt64 = 0
        var hasEnded = false
        var waiters: [UInt64: UnsafeContinuation<Void, Never>] = [:]
        var lastWaiter: UInt64 = 0
    }

    private let state: Mutex<State>

    /// Makes a feed that stands at a path.
    ///
    /// - Parameter path: What readers get first.
    public init(_ path: NetworkPath) {
        state = Mutex(State(path: path))
    }

    /// The path last told.
    public var current: NetworkPath { state.withLock { $0.path } }

    /// The path last told, then each change.
    public var paths: NetworkPaths { NetworkPaths(self) }

    /// Tells a path. One that is no change wakes nobody; after ``finish()`` nothing happens.
    ///
    /// - Parameter path: The path from now on.
    public func update(_ path: NetworkPath) {
        wake { state in
            guard !state.hasEnded, state.path != path else { return false }
            state.path = path
            state.version += 1
            return true
        }
    }

    /// Ends all sequences, once their readers have seen the last path.
    public func finish() {
        wake { state in
            state.hasEnded = true
            return true
        }
    }

    /// How many tasks wait for a change.
    package var waitingCount: Int { state.withLock { $0.waiters.count } }

    /// The path, once it is another than the one that was seen; nil at the end, or when the task is cancelled.
    func path(after seen: UInt64?, isolation actor: isolated (any Actor)?) async -> (NetworkPath, UInt64)? {
        while !Task.isCancelled {
            let (answer, hasEnded) = state.withLock { state in
                (seen == state.version ? nil : (state.path, state.version), state.hasEnded)
            }
            if let answer { return answer }
            if hasEnded { return nil }
            await waitForChange(from: seen)
        }
        return nil
    }

    private func waitForChange(from seen: UInt64?) async {
        let id = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                let isAsleep = state.withLock { state in
                    guard state.version == seen, !state.hasEnded, !Task.isCancelled else { return false }
                    state.waiters[id] = continuation
                    return true
                }
                if !isAsleep { continuation.resume() }
            }
        } onCancel: {
            // One that is not asleep yet sees its cancellation before it falls asleep.
            state.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
        }
    }

    /// Changes the state under the lock, and wakes everybody after it where that changed something.
    private func wake(_ change: (inout State) -> Bool) {
        let sleepers = state.withLock { state -> [UnsafeContinuation<Void, Never>] in
            guard change(&state) else { return [] }
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for sleeper in sleepers { sleeper.resume() }
    }
}
