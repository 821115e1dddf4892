import GodwitPatterns
import GodwitSupport

/// Makes values that a schema accepts, with its limits: types have none, so that ``ExampleMaker`` can't.
struct SchemaExamples: Sendable {
    let validator: SchemaValidator

    func accepts(_ value: DocumentNode, _ schema: DocumentNode) -> Bool {
        validator.accepts(ExactJSON(value), schema)
    }

    /// Whether the document has a value as an example of the schema itself.
    func isExample(_ value: DocumentNode, of schema: DocumentNode) -> Bool {
        let examples = validator.references.parts(of: schema).flatMap { part in
            (part["example"].map { [$0] } ?? []) + (part["examples"]?.elements ?? [])
        }
        return examples.contains { ExactJSON($0) == ExactJSON(value) }
    }

    /// A value that a schema accepts; `nil` if none is found.
    func value(of schema: DocumentNode) -> DocumentNode? {
        // Of alternatives, the first one may not go together with the rest.
        for choice in 0..<4 {
            for members in [ExampleMaker.Members.all, .required] {
                var work = SchemaExampleWork(validator: validator, members: members, choice: choice)
                if let value = work.value(of: schema, hint: "text", depth: 0), accepts(value, schema) { return value }
            }
        }
        return nil
    }
}

/// Makes one value.
struct SchemaExampleWork {
    let validator: SchemaValidator
    let members: ExampleMaker.Members
    /// Which of several alternatives is taken.
    let choice: Int
    private var count = 0
    /// Differs for the elements of an array without repetitions.
    var variant = 0

    init(validator: SchemaValidator, members: ExampleMaker.Members, choice: Int) {
        self.validator = validator
        self.members = members
        self.choice = choice
    }

    mutating func value(of schema: DocumentNode, hint: String, depth: Int) -> DocumentNode? {
        count += 1
        guard depth < ExampleMaker.depthLimit, count < ExampleMaker.countLimit, schema.bool != false else { return nil }
        let limits = SchemaLimits(schema, validator.references, choice: choice)
        if let fixed = limits.fixed(variant) { return fixed }
        if variant == 0, let known = limits.examples.first(where: { accepts($0, schema) }) { return known }
        if limits.allowsNull, !isRoomy(depth) { return DocumentNode(.null) }
        switch limits.type {
        case "null": return DocumentNode(.null)
        case "boolean": return DocumentNode(.bool(variant.isMultiple(of: 2)))
        case "integer", "number": return first(limits.numbers(variant).map { .number($0) }, schema)
        case "array": return array(limits, hint: hint, depth: depth)
        case "object": return object(limits, depth: depth)
        default: return first(limits.texts(hint: hint, variant).map { .string($0) }, schema)
        }
    }

    private func accepts(_ value: DocumentNode, _ schema: DocumentNode) -> Bool {
        validator.accepts(ExactJSON(value), schema)
    }

    /// The first value that a schema accepts; the last one if it accepts none, as what is around it may.
    private func first(_ candidates: [DocumentNode.Value], _ schema: DocumentNode) -> DocumentNode? {
        let nodes = candidates.map { DocumentNode($0) }
        return nodes.first { accepts($0, schema) } ?? nodes.last
    }

    /// Whether elements and members are made that could be left out.
    private func isRoomy(_ depth: Int) -> Bool { depth < 4 && count < ExampleMaker.countLimit / 2 }

    private mutating func array(_ limits: SchemaLimits, hint: String, depth: Int) -> DocumentNode? {
        let (least, most) = (limits.least("minItems") ?? 0, limits.most("maxItems") ?? .max)
        let tuple = limits.all("prefixItems").first?.elements ?? []
        let items = limits.all("items").filter { $0.isObject || $0.bool != nil }
        let wanted = max(least, isRoomy(depth) ? min(max(1, tuple.count), most) : 0)
        guard wanted <= ExampleMaker.countLimit else { return nil }
        let differ = limits.all("uniqueItems").contains { $0.bool == true }
        let outer = variant
        defer { variant = outer }
        var (elements, taken): ([DocumentNode], Set<ExactJSON>) = ([], [])
        while elements.count < wanted {
            let schema = elements.count < tuple.count ? tuple[elements.count] : Self.joined(items)
            guard let element = value(of: schema, hint: hint, depth: depth + 1) else {
                // Elements that could be left out may have no value.
                return elements.count >= least ? DocumentNode(.array(elements)) : nil
            }
            if differ { variant += 1 }
            if !differ || taken.insert(ExactJSON(element)).inserted { elements.append(element) }
        }
        return DocumentNode(.array(elements))
    }

    private mutating func object(_ limits: SchemaLimits, depth: Int) -> DocumentNode? {
        let required = limits.required
        let (least, most) = (limits.least("minProperties") ?? 0, limits.most("maxProperties") ?? .max)
        var result: [DocumentNode.Member] = []
        var optionalCount = most.saturatingSubtracting(required.count)
        for (name, schemas) in limits.properties {
            let isRequired = required.contains(ExactText(name))
            let schema = Self.joined(schemas)
            if validator.references.hasFlag("writeOnly", schema) { continue }
            guard isRequired || isWanted(depth) && optionalCount > 0 || result.count < least else { continue }
            let value =
                limits.tags[name].map { DocumentNode(.string($0)) } ?? value(of: schema, hint: name, depth: depth + 1)
            if let value, isRequired || !value.isNull {
                result.append(.init(key: name, value: value))
                if !isRequired { optionalCount -= 1 }
            } else if isRequired {
                return nil
            }
        }
        return additional(limits, least, to: result, depth: depth)
    }

    private func isWanted(_ depth: Int) -> Bool {
        members == .all && depth < 2 && count < ExampleMaker.countLimit / 4
    }

    /// Adds the required members that no property describes, and as many others as there must be.
    private mutating func additional(
        _ limits: SchemaLimits, _ least: Int, to known: [DocumentNode.Member], depth: Int
    ) -> DocumentNode? {
        var result = known
        let described = Set(limits.properties.map { ExactText($0.name) })
        var names = limits.required.subtracting(described).sorted().map(\.description)
        let pattern = limits.all("patternProperties").first?.members.first
        let schemas = limits.all("additionalProperties").filter(\.isObject)
        let isDictionary = described.isEmpty && (!schemas.isEmpty || pattern != nil) && isRoomy(depth)
        let wanted = max(isDictionary && limits.most("maxProperties") != 0 ? 1 : 0, min(least, ExampleMaker.countLimit))
        while result.count + names.count < wanted {
            let length = names.last.map { $0.unicodeScalars.count + 1 } ?? 0
            let matching = pattern.flatMap { Pattern.example(of: $0.key, atLeast: length) }
            names.append(matching ?? "key\(names.isEmpty ? "" : "\(names.count)")")
        }
        let schema = pattern?.value ?? Self.joined(schemas)
        for name in names {
            guard let value = value(of: schema, hint: name, depth: depth + 1) else { return nil }
            result.append(.init(key: name, value: value))
        }
        return DocumentNode(.object(result))
    }

    /// One schema for several that all count.
    private static func joined(_ schemas: [DocumentNode]) -> DocumentNode {
        if schemas.count == 1 { return schemas[0] }
        return DocumentNode(.object([.init(key: "allOf", value: DocumentNode(.array(schemas)))]))
    }
}
