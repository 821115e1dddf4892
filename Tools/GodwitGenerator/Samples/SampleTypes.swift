/// The bodies of all operations, and the types that they share.
struct SampleTypes: Sendable {
    private(set) var payloads: [SamplePayload]
    /// The operations whose answers have tokens, in their order.
    private(set) var sessions: [Int] = []
    private(set) var notes: [Note] = []
    private var models = SampleModels()
    /// The types whose members are all optional: those of PATCH.
    private var changes: Set<String> = []

    init(_ operations: [SampleOperation]) throws(GenerationError) {
        payloads = try SamplePayload.payloads(operations)
        let slots = payloads.map { SampleSlot.slot($0, operations[$0.operation]) }
        let isLate = payloads.map { operations[$0.operation].route.kind == .single && $0.use != .request }
        let early = slots.indices.filter { !isLate[$0] }
        try resolve(early.map { ($0, slots[$0]) })
        // What a path alone doesn't say: `/profile` and `/articles/{id}/publish` can answer with a known type.
        try resolve(slots.indices.filter { isLate[$0] }.map { ($0, referToTwin($0) ? nil : slots[$0]) })
        for index in early where slots[index] == nil { _ = referToTwin(index) }
        SampleRepeats.join(&models, &payloads)
    }

    private mutating func resolve(_ slots: [(Int, SampleSlot?)]) throws(GenerationError) {
        for case (let index, let slot?) in slots {
            if slot.scope == "session", !sessions.contains(payloads[index].operation) {
                sessions.append(payloads[index].operation)
            }
            models.add(
                Self.key(slot), fallback: slot.fallback, nodes: payloads[index].shape?.at(slot.path[...])?.nodes ?? [])
        }
        try models.resolve()
        for case (let index, let slot?) in slots {
            guard let shape = payloads[index].shape, let name = models.name(of: Self.key(slot)) else { continue }
            payloads[index].shape = shape.replacing(at: slot.path[...], with: name)
            if slot.name.hasSuffix("Change"), payloads[index].use == .request { changes.insert(name) }
            if let key = envelope(slot, name) {
                models.add(key, fallback: slot.fallback + key.name.dropFirst(name.count), nodes: shape.nodes)
            }
        }
        try models.resolve()
        for case (let index, let slot?) in slots { nameEnvelope(of: index, slot) }
    }

    private static func key(_ slot: SampleSlot) -> SampleModels.Key {
        SampleModels.Key(name: slot.name, scope: slot.scope)
    }

    private func envelope(_ slot: SampleSlot, _ name: String) -> SampleModels.Key? {
        guard let suffix = slot.envelope, !slot.path.isEmpty else { return nil }
        let cut = SampleModels.Cut(path: slot.path, name: name)
        return SampleModels.Key(name: name + suffix, scope: slot.scope, cut: cut)
    }

    private mutating func nameEnvelope(of index: Int, _ slot: SampleSlot) {
        guard let name = models.name(of: Self.key(slot)), let key = envelope(slot, name),
            let found = models.name(of: key)
        else { return }
        payloads[index].shape?.kind = .reference(found)
        let text = "`\(found)` is named after `\(name)`, which it contains"
        if !notes.contains(where: { $0.text == text }) {
            notes.append(Note(.guess, text, at: payloads[index].shape?.place))
        }
    }

    /// Refers to a type with exactly the members of a body, of the object in it or of its elements.
    private mutating func referToTwin(_ index: Int) -> Bool {
        guard let shape = payloads[index].shape, payloads[index].use != .request else { return false }
        for path in Self.waysToResource(shape) {
            guard let found = shape.at(path[...]), let name = models.twin(of: found) else { continue }
            let replaced = shape.replacing(at: path[...], with: name)
            payloads[index].shape = replaced
            if let envelope = models.envelope(of: replaced, SampleModels.Cut(path: path, name: name)) {
                payloads[index].shape?.kind = .reference(envelope)
            }
            notes.append(Note(.guess, "`\(found.label)` is `\(name)`: it has the same members", at: found.place))
            return true
        }
        return false
    }

    private static func waysToResource(_ shape: SampleShape) -> [[SampleShape.Step]] {
        let members = shape.keys.flatMap { [[.member($0)], [.member($0), .element]] as [[SampleShape.Step]] }
        return [[], [.element]] + members
    }

    /// The types in the order of the operations that need them.
    func schemas(_ schemas: inout SampleSchemas) -> [APIDescription.NamedSchema] {
        let named = models.models.map { model in
            var schema = schemas.schema(model.shape)
            schema.isNullable = false
            if changes.contains(model.name), case .object(var object) = schema.kind {
                for index in object.properties.indices { object.properties[index].isRequired = false }
                schema.kind = .object(object)
            }
            return APIDescription.NamedSchema(name: model.name, schema: schema)
        }
        return SampleDrafts(named).schemas
    }
}
