import GodwitCore

/// JSON that is merged from parts. What no part changes stays as the server wrote it, so numbers keep their digits and
/// members their order.
indirect enum MergedJSON: Sendable {
    case source([UInt8])
    case array([MergedJSON])
    case object(Members)

    struct Members: Sendable {
        private(set) var names: [String] = []
        private var values: [String: MergedJSON] = [:]

        subscript(name: String) -> MergedJSON? {
            get { values[name] }
            set {
                if values[name] == nil { names.append(name) }
                values[name] = newValue
            }
        }

        /// Changes a value in place. Returns `false` if there is none.
        mutating func change(_ name: String, _ body: (inout MergedJSON) -> Bool) -> Bool {
            guard var value = values.removeValue(forKey: name) else { return false }
            defer { values[name] = value }
            return body(&value)
        }
    }

    static let null = MergedJSON.source(Array("null".utf8))

    init(_ element: JSONElement) {
        self = .source(Array(element.source))
    }

    var isNull: Bool {
        if case .source(let text) = self { text.elementsEqual("null".utf8) } else { false }
    }

    /// The JSON.
    var text: [UInt8] {
        var text: [UInt8] = []
        write(to: &text)
        return text
    }

    private func write(to text: inout [UInt8]) {
        switch self {
        case .source(let source): text += source
        case .array(let elements):
            text.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { text.append(UInt8(ascii: ",")) }
                element.write(to: &text)
            }
            text.append(UInt8(ascii: "]"))
        case .object(let members):
            text.append(UInt8(ascii: "{"))
            for (index, name) in members.names.enumerated() {
                if index > 0 { text.append(UInt8(ascii: ",")) }
                text += JSONMembers.quoted(name) + [UInt8(ascii: ":")]
                members[name]?.write(to: &text)
            }
            text.append(UInt8(ascii: "}"))
        }
    }

    /// Parses one level of the source, to change it.
    private mutating func expand() {
        guard case .source(let text) = self, text.first == UInt8(ascii: "{") || text.first == UInt8(ascii: "["),
            let root = (try? JSONDocument(parsing: Data(text)))?.root
        else { return }
        if root.kind == .array {
            self = .array(root.elements.map(MergedJSON.init))
        } else {
            var members = Members()
            for member in root.members { members[member.key] = MergedJSON(member.value) }
            self = .object(members)
        }
    }
}

// MARK: - Patches

extension MergedJSON {
    /// What a part changes at a place.
    struct Patch {
        enum Form {
            /// The place was announced with an ID.
            case announced
            /// An older form: the path may end with the index of a list's first new element.
            case withPath
        }

        fileprivate enum Change {
            case members(MergedJSON)
            /// An element of a list that has no members, or the next one of it.
            case value(MergedJSON)
            case items([MergedJSON])
        }

        fileprivate let change: Change
        fileprivate let form: Form
        /// How deeply arrays and objects are nested.
        let depth: Int

        /// `nil` if the part changes nothing, such as one that failed.
        init?(_ element: JSONElement, ofForm form: Form) {
            self.form = form
            if let items = element["items"], items.kind == .array {
                change = .items(items.elements.map(MergedJSON.init))
                depth = Self.depth(of: items.source)
            } else if let data = element["data"] {
                let value = MergedJSON(data)
                change = data.kind == .object ? .members(value) : .value(value)
                depth = Self.depth(of: data.source)
            } else {
                return nil
            }
        }

        private static func depth(of json: some Sequence<UInt8>) -> Int {
            var (depth, deepest, isQuoted, isEscaped) = (0, 0, false, false)
            for byte in json {
                switch byte {
                case _ where isEscaped: isEscaped = false
                case UInt8(ascii: "\\") where isQuoted: isEscaped = true
                case UInt8(ascii: "\""): isQuoted.toggle()
                case UInt8(ascii: "{") where !isQuoted, UInt8(ascii: "[") where !isQuoted:
                    depth += 1
                    deepest = max(deepest, depth)
                case UInt8(ascii: "}") where !isQuoted, UInt8(ascii: "]") where !isQuoted: depth -= 1
                default: continue
                }
            }
            return deepest
        }
    }

    /// Applies a patch at a path. Returns `false` if the place doesn't exist, or is of another kind.
    mutating func apply(_ patch: Patch, at path: ArraySlice<GraphQLError.PathComponent>) -> Bool {
        var (path, index) = (path, Int?.none)
        if patch.form == .withPath, case .index(let last)? = path.last {
            index = last
            path = path.dropLast()
        }
        switch (patch.change, index) {
        case (.items(let items), let index): return change(at: path) { $0.append(items, at: index) }
        case (.members(let value), let index?), (.value(let value), let index?):
            return change(at: path) { $0.setElement(value, at: index) }
        case (.members(let value), nil): return change(at: path) { $0.merge(value) }
        // A deferred fragment that failed: its errors say why.
        case (.value(let value), nil): return value.isNull
        }
    }

    private mutating func merge(_ patch: MergedJSON) -> Bool {
        var patch = patch
        expand()
        patch.expand()
        guard case .object(var members) = self, case .object(let more) = patch else { return false }
        self = .null
        defer { self = .object(members) }
        for name in more.names {
            guard let value = more[name] else { continue }
            // Fields of objects that several fragments select are merged.
            if !members.change(name, { $0.merge(value) }) { members[name] = value }
        }
        return true
    }

    /// Appends to a list. An older form names the index of the first new element.
    private mutating func append(_ items: [MergedJSON], at index: Int?) -> Bool {
        expand()
        guard case .array(var elements) = self, index.map({ $0 == elements.count }) ?? true else { return false }
        self = .null
        elements += items
        self = .array(elements)
        return true
    }

    /// Appends the next element of a list, or merges members into an element.
    private mutating func setElement(_ value: MergedJSON, at index: Int) -> Bool {
        expand()
        guard case .array(var elements) = self, index >= 0, index <= elements.count else { return false }
        self = .null
        defer { self = .array(elements) }
        if index == elements.count {
            elements.append(value)
            return true
        }
        return value.isNull || elements[index].merge(value)
    }

    /// Changes the value at a path in place.
    private mutating func change(
        at path: ArraySlice<GraphQLError.PathComponent>, _ body: (inout MergedJSON) -> Bool
    ) -> Bool {
        guard let first = path.first else { return body(&self) }
        expand()
        let rest = path.dropFirst()
        switch (self, first) {
        case (.object(var members), .field(let name)):
            // Released first, so that the members aren't copied.
            self = .null
            defer { self = .object(members) }
            return members.change(name) { $0.change(at: rest, body) }
        case (.array(var elements), .index(let index)):
            self = .null
            defer { self = .array(elements) }
            guard elements.indices.contains(index) else { return false }
            return elements[index].change(at: rest, body)
        default: return false
        }
    }
}
