import GodwitCore

/// Orders the loads of a value and the mutations that change it on the server.
///
/// The result of a load that overlaps with a mutation may be from before it, so it would replace a newer value.
@MainActor
final class MutationGate {
    /// What a load compares to know which mutations it overlaps with.
    struct History: Equatable {
        var begun = 0
        var ended = 0
        /// Values that came from elsewhere, such as an event, and edits without a mutation.
        var events = 0

        /// How many changes have begun.
        var changes: Int { begun + events }
    }

    /// How often a load is sent again because of events. Events may come faster than any response.
    static let maximumRestarts = 3

    /// How many mutations are being sent.
    private var sending = 0
    /// How many mutations began to be sent, and how many ended.
    private(set) var history = History()
    private var waiters = Waiters<Void>()

    /// Whether a mutation is being sent.
    var isClosed: Bool { sending > 0 }

    /// Called when a mutation is sent. Call ``open()`` when its outcome is known.
    func close() {
        sending += 1
        history.begun += 1
    }

    func open() {
        sending -= 1
        history.ended += 1
        guard sending == 0 else { return }
        for waiter in waiters.takeAll() { waiter.resume() }
    }

    /// Counts a change that isn't sent.
    func noteEvent() { history.events += 1 }

    /// Whether the result of a load may lack a mutation that it overlaps with.
    ///
    /// - Parameters:
    ///   - before: The history when the load was sent.
    ///   - isFirst: Whether the load is for a first value. One that lacks a mutation whose effect is shown is better than none.
    func hasOvertaken(_ before: History, isFirst: Bool) -> Bool {
        // One that was being sent may end before a load that didn't wait for it, such as that of a first value.
        history.ended != before.ended || !isFirst && (history.begun != before.begun || isClosed)
    }

    /// Returns when no mutation is being sent, or the task is canceled.
    func pass() async {
        while isClosed, !Task.isCancelled {
            let waiter = waiters.add()
            await waiter.value {
                Task {
                    await self.remove(waiter)
                    waiter.resume()
                }
            }
        }
    }

    private func remove(_ waiter: Waiter<Void>) {
        waiters.remove(waiter)
    }
}
