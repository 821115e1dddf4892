import GodwitCore
import Synchronization

/// Repeats a fleet's heartbeat: often while Redis can't be used, to notice its return.
final class Heart: Sendable {
    private struct State: Sendable {
        var task: Task<Void, Never>?
        var sleep: Task<Void, Never>?
        var isHurried = false
    }

    private let state = Mutex(State())

    /// Begins. The fleet isn't kept alive.
    func start(_ fleet: Fleet) {
        let interval = fleet.options.heartbeat
        let task = Task { [weak fleet] in
            var failures = 0
            while !Task.isCancelled {
                // A jitter keeps the processes of a fleet apart.
                let pause = failures == 0 ? interval * Double.random(in: 0.8...1) : Self.pause(after: failures)
                await self.sleep(pause)
                guard let fleet, !Task.isCancelled else { return }
                failures = await fleet.beat() ? 0 : min(failures + 1, 10)
            }
        }
        state.withLock { $0.task = task }
    }

    func stop() {
        state.withLock { state in
            state.task?.cancel()
            state.sleep?.cancel()
        }
    }

    /// Ends the current pause: Redis has failed, and may be back soon.
    func hurry() {
        state.withLock { state in
            state.isHurried = true
            state.sleep?.cancel()
        }
    }

    private func sleep(_ time: Duration) async {
        let sleep = state.withLock { state in
            let isHurried = state.isHurried
            state.isHurried = false
            let sleep = Task { _ = try? await Task.sleep(for: isHurried ? .milliseconds(50) : time) }
            state.sleep = sleep
            return sleep
        }
        await sleep.value
    }

    private static func pause(after failures: Int) -> Duration {
        min(.seconds(1), .milliseconds(50 << min(failures, 5)))
    }
}
