/// The mutations of a value or a list, and the changes that aren't sent, such as events: what a load compares to know what
/// happened since it was sent. A pure value.
package struct MutationHistory {
    /// What a mutation changes.
    package enum Scope: Hashable {
        /// The value, or the order of a list.
        case whole
        /// An element of a list, which stays in its place.
        case element(AnyHashable)
    }

    /// A moment in the history.
    package struct Mark {
        fileprivate(set) var begun = 0
        fileprivate(set) var ended = 0
        /// How many mutations of more than an element have begun or ended.
        fileprivate var wholes = 0
        /// Values that came from elsewhere, such as an event, and edits without a mutation.
        fileprivate(set) var events = 0

        /// How many changes have begun.
        var changes: Int { begun + events }
    }

    /// How many mutations are being sent.
    private var sending: [Scope: Int] = [:]
    /// When a mutation of an element began or ended, the last time.
    private var elements: [AnyHashable: Int] = [:]
    /// Now.
    private(set) var mark = Mark()

    /// Whether a mutation is being sent.
    package var isSending: Bool { !sending.isEmpty }

    /// Whether one of them changes more than an element.
    var isSendingWhole: Bool { sending[.whole] != nil }

    mutating func begin(_ scope: Scope) {
        sending[scope, default: 0] += 1
        mark.begun += 1
        note(scope)
    }

    mutating func end(_ scope: Scope) {
        sending[scope] = sending[scope].flatMap { $0 > 1 ? $0 - 1 : nil }
        mark.ended += 1
        note(scope)
    }

    private mutating func note(_ scope: Scope) {
        switch scope {
        case .whole: mark.wholes += 1
        case .element(let id): elements[id] = mark.begun + mark.ended
        }
    }

    /// Counts a change that isn't sent.
    mutating func addEvent() { mark.events += 1 }

    /// A load replaces the one in progress: elements need not be remembered for it.
    mutating func forgetElements() {
        if !isSending { elements = [:] }
    }

    /// Whether the result of a load may lack a mutation that it overlaps with.
    ///
    /// - Parameter isFirst: Whether the load is for a first value. One that lacks a mutation whose effect is shown is better
    ///   than none.
    func hasOvertaken(_ before: Mark, isFirst: Bool) -> Bool {
        // One that was being sent may end before a load that didn't wait for it, such as that of a first value.
        mark.ended != before.ended || !isFirst && (mark.begun != before.begun || isSending)
    }

    /// The same for a page at the end of a list: the elements that are there stay, unless a mutation moves them.
    func hasMoved(since before: Mark) -> Bool { mark.wholes != before.wholes || isSendingWhole }

    /// Whether one of these elements may lack a mutation.
    func hasChanged(anyOf ids: some Sequence<AnyHashable>, since before: Mark) -> Bool {
        guard !elements.isEmpty else { return false }
        return ids.contains { id in
            sending[.element(id)] != nil || elements[id, default: 0] > before.begun + before.ended
        }
    }

    /// Whether an event came since then.
    func hasEvent(since before: Mark) -> Bool { mark.events != before.events }
}
