import GodwitSupport

/// Builds a tree from what a parser finds, in the order of the document, within limits.
struct TreeBuilder {
    /// How deeply arrays and objects are nested at most.
    static let maximumDepth = 512
    /// How many values a document has at most.
    var maximumCount = 4_000_000
    /// How many values the aliases of a YAML document stand for at most.
    static let maximumExpansion = 1_000_000
    /// The longest JSON pointer in bytes. Values further inside have the place of the value that contains them:
    /// otherwise one long key with many values would take memory for each of them.
    static let maximumPointerLength = 512

    /// A value with what an alias to it needs.
    struct Finished {
        var node: DocumentNode
        /// How many values it has, with itself.
        var count: Int
        /// How many levels of arrays and objects it has.
        var height: Int
    }

    private struct Frame {
        let isObject: Bool
        let place: SourcePlace
        let firstCount: Int
        /// Whether the place is that of the value around it: then those inside have it too.
        let isTooFar: Bool
        var members: [DocumentNode.Member] = []
        var elements: [DocumentNode] = []
        var keys: Set<ExactText> = []
        var key: String?
        /// Whether the next value is merged into this object (`<<` of YAML), and where the merged members belong.
        var isMerging = false
        var merged: [(index: Int, node: DocumentNode)] = []
        var height = 1
    }

    let file: String
    private(set) var root: DocumentNode?
    private var stack: [Frame] = []
    private var count = 0
    private var expansion = 0

    init(file: String) {
        self.file = file
    }

    /// Whether the next scalar is a key.
    var expectsKey: Bool {
        guard let last = stack.indices.last else { return false }
        return stack[last].isObject && stack[last].key == nil && !stack[last].isMerging
    }

    /// The place of the next value.
    func place(at position: SourcePlace.Position?) -> SourcePlace {
        guard let last = stack.indices.last else { return SourcePlace(file: file, position: position) }
        // Each part by itself: a copy of the frame would copy what it refers to.
        let parent = stack[last].place.pointer
        let isObject = stack[last].isObject
        let token = isObject ? JSONPointer.escaped(stack[last].key ?? "<<") : String(stack[last].elements.count)
        let isLong = stack[last].isTooFar || parent.utf8.count + token.utf8.count >= Self.maximumPointerLength
        return SourcePlace(file: file, position: position, pointer: isLong ? parent : parent + "/" + token)
    }

    mutating func open(object isObject: Bool, at place: SourcePlace) throws(GenerationError) {
        guard stack.count < Self.maximumDepth else { throw tooDeep(place) }
        try countValues(1, at: place)
        let isTooFar = stack.last.map { $0.place.pointer == place.pointer } ?? false
        stack.append(Frame(isObject: isObject, place: place, firstCount: count - 1, isTooFar: isTooFar))
    }

    mutating func key(_ key: String, at position: SourcePlace.Position?) throws(GenerationError) {
        guard let last = stack.indices.last else { return }
        guard stack[last].keys.insert(ExactText(key)).inserted else {
            throw GenerationError(
                .invalid, "the key `\(key.prefix(80))` occurs twice in this object; remove one of them",
                at: SourcePlace(file: file, position: position, pointer: stack[last].place.pointer))
        }
        stack[last].key = key
    }

    /// The key `<<`: the members of the next value belong to this object.
    mutating func mergeKey() {
        guard let last = stack.indices.last else { return }
        stack[last].isMerging = true
    }

    mutating func scalar(_ value: DocumentNode.Value, at place: SourcePlace) throws(GenerationError) -> Finished {
        try countValues(1, at: place)
        let finished = Finished(node: DocumentNode(value: value, place: place), count: 1, height: 0)
        try add(finished)
        return finished
    }

    /// Ends the open array or object.
    mutating func close() throws(GenerationError) -> Finished? {
        guard let frame = stack.popLast() else { return nil }
        let value: DocumentNode.Value = frame.isObject ? .object(Self.members(frame)) : .array(frame.elements)
        let finished = Finished(
            node: DocumentNode(value: value, place: frame.place), count: count - frame.firstCount, height: frame.height)
        try add(finished)
        return finished
    }

    /// Repeats a value that an alias stands for.
    mutating func alias(_ target: Finished, at place: SourcePlace) throws(GenerationError) {
        expansion += target.count
        guard expansion <= Self.maximumExpansion else {
            throw GenerationError(
                .invalid, "the aliases of the document stand for more than 1,000,000 values; write it without them",
                at: place)
        }
        guard stack.count + target.height <= Self.maximumDepth else { throw tooDeep(place) }
        try countValues(target.count, at: place)
        try add(target)
    }

    private mutating func add(_ finished: Finished) throws(GenerationError) {
        guard let last = stack.indices.last else {
            root = finished.node
            return
        }
        stack[last].height = max(stack[last].height, finished.height + 1)
        if stack[last].isMerging {
            stack[last].isMerging = false
            try merge(finished.node, into: last)
        } else if stack[last].isObject {
            stack[last].members.append(DocumentNode.Member(key: stack[last].key ?? "", value: finished.node))
            stack[last].key = nil
        } else {
            stack[last].elements.append(finished.node)
        }
    }

    private mutating func merge(_ node: DocumentNode, into frame: Int) throws(GenerationError) {
        let nodes = node.isObject ? [node] : node.elements
        guard !nodes.isEmpty, nodes.allSatisfy(\.isObject) else {
            throw GenerationError(.invalid, "`<<` needs an object or a list of objects", at: node.place)
        }
        stack[frame].merged += nodes.map { (stack[frame].members.count, $0) }
    }

    /// The members of an object: its own win over those that are merged, and those of the first merged object over
    /// those of the next.
    private static func members(_ frame: Frame) -> [DocumentNode.Member] {
        guard !frame.merged.isEmpty else { return frame.members }
        var (result, keys) = ([DocumentNode.Member](), frame.keys)
        var next = 0
        for (index, node) in frame.merged {
            result += frame.members[next..<index]
            next = index
            result += node.members.filter { keys.insert(ExactText($0.key)).inserted }
        }
        return result + frame.members[next...]
    }

    private mutating func countValues(_ values: Int, at place: SourcePlace) throws(GenerationError) {
        count += values
        guard count <= maximumCount else {
            throw GenerationError(
                .invalid, "the document has more than 4,000,000 values; split it into smaller files", at: place)
        }
    }

    private func tooDeep(_ place: SourcePlace) -> GenerationError {
        GenerationError(.invalid, "the document is nested more than 512 levels deep", at: place)
    }
}
