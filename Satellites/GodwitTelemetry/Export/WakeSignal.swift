import GodwitCore
import GodwitSupport
import Synchronization

/// Lets one task sleep until a time passes or another task signals. A signal before the sleep counts.
final class WakeSignal: Sendable {
    private struct State {
        var isSignaled = false
        var waiter: Waiter<Void>?
    }

    private let timeline: Timeline
    private let state = Mutex(State())

    init(_ timeline: Timeline) {
        self.timeline = timeline
    }

    func signal() {
        let waiter = state.withLock { state in
            state.isSignaled = true
            return state.waiter.take()
        }
        waiter?.resume()
    }

    /// - Parameter time: `nil` sleeps until the next signal.
    func sleep(_ time: Duration?) async {
        let waiter = Waiter<Void>()
        let sleeps = state.withLock { state in
            guard !state.isSignaled else { return false }
            state.waiter = waiter
            return true
        }
        if sleeps {
            let timer = time.map { time in
                Task { [timeline] in
                    if (try? await timeline.sleep(for: time)) != nil { waiter.resume() }
                }
            }
            await waiter.value()
            timer?.cancel()
        }
        // A task that signals has changed something before, and the awake task looks at it now.
        state.withLock { $0 = State() }
    }
}
