/// Writes the tree of an encoding as JSON.
///
/// It walks the links of the nodes, so that nested containers don't use the stack. Text that is contiguous in the
/// storage is copied at once: without sorting, a container of scalars is one copy.
struct JSONRendering {
    /// Containers in one another, as Foundation allows.
    private static let maximumDepth = 512

    private let storage: EncodingStorage
    private let output: EncodedText
    private var order: MemberOrder
    private let isPretty: Bool
    private var depth = 0
    /// The part of the storage's text that comes next.
    private var pending = 0..<0

    init(of storage: EncodingStorage) {
        self.storage = storage
        isPretty = storage.options.isPretty
        // All text and two brackets for each node; only indentation can exceed it.
        output = EncodedText(capacity: storage.text.count &+ 2 &* storage.nodeCount)
        order = MemberOrder(storage: storage)
    }

    /// The document.
    ///
    /// - Parameter value: The value that the tree is of, for errors.
    mutating func text(of value: Any) throws -> EncodedText {
        var index = EncodingStorage.root
        while index != EncodedNode.none {
            let node = storage.nodes[index]
            writeText(of: node, isFirst: isFirst(index, in: node.parent))
            if node.shape == .object || node.shape == .array || node.shape == .unset {
                try open(index, value)
                let child = storage.nodes[index].firstChild
                if child != EncodedNode.none {
                    index = child
                    continue
                }
                close(node.shape)
            }
            index = following(index)
        }
        flush()
        return output
    }

    private func isFirst(_ index: EncodedNode.Index, in parent: EncodedNode.Index) -> Bool {
        parent == EncodedNode.none || storage.nodes[parent].firstChild == index
    }

    /// The next node after one that is complete. Closes the containers that end with it.
    private mutating func following(_ index: EncodedNode.Index) -> EncodedNode.Index {
        var index = index
        while true {
            let node = storage.nodes[index]
            guard node.next == EncodedNode.none, node.parent != EncodedNode.none else { return node.next }
            index = node.parent
            close(storage.nodes[index].shape)
        }
    }

    private mutating func open(_ index: EncodedNode.Index, _ value: Any) throws {
        depth &+= 1
        guard depth < Self.maximumDepth else {
            throw storage.invalid(
                value, "The value has more than \(Self.maximumDepth - 1) containers in one another.",
                at: EncodingStorage.root)
        }
        try order.settle(index)
        flush()
        output.write(storage.nodes[index].shape == .array ? UInt8(ascii: "[") : UInt8(ascii: "{"))
        // Foundation has an empty line in an empty container: this line break, and the one of the bracket.
        if isPretty, storage.nodes[index].firstChild == EncodedNode.none { output.write(UInt8(ascii: "\n")) }
    }

    private mutating func close(_ shape: EncodedNode.Shape) {
        depth &-= 1
        flush()
        if isPretty { writeLineBreak() }
        output.write(shape == .array ? UInt8(ascii: "]") : UInt8(ascii: "}"))
    }

    @inline(__always)
    private mutating func writeText(of node: EncodedNode, isFirst: Bool) {
        if isPretty {
            flush()
            if !isFirst { output.write(UInt8(ascii: ",")) }
            if depth > 0 { writeLineBreak() }
        } else if !isFirst, pending.upperBound == node.textStart {
            pending = pending.lowerBound..<node.textEnd
            return
        } else {
            flush()
        }
        // The text begins with a comma.
        pending = (isFirst || isPretty ? node.textStart &+ 1 : node.textStart)..<node.textEnd
    }

    private func writeLineBreak() {
        output.write(UInt8(ascii: "\n"))
        output.reserve(depth &* 2)
        output.end.update(repeating: UInt8(ascii: " "), count: depth &* 2)
        output.count &+= depth &* 2
    }

    @inline(__always)
    private mutating func flush() {
        output.write(UnsafeBufferPointer(start: storage.text.base + pending.lowerBound, count: pending.count))
        pending = pending.upperBound..<pending.upperBound
    }
}
