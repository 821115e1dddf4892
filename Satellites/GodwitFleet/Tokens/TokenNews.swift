#if os(Linux)
import GodwitCore
import GodwitSupport
import Synchronization

/// Counts the changes of one token, and wakes the tasks that wait for the next.
final class TokenNews: Sendable {
    private struct State: Sendable {
        var count = 0
        var waiters = Waiters<Void>()
    }

    private let state = Mutex(State())

    var count: Int { state.withLock(\.count) }

    /// Returns at the next change after a number of them, or after a time: messages can be lost.
    func wait(after count: Int, for time: Duration) async {
        let waiter = state.withLock { $0.count == count ? $0.waiters.add() : nil }
        guard let waiter else { return }
        let timer = Task {
            try? await Task.sleep(for: time)
            waiter.resume()
        }
        await waiter.value { waiter.resume() }
        timer.cancel()
        state.withLock { _ = $0.waiters.remove(waiter) }
    }

    func add() {
        let waiters = state.withLock { state in
            state.count += 1
            return state.waiters.takeAll()
        }
        for waiter in waiters { waiter.resume() }
    }
}
#endif
