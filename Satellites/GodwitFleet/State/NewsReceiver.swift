#if os(Linux)
import GodwitCore
import Synchronization

/// Keeps the registration of an object that receives messages until it is released.
final class NewsReceiver: Sendable {
    private let registration = Mutex<FleetNews.Registration?>(nil)

    /// Calls a closure for each message, and with `nil` if some may have been missed.
    func start(_ fleet: Fleet, _ kind: FleetNews.Kind, _ body: @escaping @Sendable (String?) -> Void) {
        let new = fleet.onNews(kind, body)
        registration.withLock { $0 = new }
    }

    /// Calls a closure for each message about a name, and if some may have been missed.
    func start(_ fleet: Fleet, _ kind: FleetNews.Kind, of name: String, _ body: @escaping @Sendable () -> Void) {
        start(fleet, kind) { text in if text == nil || text == name { body() } }
    }
}

/// Performs work one time after the other, and again if it is asked for during a run.
final class RepeatedWork: Sendable {
    private struct State: Sendable {
        var isRunning = false
        var isNeeded = false
    }

    private let state = Mutex(State())

    /// Returns when no run is needed; at once if another task performs them.
    func run(_ work: @Sendable () async -> Void) async {
        let isFirst = state.withLock { state in
            state.isNeeded = true
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard isFirst else { return }
        while takeNeed() { await work() }
    }

    private func takeNeed() -> Bool {
        state.withLock { state in
            defer { state.isNeeded = false }
            if !state.isNeeded { state.isRunning = false }
            return state.isNeeded
        }
    }
}
#endif
