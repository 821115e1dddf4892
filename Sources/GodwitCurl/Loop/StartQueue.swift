import GodwitCore

/// Work that waits to be started, taken from its groups in turn, so that many calls to one server don't hold up a call to
/// another. A group can be held back.
struct StartQueue<Group: Hashable, Element> {
    private struct Line {
        /// Nil once taken.
        var elements: [Element?] = []
        var first = 0
        var isHeld: Bool

        var isEmpty: Bool { first == elements.count }

        mutating func popFirst() -> Element? {
            defer { first += 1 }
            return elements[first].take()
        }
    }

    private var lines: [Group: Line] = [:]
    /// The groups that are not held, in the order of their next turn.
    private var order: [Group] = []
    private var next = 0

    init() {}

    var isEmpty: Bool { lines.isEmpty }

    /// Whether there is an element that is not held back.
    var isReady: Bool { next < order.count }

    /// Adds an element.
    ///
    /// - Parameter isHeld: Whether a group that is new in the queue is held back until it is released.
    mutating func append(_ element: Element, to group: Group, isHeld: Bool = false) {
        if lines[group] == nil {
            lines[group] = Line(isHeld: isHeld)
            if !isHeld { order.append(group) }
        }
        lines[group]?.elements.append(element)
    }

    /// Removes the first element of the group whose turn it is.
    mutating func popFirst() -> Element? {
        guard isReady else { return nil }
        let group = order[next]
        next += 1
        defer { compact() }
        guard let index = lines.index(forKey: group) else { return nil }
        let element = lines.values[index].popFirst()
        if lines.values[index].isEmpty { lines[group] = nil } else { order.append(group) }
        return element
    }

    /// Removes the first element of a group that is held back.
    mutating func popHeld(_ group: Group) -> Element? {
        guard let index = lines.index(forKey: group), lines.values[index].isHeld else { return nil }
        let element = lines.values[index].popFirst()
        if lines.values[index].isEmpty { lines[group] = nil }
        return element
    }

    /// The element that ``popHeld(_:)`` would remove.
    func firstHeld(_ group: Group) -> Element? {
        guard let line = lines[group], line.isHeld else { return nil }
        return line.elements[line.first]
    }

    /// Releases a group that is held back.
    mutating func release(_ group: Group) {
        guard let index = lines.index(forKey: group), lines.values[index].isHeld else { return }
        lines.values[index].isHeld = false
        order.append(group)
    }

    /// Calls the body with every element.
    func forEach(_ body: (Element) -> Void) {
        for line in lines.values { line.elements[line.first...].forEach { $0.map(body) } }
    }

    /// Removes everything.
    mutating func removeAll() {
        self = StartQueue()
    }

    private mutating func compact() {
        guard next == order.count || next > 1024 else { return }
        order.removeFirst(next)
        next = 0
    }
}
