/// Reads the schemas of a document.
struct SchemaReader {
    /// How deeply schemas are nested in others, without references.
    static let maximumDepth = 40
    /// How many schemas, parameters, media types and examples are read. A document that refers to the same large part
    /// from everywhere has more of them than it has lines.
    var maximumCount = 2_000_000

    var documents: DocumentSet
    private(set) var notes: [Note] = []
    private var known: Set<Note> = []
    /// The parts of other files whose fields are told.
    private var walked: Set<String> = []
    private var count = 0
    let version: OpenAPIVersion
    var names = SchemaNames()
    /// The schema with a name that is being read.
    private(set) var current: String?
    /// The schemas that have names and aren't read yet.
    var pending: [(name: String, node: DocumentNode)] = []
    var named: [APIDescription.NamedSchema] = []
    /// The names of parts of schemas that others refer to, by where they are.
    private var shared: [String: String] = [:]
    /// The names of the schemas that extend one, by its key; `nil` until it is needed.
    var descendants: [String: [String]]?
    /// The part with a name that is being read: it isn't a reference to itself.
    private var open: String?
    /// The schemas that have names, as they are written.
    var nodes: [String: DocumentNode] = [:]
    var depth = 0
    var merging = SchemaMerging()

    init(_ documents: DocumentSet, version: OpenAPIVersion) {
        self.documents = documents
        self.version = version
    }

    mutating func note(_ text: String, _ node: DocumentNode) {
        add(Note(.omission, text, at: node.place))
    }

    /// Adds a note, once: parts of a document that others refer to are read several times.
    mutating func add(_ note: Note) {
        if known.insert(note).inserted { notes.append(note) }
    }

    /// Names the fields that aren't read of a part in a file that isn't a whole document.
    mutating func noteFields(of node: DocumentNode, _ kind: OpenAPIFields.Kind) {
        guard documents.isPart(node.place.file), walked.insert(Self.key(of: node)).inserted else { return }
        for note in FieldWalk.notes(on: node, kind) { add(note) }
    }

    /// Whether one more value can be read; adds a note when the limit is reached.
    mutating func counts(_ node: DocumentNode) -> Bool {
        count += 1
        if count == maximumCount { note("the document has too many parts; the rest is left out", node) }
        return count < maximumCount
    }

    /// Reads `components/schemas`; all of them keep their names.
    mutating func readComponents() {
        let file = documents.root.place.file
        let schemas = documents.root["components"]?["schemas"]
        if let schemas, !schemas.isObject { note("`schemas` has to be an object, but is \(schemas.kindName)", schemas) }
        let members = schemas?.members ?? []
        for member in members {
            names.register(member.key, for: file + "#/components/schemas/" + JSONPointer.escaped(member.key))
        }
        for member in members {
            let node = adopted(member.value, as: member.key)
            nodes[member.key] = node
            pending.append((member.key, node))
        }
        nameSharedParts()
        readPending()
    }

    /// Names the parts of schemas that others refer to before these are read, so that both have one type.
    private mutating func nameSharedParts() {
        for reference in ReferenceScan.parts(in: documents.root) {
            guard let target = try? documents.target(of: reference.text, in: reference.file),
                target.node.isObject, target.node["$ref"] == nil
            else { continue }
            shared[Self.key(of: target.node)] = name(of: target)
        }
    }

    /// Names a schema that is written in place in a part that others refer to; one in a list or a map by its singular.
    mutating func share(_ node: DocumentNode, as name: String) {
        let key = Self.key(of: node)
        guard node.isObject, node["$ref"] == nil, shared[key] == nil else { return }
        guard SchemaParts.hasOwnType(node) else {
            guard let element = node["items"] ?? node["additionalProperties"] else { return }
            return share(element, as: EnglishNoun.singular(ofName: name))
        }
        if let known = names[key] {
            shared[key] = known
            return
        }
        let name = names.unique(name)
        names.register(name, for: key)
        shared[key] = name
        nodes[name] = node
        pending.append((name, node))
    }

    /// The name of a part of a schema that others refer to; `nil` for other schemas.
    func sharedName(of node: DocumentNode) -> String? {
        guard !shared.isEmpty else { return nil }
        let key = Self.key(of: node)
        return key == open ? nil : shared[key]
    }

    /// A component that is only a reference to a schema without a name gives it its name.
    private mutating func adopted(_ node: DocumentNode, as name: String) -> DocumentNode {
        guard let reference = node["$ref"], node.members.count == 1,
            let target = try? documents.target(of: reference.text ?? "", in: node.place.file),
            names[target.key] == nil
        else { return node }
        names.register(name, for: target.key)
        return target.node
    }

    /// The named schemas in document order, then those of other places in the order of their first references.
    mutating func finish() -> [APIDescription.NamedSchema] {
        readPending()
        var cycles = SchemaCycles(named)
        cycles.cut()
        for note in cycles.notes { add(note) }
        return cycles.schemas
    }

    private mutating func readPending() {
        var next = 0
        while next < pending.count {
            let (name, node) = pending[next]
            next += 1
            current = name
            open = Self.key(of: node)
            noteFields(of: node, .schema)
            let schema = schema(node)
            named.append(APIDescription.NamedSchema(name: name, schema: schema))
        }
        pending = []
        current = nil
    }

    /// What a reference stands for; `nil` with a note if there is nothing.
    mutating func target(of reference: DocumentNode) -> DocumentSet.Target? {
        guard let text = reference.string else {
            note("`$ref` has to be text, but is \(reference.kindName)", reference)
            return nil
        }
        do throws(GenerationError) {
            return try documents.target(of: text, in: reference.place.file)
        } catch {
            note("the reference `\(text)` can't be resolved: \(error)", reference)
            return nil
        }
    }

    /// The name of the schema that a reference stands for; it is read later.
    mutating func name(of target: DocumentSet.Target) -> String {
        // An anchor is another way to the same schema.
        if let name = names[target.key] ?? names[Self.key(of: target.node)] { return name }
        let name = names.add(for: target)
        nodes[name] = target.node
        pending.append((name, target.node))
        return name
    }
}

/// The names of schemas by where they are.
struct SchemaNames {
    private var names: [String: String] = [:]
    private var taken: Set<String> = []
    /// The number that was last added to a name.
    private var counts: [String: Int] = [:]

    subscript(key: String) -> String? { names[key] }

    mutating func register(_ name: String, for key: String) {
        names[key] = name
        taken.insert(name)
    }

    /// Names a schema after the last part of its reference.
    mutating func add(for target: DocumentSet.Target) -> String {
        let anchor = target.key.split(separator: "#").dropFirst().last.map { String($0) }
        let hint = target.tokens.isEmpty ? anchor.flatMap { $0.hasPrefix("/") ? nil : $0 } : Self.hint(target.tokens)
        let name = unique(hint ?? DocumentAddress.stem(target.file))
        names[target.key] = name
        return name
    }

    /// A name that isn't taken: with a number if it is.
    mutating func unique(_ hint: String) -> String {
        let hint = hint.isEmpty ? "Schema" : hint
        var name = hint
        while !taken.insert(name).inserted {
            counts[hint, default: 1] += 1
            name = hint + String(counts[hint, default: 2])
        }
        return name
    }

    /// The last token of a pointer that says something.
    static func hint(_ tokens: [String]) -> String {
        let structure: Set<String> = [
            "schema", "items", "allOf", "anyOf", "oneOf", "additionalProperties", "itemSchema", "content", "responses",
        ]
        return tokens.last { Int($0) == nil && !structure.contains($0) && !$0.contains("/") } ?? "Schema"
    }
}
