/// The shape of a value that occurs at one place of several samples.
struct SampleShape: Sendable {
    indirect enum Kind: Sendable {
        /// Never seen: an element of arrays that are all empty, or always null.
        case unknown
        /// Texts, numbers or booleans, all of the same kind.
        case scalar
        case array(SampleShape)
        case object([Member])
        /// An object whose keys are data.
        case dictionary(SampleShape)
        /// Values of several kinds, each with its shape.
        case mixed([SampleShape])
        /// A shape with a name of its own.
        case reference(String)
    }

    struct Member: Sendable {
        var key: String
        var shape: SampleShape
        /// In how many of the objects it is.
        var count: Int
    }

    var kind: Kind
    /// The values without nulls, in the order of the samples.
    var nodes: [DocumentNode]
    /// The place of the first value, null or not.
    var place: SourcePlace?
    var nullCount: Int
    /// The place as a person reads it: `Article.author.name`, `login.roles[]`.
    var label: String

    /// Finds the shape of values that stand at the same place.
    init(_ values: [DocumentNode], label: String) throws(GenerationError) {
        nodes = values.filter { !$0.isNull }
        place = values.first?.place
        nullCount = values.count - nodes.count
        self.label = label
        let kinds = SampleShape.kinds(of: nodes)
        if kinds.count > 1 {
            try SampleShape.refuseContradiction(in: nodes, label: label)
            var parts: [SampleShape] = []
            for kind in kinds {
                parts.append(try SampleShape(nodes.filter { ValueKind($0) == kind }, label: label))
            }
            self.kind = .mixed(parts)
        } else {
            kind = try SampleShape.kind(of: nodes, kinds.first, label)
        }
    }

    private static func kind(
        of nodes: [DocumentNode], _ kind: ValueKind?, _ label: String
    ) throws(GenerationError) -> Kind {
        switch kind {
        case nil: return .unknown
        case .boolean, .number, .string: return .scalar
        case .array: return .array(try SampleShape(nodes.flatMap(\.elements), label: label + "[]"))
        case .object:
            if SampleKeys.areData(nodes) {
                return .dictionary(
                    try SampleShape(nodes.flatMap { $0.members.map(\.value) }, label: label + "[key]"))
            }
            return .object(try members(of: nodes, label))
        }
    }

    private static func members(of nodes: [DocumentNode], _ label: String) throws(GenerationError) -> [Member] {
        var (keys, values) = ([String](), [String: [DocumentNode]]())
        for member in nodes.lazy.flatMap(\.members) {
            if values[member.key, default: []].isEmpty { keys.append(member.key) }
            values[member.key, default: []].append(member.value)
        }
        var members: [Member] = []
        for key in keys {
            let found = values[key] ?? []
            members.append(
                Member(key: key, shape: try SampleShape(found, label: "\(label).\(key)"), count: found.count))
        }
        return members
    }
}

extension SampleShape {
    /// The kinds of JSON values that are different types in Swift.
    enum ValueKind: Sendable, Hashable {
        case boolean, number, string, array, object

        init?(_ node: DocumentNode) {
            switch node.value {
            case .null: return nil
            case .bool: self = .boolean
            case .number: self = .number
            case .string: self = .string
            case .array: self = .array
            case .object: self = .object
            }
        }

        /// Whether samples contradict each other if one has this kind and one the other.
        func contradicts(_ other: ValueKind) -> Bool {
            self != other && [self, other].contains { $0 == .array || $0 == .object }
        }

        var name: String {
            switch self {
            case .boolean: "a boolean"
            case .number: "a number"
            case .string: "a text"
            case .array: "an array"
            case .object: "an object"
            }
        }
    }

    static func kinds(of nodes: [DocumentNode]) -> [ValueKind] {
        var kinds: [ValueKind] = []
        for node in nodes {
            if let kind = ValueKind(node), !kinds.contains(kind) { kinds.append(kind) }
        }
        return kinds
    }

    /// A file that has both kinds shows that the server sends both; files with one kind each contradict each other.
    private static func refuseContradiction(in nodes: [DocumentNode], label: String) throws(GenerationError) {
        let first = nodes[0]
        guard let kind = ValueKind(first),
            let other = nodes.first(where: { ValueKind($0).map(kind.contradicts) ?? false }),
            let otherKind = ValueKind(other)
        else { return }
        let files = Set(nodes.filter { ValueKind($0) == kind }.map(\.place.file))
        let others = Set(nodes.filter { ValueKind($0) == otherKind }.map(\.place.file))
        guard files.isDisjoint(with: others) else { return }
        throw GenerationError(
            .contradiction,
            "`\(label)` is \(otherKind.name) here, but \(kind.name) at \(first.place): give samples of one type, or of "
                + "different operations", at: other.place)
    }
}

extension SampleShape {
    /// A way from a value to one inside it.
    enum Step: Sendable, Hashable {
        case member(String)
        case element
    }

    /// The shape at the end of a way; `nil` if there is none.
    func at(_ path: ArraySlice<Step>) -> SampleShape? {
        switch (path.first, kind) {
        case (nil, _): return self
        case (.member(let key), .object(let members)):
            return members.first { $0.key == key }?.shape.at(path.dropFirst())
        case (.element, .array(let element)): return element.at(path.dropFirst())
        default: return nil
        }
    }

    /// The same shape with a reference at the end of a way.
    func replacing(at path: ArraySlice<Step>, with name: String) -> SampleShape {
        var shape = self
        switch (path.first, kind) {
        case (nil, _): shape.kind = .reference(name)
        case (.member(let key), .object(var members)):
            for index in members.indices where members[index].key == key {
                members[index].shape = members[index].shape.replacing(at: path.dropFirst(), with: name)
            }
            shape.kind = .object(members)
        case (.element, .array(let element)):
            shape.kind = .array(element.replacing(at: path.dropFirst(), with: name))
        default: break
        }
        return shape
    }

    /// The keys of an object; empty for other shapes.
    var keys: [String] {
        if case .object(let members) = kind { members.map(\.key) } else { [] }
    }

    /// Whether two objects are likely the same type: most keys of the smaller one are in the other.
    func resembles(_ other: SampleShape) -> Bool {
        let (mine, others) = (Set(keys), Set(other.keys))
        guard !mine.isEmpty, !others.isEmpty else { return mine.isEmpty && others.isEmpty }
        return mine.intersection(others).count * 2 > min(mine.count, others.count)
    }
}
