/// Work that waits to be started, taken in turns from its groups, so that a crowd for one server does not hold up a call
/// to another.
struct StartQueue<Group: Hashable, Element> {
    private struct Line {
        var elements: [Element] = []
        var first = 0
    }

    private var lines: [Group: Line] = [:]
    /// The groups in the order of their next turn.
    private var order: [Group] = []
    private var next = 0

    var isEmpty: Bool { lines.isEmpty }

    mutating func append(_ element: Element, to group: Group) {
        if lines[group] == nil { order.append(group) }
        lines[group, default: Line()].elements.append(element)
    }

    /// The next element: the first of the group whose turn it is.
    mutating func popFirst() -> Element? {
        guard next < order.count, let index = lines.index(forKey: order[next]) else { return nil }
        let group = order[next]
        next += 1
        let first = lines.values[index].first
        let element = lines.values[index].elements[first]
        lines.values[index].first += 1
        if first + 1 < lines.values[index].elements.count {
            order.append(group)
        } else {
            lines[group] = nil
        }
        if next == order.count || next > 1024 {
            order.removeFirst(next)
            next = 0
        }
        return element
    }

    /// Takes everything.
    mutating func removeAll() -> [Element] {
        var elements: [Element] = []
        while let element = popFirst() { elements.append(element) }
        return elements
    }
}
