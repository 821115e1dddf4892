import GodwitSupport

// The keywords that belong to one kind of value.
extension SchemaCheck {
    mutating func checkNumber(_ number: ExactNumber, _ keyword: DocumentNode.Member, of schema: DocumentNode) {
        let rule = keyword.value
        if keyword.key == "format", let format = rule.text, let problem = SchemaFormat.problem(in: number, format) {
            return refuse(problem)
        }
        guard let limit = rule.number else { return }
        switch keyword.key {
        case "minimum":
            // A boolean says so before OpenAPI 3.1.
            let isExclusive = schema["exclusiveMinimum"]?.bool == true
            if number < limit || isExclusive && number == limit {
                refuse("must be \(isExclusive ? "greater than" : "at least") \(limit)")
            }
        case "maximum":
            let isExclusive = schema["exclusiveMaximum"]?.bool == true
            if number > limit || isExclusive && number == limit {
                refuse("must be \(isExclusive ? "less than" : "at most") \(limit)")
            }
        case "exclusiveMinimum": if number <= limit { refuse("must be greater than \(limit)") }
        case "exclusiveMaximum": if number >= limit { refuse("must be less than \(limit)") }
        case "multipleOf": if number.isMultiple(of: limit) == false { refuse("must be a multiple of \(limit)") }
        default: break
        }
    }

    mutating func checkText(_ text: String, _ keyword: DocumentNode.Member) {
        let rule = keyword.value
        switch keyword.key {
        case "minLength": checkCount(text.unicodeScalars.count, least: rule, "character")
        case "maxLength": checkCount(text.unicodeScalars.count, most: rule, "character")
        case "pattern":
            if let pattern = rule.string, !matches(text, pattern) { refuse("must match the pattern \(pattern)") }
        case "format":
            if let format = rule.text, let problem = SchemaFormat.problem(in: text, format) { refuse(problem) }
        default: break
        }
    }

    mutating func checkArray(_ elements: [ExactJSON], _ keyword: DocumentNode.Member, of schema: DocumentNode) {
        let rule = keyword.value
        switch keyword.key {
        case "minItems": checkCount(elements.count, least: rule, "element")
        case "maxItems": checkCount(elements.count, most: rule, "element")
        case "uniqueItems":
            guard rule.bool == true else { return }
            count(elements.reduce(0) { $0 + $1.size })
            if Set(elements).count < elements.count { refuse("must not have an element twice") }
        case "prefixItems": checkTuple(elements, rule.elements)
        case "items":
            // Before 2020-12, a list of `items` meant what `prefixItems` does now.
            if case .array(let tuple) = rule.value { return checkTuple(elements, tuple) }
            let first = schema["prefixItems"]?.elements.count ?? 0
            for (index, element) in elements.enumerated().dropFirst(first) { check(element, at: "\(index)", rule) }
        default: break
        }
    }

    private mutating func checkTuple(_ elements: [ExactJSON], _ schemas: [DocumentNode]) {
        for (index, pair) in zip(elements, schemas).enumerated() { check(pair.0, at: "\(index)", pair.1) }
    }

    mutating func checkObject(
        _ members: [ExactText: ExactJSON], _ keyword: DocumentNode.Member, of schema: DocumentNode
    ) {
        let rule = keyword.value
        switch keyword.key {
        case "minProperties": checkCount(members.count, least: rule, "member")
        case "maxProperties": checkCount(members.count, most: rule, "member")
        case "required":
            count(rule.elements.count)
            for name in rule.elements.compactMap(\.text) where members[ExactText(name)] == nil {
                if !isForeign(name) { refuse("is required", at: name) }
            }
        case "properties":
            count(rule.members.count)
            for property in rule.members {
                guard let value = members[ExactText(property.key)] else { continue }
                check(value, at: property.key, property.value)
            }
        case "patternProperties":
            for (name, value) in Self.sorted(members) {
                for property in rule.members where matches(name, property.key) {
                    check(value, at: name, property.value)
                }
            }
        case "additionalProperties": checkAdditional(members, rule, schema)
        default: break
        }
    }

    private mutating func checkAdditional(
        _ members: [ExactText: ExactJSON], _ rule: DocumentNode, _ schema: DocumentNode
    ) {
        guard rule.bool != true else { return }
        let known = Set((schema["properties"]?.members ?? []).map { ExactText($0.key) })
        let patterns = (schema["patternProperties"]?.members ?? []).map(\.key)
        for (name, value) in Self.sorted(members.filter { !known.contains($0.key) }) {
            if !patterns.contains(where: { matches(name, $0) }) { check(value, at: name, rule) }
        }
    }

    /// In an order, so that the same value is refused with the same words.
    private static func sorted(_ members: [ExactText: ExactJSON]) -> [(name: String, value: ExactJSON)] {
        members.sorted { $0.key < $1.key }.map { ($0.key.description, $0.value) }
    }

    /// Whether a required property is sent by the other side only.
    private func isForeign(_ name: String) -> Bool {
        let parts = whole.map(references.parts) ?? []
        return parts.contains { $0["properties"]?[name].map { references.hasFlag(foreign, $0) } ?? false }
    }

    private mutating func checkCount(_ count: Int, least rule: DocumentNode, _ noun: String) {
        guard let limit = rule.number, ExactNumber(count) < limit else { return }
        refuse("must have at least \(limit) \(noun)\(limit == ExactNumber(1) ? "" : "s")")
    }

    private mutating func checkCount(_ count: Int, most rule: DocumentNode, _ noun: String) {
        guard let limit = rule.number, ExactNumber(count) > limit else { return }
        refuse("must have at most \(limit) \(noun)\(limit == ExactNumber(1) ? "" : "s")")
    }
}
