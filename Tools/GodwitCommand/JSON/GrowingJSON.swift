/// A JSON value that grows item by item: `user[name]=Ann tags[]=sea`, in HTTPie's notation.
indirect enum GrowingJSON {
    case value(OrderedJSON)
    case array([GrowingJSON])
    case object([(name: String, value: GrowingJSON)])

    /// One step from a value to a value in it.
    enum Step: Equatable {
        case member(String)
        case index(Int)
        case append
    }

    /// A larger index is a mistake: the elements before it are filled with null.
    private static let largestIndex = 9_999

    /// The empty value that a first step leads into.
    init(for step: Step) {
        if case .member = step { self = .object([]) } else { self = .array([]) }
    }

    var json: OrderedJSON {
        switch self {
        case .value(let json): json
        case .array(let elements): .array(elements.map(\.json))
        case .object(let members):
            .object(members.map { .init(name: OrderedJSON.quoted($0.name), value: $0.value.json) })
        }
    }

    /// Reads the name of an item: `user[name]`, `tags[]`, `rows[2][id]`. `[]=1` makes an array of the whole body. A
    /// backslash escapes a bracket.
    static func path(_ name: String) throws(UsageError) -> [Step] {
        var steps: [Step] = []
        var rest = name[...]
        let first = take(from: &rest, until: "[")
        if !first.isEmpty || rest.isEmpty { steps.append(.member(first)) }
        while rest.popFirst() != nil {
            let step = take(from: &rest, until: "]")
            guard rest.popFirst() == "]" else { throw fault(name, "the bracket [ isn't closed") }
            if step.isEmpty {
                steps.append(.append)
            } else if step.allSatisfy({ $0.isASCII && $0.isNumber }) {
                guard let index = Int(step), index <= largestIndex else {
                    throw fault(name, "an index can be at most \(largestIndex)")
                }
                steps.append(.index(index))
            } else {
                steps.append(.member(step))
            }
            guard rest.isEmpty || rest.first == "[" else { throw fault(name, "a [ must follow ]") }
        }
        return steps
    }

    private static func take(from rest: inout Substring, until end: Character) -> String {
        var text = ""
        while let character = rest.first, character != end {
            rest.removeFirst()
            if character == "\\", let next = rest.first, "[]\\".contains(next) {
                text.append(rest.removeFirst())
            } else {
                text.append(character)
            }
        }
        return text
    }

    /// - Parameter name: The whole name, for errors.
    mutating func insert(_ new: OrderedJSON, at path: ArraySlice<Step>, name: String) throws(UsageError) {
        guard let step = path.first else {
            self = .value(new)
            return
        }
        let rest = path.dropFirst()
        var child = rest.first.map(GrowingJSON.init(for:)) ?? .value(.null)
        switch (step, self) {
        case (.member(let key), .object(var members)):
            // The last value of a repeated name wins, as in most parsers.
            if let index = members.firstIndex(where: { $0.name == key }) {
                if !rest.isEmpty { child = members[index].value }
                try child.insert(new, at: rest, name: name)
                members[index].value = child
            } else {
                try child.insert(new, at: rest, name: name)
                members.append((key, child))
            }
            self = .object(members)
        case (.append, .array(var elements)):
            try child.insert(new, at: rest, name: name)
            elements.append(child)
            self = .array(elements)
        case (.index(let index), .array(var elements)):
            while elements.count <= index { elements.append(.value(.null)) }
            if case .value(.null) = elements[index] {} else if !rest.isEmpty { child = elements[index] }
            try child.insert(new, at: rest, name: name)
            elements[index] = child
            self = .array(elements)
        default:
            throw Self.fault(name, "another item makes \(kind) of the same place; escape a bracket with \\[")
        }
    }

    private var kind: String {
        switch self {
        case .value: "a value"
        case .array: "an array"
        case .object: "an object"
        }
    }

    private static func fault(_ name: String, _ reason: String) -> UsageError {
        UsageError("\"\(name)\" is not a place in JSON: \(reason)")
    }
}
