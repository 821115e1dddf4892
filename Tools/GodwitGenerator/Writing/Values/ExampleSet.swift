/// The JSON that tests and the mock server use: examples of the document where they fit their types, made ones elsewhere.
struct ExampleSet: Sendable {
    /// A member of the generated enum.
    struct Entry: Sendable, Hashable {
        /// Without backticks.
        var name: String
        var json: String
        var node: DocumentNode

        /// The same on one line, for lines and events.
        var line: String { node.json }
    }

    /// The examples of a type.
    struct Model: Sendable {
        var plan: ModelPlan
        /// Complete ones: those of the document, or one that is made.
        var whole: [Entry]
        /// Only what must be there; `nil` if that is the same, or without such a value.
        var minimal: Entry?
    }

    /// As many examples of the document are tested for a type.
    static let countLimit = 5

    private(set) var models: [Model] = []
    /// The response of an operation, and the value for its body, by the operation's name.
    private(set) var responses: [String: Entry] = [:]
    private(set) var bodies: [String: Entry] = [:]
    /// Those that belong to operations, by catalog.
    private(set) var catalogs: [(catalog: CatalogPlan, entries: [Entry])] = []
    /// Examples of the document that aren't used.
    private(set) var notes: [Note] = []

    private let index: ModelIndex
    private var names = NameTable.members(["value", "roundTrip"])
    private var entries: [TypeName: Entry] = [:]

    init(_ plan: ClientPlan) {
        index = plan.index
        for model in plan.models { add(model) }
        for catalog in plan.catalogs {
            let entries = catalog.operations.flatMap { operation in add(operation) }
            if !entries.isEmpty { catalogs.append((catalog, entries)) }
        }
    }

    /// The first example of a type; `nil` if it has none.
    func example(of name: TypeName) -> Entry? { entries[name] }

    private var maker: ExampleMaker { ExampleMaker(models: index) }

    // MARK: Models

    private mutating func add(_ model: ModelPlan) {
        let type = SwiftType.model(model.name)
        switch model.kind {
        case .structure, .union: break
        case .enumeration, .alias: return
        }
        let name = SwiftName.member(model.name.components.joined(separator: " "))
        // Where a value can be null, the property or response says so, not its type.
        let examples = model.examples.filter { !$0.isNull }
        var whole = fitting(examples, type, of: "the type `\(model.name.text)`", at: nil).prefix(Self.countLimit)
            .compactMap { entry($0, name) }
        if whole.isEmpty { whole = made(type, .all).flatMap { entry($0, name) }.map { [$0] } ?? [] }
        guard let first = whole.first else {
            return notes.append(Note(.omission, "`\(model.name.text)` has no test: no example could be made"))
        }
        let minimal = maker.value(of: type, .required).flatMap { JSONText.pretty($0) == first.json ? nil : $0 }
        entries[model.name] = first
        models.append(Model(plan: model, whole: whole, minimal: minimal.flatMap { entry($0, name + "Minimal") }))
    }

    /// A value with all members; with the required ones if the type is too large for that.
    private func made(_ type: SwiftType, _ members: ExampleMaker.Members) -> DocumentNode? {
        maker.value(of: type, members) ?? maker.value(of: type, .required)
    }

    private mutating func entry(_ node: DocumentNode, _ name: String) -> Entry? {
        guard let json = JSONText.pretty(node) else { return nil }
        return Entry(name: names.take(name), json: json, node: node)
    }

    /// The examples that a type decodes and that aren't too long.
    private mutating func fitting(
        _ examples: [DocumentNode], _ type: SwiftType, in envelope: String? = nil, of owner: String,
        at place: SourcePlace?
    ) -> [DocumentNode] {
        let check = ExampleCheck(models: index)
        return examples.filter { example in
            let text = JSONText.pretty(example)
            let value = if let envelope { example[envelope] } else { example as DocumentNode? }
            if text != nil, let value, check.fits(value, type) { return true }
            let problem = value.flatMap { check.problem(in: $0, type) }
            let reason =
                text == nil
                ? "it has more than \(JSONText.sizeLimit >> 10) KB"
                : "it contradicts the schema" + (problem.map { ": \($0)" } ?? "")
            notes.append(Note(.omission, "An example of \(owner) isn't used: \(reason)", at: place ?? example.place))
            return false
        }
    }

    // MARK: Operations

    private mutating func add(_ operation: OperationPlan) -> [Entry] {
        let contents = operation.answers
        var added: [Entry] = []
        switch operation.response {
        case .json(let type), .events(let type?, _), .lines(let type?):
            let examples = contents.flatMap(\.examples).map(\.value)
            let envelope = operation.envelope
            responses[operation.name] = entry(
                for: type, in: envelope, examples, operation.name + "Response", operation, &added)
        case .byStatus(let plan):
            let item = plan.item(for: ServerWriter.status(of: operation))
            guard case .json(let type)? = item?.body else { break }
            responses[operation.name] = entry(
                for: type, in: nil, contents.flatMap(\.examples).map(\.value), operation.name + "Response", operation,
                &added)
        case .none, .text, .data, .events, .lines: break
        }
        if case .json(let type, _) = operation.body?.kind {
            let examples = (operation.source.body?.contents ?? []).flatMap(\.examples).map(\.value)
            bodies[operation.name] = entry(for: type, in: nil, examples, operation.name + "Body", operation, &added)
        }
        return added
    }

    /// The example of an operation if there is one, then that of the type, then one that is made.
    private mutating func entry(
        for type: SwiftType, in envelope: String?, _ examples: [DocumentNode], _ name: String,
        _ operation: OperationPlan, _ added: inout [Entry]
    ) -> Entry? {
        let owner = "`\(operation.name)`"
        if let example = fitting(examples, type, in: envelope, of: owner, at: operation.source.place).first {
            let entry = entry(example, name)
            if let entry { added.append(entry) }
            return entry
        }
        var node: DocumentNode?
        if case .model(let model) = index.resolved(type.unwrapped), let entry = entries[model] {
            guard envelope != nil else { return entry }
            node = entry.node
        }
        guard let value = node ?? made(type, .all), let entry = entry(value.wrapped(in: envelope), name) else {
            notes.append(Note(.omission, "\(owner) has no example: none could be made", at: operation.source.place))
            return nil
        }
        added.append(entry)
        return entry
    }
}

extension DocumentNode {
    fileprivate func wrapped(in envelope: String?) -> DocumentNode {
        guard let envelope else { return self }
        return DocumentNode(.object([Member(key: envelope, value: self)]))
    }
}
