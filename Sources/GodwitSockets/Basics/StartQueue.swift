#if os(Linux)
import GodwitCore

/// Work that waits to be started, taken from its groups in turn, so that many calls to one server don't hold up a call to
/// another. A group can be held back.
package struct StartQueue<Group: Hashable, Element> {
    private struct GroupLine {
        var line = Line<Element>()
        var isHeld: Bool
    }

    private var lines: [Group: GroupLine] = [:]
    /// The groups that are not held, in the order of their next turn.
    private var order: [Group] = []
    private var next = 0

    package init() {}

    package var isEmpty: Bool { lines.isEmpty }

    /// Whether there is an element that is not held back.
    package var isReady: Bool { next < order.count }

    /// Adds an element.
    ///
    /// - Parameter isHeld: Whether a group that is new in the queue is held back until it is released.
    package mutating func append(_ element: Element, to group: Group, isHeld: Bool = false) {
        if lines[group] == nil {
            lines[group] = GroupLine(isHeld: isHeld)
            if !isHeld { order.append(group) }
        }
        lines[group]?.line.append(element)
    }

    /// Removes the first element of the group whose turn it is.
    package mutating func popFirst() -> Element? {
        guard isReady else { return nil }
        let group = order[next]
        next += 1
        defer { compact() }
        guard let index = lines.index(forKey: group) else { return nil }
        let element = lines.values[index].line.popFirst()
        if lines.values[index].line.isEmpty { lines[group] = nil } else { order.append(group) }
        return element
    }

    /// Removes the first element of a group that is held back.
    package mutating func popHeld(_ group: Group) -> Element? {
        guard let index = lines.index(forKey: group), lines.values[index].isHeld else { return nil }
        let element = lines.values[index].line.popFirst()
        if lines.values[index].line.isEmpty { lines[group] = nil }
        return element
    }

    /// The element that ``popHeld(_:)`` would remove.
    package func firstHeld(_ group: Group) -> Element? {
        guard let line = lines[group], line.isHeld else { return nil }
        return line.line.first
    }

    /// Releases a group that is held back.
    package mutating func release(_ group: Group) {
        guard let index = lines.index(forKey: group), lines.values[index].isHeld else { return }
        lines.values[index].isHeld = false
        order.append(group)
    }

    /// Calls the body with every element.
    package func forEach(_ body: (Element) -> Void) {
        for line in lines.values { line.line.forEach(body) }
    }

    /// Removes everything.
    package mutating func removeAll() {
        self = StartQueue()
    }

    private mutating func compact() {
        guard next == order.count || next > 1024 else { return }
        order.removeFirst(next)
        next = 0
    }
}

/// A queue that frees each element when it is taken: ten thousand exchanges freed together would hold up the loop.
package struct Line<Element> {
    /// Nil once taken.
    private var elements: [Element?] = []
    private var next = 0

    package init() {}

    package var isEmpty: Bool { next == elements.count }
    package var first: Element? { isEmpty ? nil : elements[next] }

    package mutating func append(_ element: Element) {
        elements.append(element)
    }

    package mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        defer {
            next += 1
            if isEmpty { self = Line() }
        }
        return elements[next].take()
    }

    package func forEach(_ body: (Element) -> Void) {
        elements[next...].forEach { $0.map(body) }
    }
}
#endif
