#if os(Linux)
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
