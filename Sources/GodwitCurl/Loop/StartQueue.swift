package import GodwitCore

/// Work that waits to be started, taken from its groups in turn, so that many calls to one server don't hold up a call to
/// another. A group can be held back.
package struct StartQueue<Group: Hashable, Element> {
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

    package init() {}

    package var isEmpty: Bool { lines.isEmpty }

    /// Whether there is an element that is not held back.
    package var isReady: Bool { next < order.count }

    /// Adds an element.
    ///
    /// - Parameter isHeld: Whether a group that is new in the queue is held back until it is released.
    package mutating func append(_ element: Element, to group: Group, isHeld: Bool = false) {
        if lines[group] == nil {
            lines[group] = Line(isHeld: isHeld)
            if !isHeld { order.append(group) }
        }
        lines[group]?.elements.append(element)
    }

    /// Removes the first element of the group whose turn it is.
    package mutating func popFirst() -> Element? {
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
    package mutating func popHeld(_ group: Group) -> Element? {
        guard let index = lines.index(forKey: group), lines.values[index].isHeld else { return nil }
        let element = lines.values[index].popFirst()
        if lines.values[index].isEmpty { lines[group] = nil }
        return element
    }

    /// The element that ``popHeld(_:)`` would remove.
    package func firstHeld(_ group: Group) -> Element? {
        guard let line = lines[group], line.isHeld else { return nil }
        return line.elements[line.first]
    }

    /// Releases a group that is held back.
    package mutating func release(_ group: Group) {
        guard let index = lines.index(forKey: group), lines.values[index].isHeld else { return }
        lines.values[index].isHeld = false
        order.append(group)
    }

    /// Calls the body with every element.
    package func forEach(_ body: (Element) -> Void) {
        for line in lines.values { line.elements[line.first...].forEach { $0.map(body) } }
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

/// Decides how many exchanges with one origin libcurl gets before one of them has a connection.
///
/// If a connection may turn out to be shared, libcurl lets the others wait for the first one, and wakes all of them at each
/// event on it: a thousand that wait then cost a thousand times as much, in one call.
package struct Admission {
    /// The most exchanges with an origin that has no connection yet.
    package static let mostProbes = 8
    private static let mostKnown = 1024

    private var probes: [Origin: Int] = [:]
    private var known: Set<Origin> = []

    package init() {}

    /// Whether an exchange may start, and if so, whether as a probe.
    package mutating func admit(_ origin: Origin) -> (isAdmitted: Bool, isProbe: Bool) {
        if known.contains(origin) { return (true, false) }
        let count = probes[origin, default: 0]
        guard count < Self.mostProbes else { return (false, false) }
        probes[origin] = count + 1
        return (true, true)
    }

    /// A probe has a connection.
    package mutating func established(_ origin: Origin) {
        probes[origin] = nil
        if known.count >= Self.mostKnown { known = [] }
        known.insert(origin)
    }

    /// A probe ended; whether another exchange may take its place.
    package mutating func ended(_ origin: Origin) -> Bool {
        guard let count = probes[origin] else { return false }
        probes[origin] = count > 1 ? count - 1 : nil
        return true
    }
}
