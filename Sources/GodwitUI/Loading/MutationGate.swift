import GodwitCore
import GodwitSupport

/// Orders the loads of a value and the mutations that change it on the server.
///
/// The result of a load that overlaps with a mutation may be from before it, so it would replace a newer value.
@MainActor
final class MutationGate {
    /// What a mutation changes.
    enum Scope: Hashable {
        /// The value, or the order of a list.
        case whole
        /// An element of a list, which stays in its place.
        case element(AnyHashable)
    }

    /// What a load compares to know which mutations it overlaps with.
    struct History: Equatable {
        var begun = 0
        var ended = 0
        /// How many mutations of more than an element have begun or ended.
        fileprivate var wholes = 0
        /// Values that came from elsewhere, such as an event, and edits without a mutation.
        var events = 0

        /// How many changes have begun.
        var changes: Int { begun + events }
    }

    /// How often a load is sent again because of events. Events may come faster than any response.
    static let maximumRestarts = 3

    /// How many mutations are being sent.
    private var sending: [Scope: Int] = [:]
    /// The history when a mutation of an element began or ended, the last time.
    private var elements: [AnyHashable: Int] = [:]
    /// How many mutations began to be sent, and how many ended.
    private(set) var history = History()
    private var waiters = Waiters<Void>()

    /// Whether a mutation is being sent.
    var isClosed: Bool { !sending.isEmpty }

    /// Whether one of them changes more than an element.
    var isClosedForPages: Bool { sending[.whole] != nil }

    /// Called when a mutation is sent. Call ``open(_:)`` when its outcome is known.
    func close(_ scope: Scope) {
        sending[scope, default: 0] += 1
        history.begun += 1
        note(scope)
    }

    func open(_ scope: Scope) {
        sending[scope] = sending[scope].flatMap { $0 > 1 ? $0 - 1 : nil }
        history.ended += 1
        note(scope)
        for waiter in waiters.takeAll() { waiter.resume() }
    }

    private func note(_ scope: Scope) {
        switch scope {
        case .whole: history.wholes += 1
        case .element(let id): elements[id] = history.begun + history.ended
        }
    }

    /// Returns the history for a load that begins now.
    func beginLoad() -> History {
        if !isClosed { elements = [:] }
        return history
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

    /// The same for a page at the end of a list: the elements that it has stay, and new ones may lack a mutation.
    ///
    /// - Parameter ids: The new elements.
    func hasOvertaken(_ before: History, pageOf ids: some Sequence<AnyHashable>) -> Bool {
        if history.wholes != before.wholes || isClosedForPages { return true }
        guard !elements.isEmpty else { return false }
        return ids.contains { id in
            sending[.element(id)] != nil || elements[id, default: 0] > before.begun + before.ended
        }
    }

    /// Returns when no mutation is being sent, or the task is canceled.
    func pass() async { await wait { self.isClosed } }

    /// Returns when no mutation of more than an element is being sent, or the task is canceled.
    func passPage() async { await wait { self.isClosedForPages } }

    private func wait(while isClosed: () -> Bool) async {
        while isClosed(), !Task.isCancelled {
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
