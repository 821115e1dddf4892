/// What one call of ``JSONModelEncoder/encode(_:)`` has encoded so far: scalars in their final text, and the tree.
///
/// Encoders and containers are a reference to it and the index of a node. So containers may be used in any order and as
/// long as they like, and none allocates memory. ``JSONRendering`` then writes the tree.
final class EncodingStorage {
    let options: EncodingOptions
    let text = EncodedText(capacity: 2048)
    /// Misuse of a container where nothing can be thrown. Foundation traps.
    private(set) var failure: EncodingError?
    /// Nested calls of `encode(to:)`.
    var depth = 0
    /// Behind a pointer: checks for exclusive access to properties of a class took 4 % of the time.
    let scratch: UnsafeMutablePointer<EncodingScratch>

    /// Only indices that this class has handed out are used, and nodes are never removed.
    private(set) var nodes: UnsafeMutablePointer<EncodedNode>
    private(set) var nodeCount = 0
    private var nodeCapacity = 32

    /// Receives what is encoded into a container that can't exist. Never written.
    static let spill: EncodedNode.Index = 0
    static let root: EncodedNode.Index = 1

    init(options: EncodingOptions) {
        self.options = options
        nodes = .allocate(capacity: nodeCapacity)
        scratch = .allocate(capacity: 1)
        scratch.initialize(to: EncodingScratch())
        addNode(textStart: 0, parent: EncodedNode.none)
        text.write(",")
        addNode(textStart: 0, parent: EncodedNode.none)
    }

    deinit {
        SpareMemory.give(block)
        scratch.deinitialize(count: 1)
        scratch.deallocate()
    }

    @inline(__always) @discardableResult
    private func addNode(textStart: Int, parent: EncodedNode.Index) -> EncodedNode.Index {
        if nodeCount == nodeCapacity { growNodes() }
        (nodes + nodeCount).initialize(to: EncodedNode(textStart: textStart, textEnd: text.count, parent: parent))
        nodeCount &+= 1
        return EncodedNode.Index(truncatingIfNeeded: nodeCount &- 1)
    }

    @inline(never)
    private func growNodes() {
        let former = block
        let larger = SpareMemory.take(atLeast: nodeCapacity &* 2 &* MemoryLayout<EncodedNode>.stride)
        let memory = larger.start.bindMemory(
            to: EncodedNode.self, capacity: larger.count / MemoryLayout<EncodedNode>.stride)
        memory.moveInitialize(from: nodes, count: nodeCount)
        nodes = memory
        nodeCapacity = larger.count / MemoryLayout<EncodedNode>.stride
        SpareMemory.give(former)
    }

    private var block: SpareMemory.Block {
        SpareMemory.Block(start: nodes, count: nodeCapacity &* MemoryLayout<EncodedNode>.stride)
    }

    /// Appends a node with the text from `textStart` to a container.
    @inline(__always)
    func append(textStart: Int, to parent: EncodedNode.Index) -> EncodedNode.Index {
        guard nodeCount < Int(EncodedNode.Index.max) else { return overflowed() }
        let index = addNode(textStart: textStart, parent: parent)
        let last = nodes[parent].lastChild
        if last == EncodedNode.none {
            nodes[parent].firstChild = index
        } else {
            nodes[last].next = index
        }
        nodes[parent].lastChild = index
        nodes[parent].count &+= 1
        return index
    }

    @inline(never)
    private func overflowed() -> EncodedNode.Index {
        fail("The value has too many parts to encode.", at: Self.root)
        return Self.spill
    }

    /// Marks a value as not encoded, because encoding it threw.
    func discard(_ node: EncodedNode.Index) {
        nodes[node].shape = .discarded
        let parent = nodes[node].parent
        guard parent != EncodedNode.none else { return }
        nodes[parent].hasDiscarded = true
        nodes[parent].count &-= 1
    }

    /// Notes an error that is thrown when the value is complete. The first counts.
    func fail(_ description: String, at node: EncodedNode.Index) {
        guard failure == nil else { return }
        failure = invalid(String?.none as Any, description, at: node)
    }
}

/// What the encoding has to remember of types and keys.
struct EncodingScratch {
    /// The keys of nested values, for coding paths.
    var keys: [any CodingKey] = []
    private var types: [ObjectIdentifier: Bool] = [:]

    /// Whether values of a type are dictionaries whose keys a key strategy leaves alone. Asked of the runtime once.
    mutating func keepsKeys<T>(_ type: T.Type) -> Bool {
        if let known = types[ObjectIdentifier(type)] { return known }
        let keeps = TypeTable.keepsKeys(type)
        types[ObjectIdentifier(type)] = keeps
        return keeps
    }
}

extension EncodingStorage {
    /// The node as an object, for a keyed container.
    func openObject(_ node: EncodedNode.Index) -> EncodedNode.Index {
        open(node, as: .object)
    }

    /// The node as an array, for an unkeyed container.
    func openArray(_ node: EncodedNode.Index) -> EncodedNode.Index {
        open(node, as: .array)
    }

    @inline(__always)
    private func open(_ node: EncodedNode.Index, as shape: EncodedNode.Shape) -> EncodedNode.Index {
        let current = nodes[node].shape
        if current == .unset {
            nodes[node].shape = shape
        } else if current != shape {
            // A discarded value is encoded further by an encoder that outlived the error: nothing to report.
            if current != .discarded { fail("The value is already encoded as something else.", at: node) }
            return Self.spill
        }
        return node
    }

    /// The keys from the root to a node.
    func path(of node: EncodedNode.Index) -> [any CodingKey] {
        var path: [any CodingKey] = []
        var node = node
        while node != EncodedNode.none {
            let place = Int(nodes[node].place)
            if nodes[node].isElement {
                path.append(PathKey(index: place))
            } else if place >= 0 {
                path.append(scratch.pointee.keys[place])
            }
            node = nodes[node].parent
        }
        return path.reversed()
    }

    func invalid(_ value: Any, _ description: String, at node: EncodedNode.Index) -> EncodingError {
        .invalidValue(value, EncodingError.Context(codingPath: path(of: node), debugDescription: description))
    }
}
