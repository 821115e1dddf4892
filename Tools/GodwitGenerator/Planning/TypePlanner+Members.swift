extension TypePlanner {
    mutating func structure(
        _ object: Schema.Object, _ variant: Variant, named name: TypeName
    ) -> StructurePlan {
        var members = NameTable.members(ReservedNames.properties)
        var plan = StructurePlan(properties: [], isPatch: variant == .change)
        for property in object.properties where isSent(property) {
            plan.properties.append(self.property(property, variant, in: name, &members))
        }
        if variant != .change { plan.identifier = Self.identifier(of: name, plan.properties) }
        if let additional = object.additional {
            let type = type(of: additional, variant, at: Place(parent: name, name: "additionalProperty"))
            plan.additional = isNullable(additional) && type != .json ? .optional(type) : type
        }
        return plan
    }

    /// Members that only the other side sends are left out.
    private func isSent(_ property: Schema.Property) -> Bool {
        if property.isReadOnly { return direction != .request }
        return !property.isWriteOnly || direction != .response
    }

    private mutating func property(
        _ property: Schema.Property, _ variant: Variant, in owner: TypeName, _ members: inout NameTable
    ) -> PropertyPlan {
        let schema = property.schema
        let place = Place(parent: owner, name: property.name)
        let base = type(of: schema, variant == .change ? .draft : variant, at: place)
        let isOptional = !property.isRequired || isNullable(schema) && base != .json
        let name = members.take(SwiftName.member(property.name))
        return PropertyPlan(
            name: name, key: property.name,
            type: variant == .change ? .patch(base) : isOptional ? .optional(base) : base,
            encodesNull: property.isRequired && isOptional,
            summary: schema.words(besides: name), isDeprecated: schema.isDeprecated,
            defaultValue: schema.defaultValue?.json, constant: variant == .change ? nil : Self.constant(of: property))
    }

    /// The only value of a member that is always sent: one with a default is, too, as it tells shapes apart.
    private static func constant(of property: Schema.Property) -> String? {
        let schema = property.schema
        guard let text = schema.constantText, !property.isRequired else {
            return property.isRequired ? schema.constant : nil
        }
        return schema.defaultValue?.string == text ? schema.constant : nil
    }

    /// `id`, or a property that is named after the type: `sighting_id` of a sighting.
    private static func identifier(of type: TypeName, _ properties: [PropertyPlan]) -> StructurePlan.Identifier? {
        let identifying: Set<SwiftType> = [
            .string, .integer, .builtin("Int64"), .builtin("UInt64"), .builtin("UUID"), .builtin("URL"),
        ]
        func isIdentifying(_ property: PropertyPlan) -> Bool {
            identifying.contains(property.type) && property.constant == nil
        }
        if let id = properties.first(where: { $0.name == "id" }) { return isIdentifying(id) ? .id : nil }
        let names = ["Id", "Identifier", "Uuid"].map { SwiftName.member(type.last) + $0 }
        return properties.first { names.contains($0.name) && isIdentifying($0) }.map { .property($0.name) }
    }

    mutating func union(_ union: Schema.Union, _ variant: Variant, named name: TypeName) -> UnionPlan {
        var cases: [UnionPlan.Case] = []
        var members = NameTable.members(["unknown", "several", "encode"])
        let labels = caseNames(of: union, named: name)
        for (index, (member, label)) in zip(union.members, labels).enumerated() {
            let type = type(of: member, variant, at: Place(parent: name, name: label))
            let tags = union.discriminator?.values.filter { $0.member == index }.map(\.value) ?? []
            if let same = cases.firstIndex(where: { $0.type == type }) {
                cases[same].tags += tags
                // Of several constants, none is the only one.
                cases[same].constant = nil
            } else {
                let name = members.take(SwiftName.member(label))
                let constant = isObject(type) ? nil : schemas.resolved(member).constant
                cases.append(UnionPlan.Case(name: name, type: type, tags: tags, constant: constant))
            }
        }
        // A value of a discriminated union that no tag leads to can't be read.
        guard let discriminator = union.discriminator, cases.allSatisfy({ !$0.tags.isEmpty && isObject($0.type) })
        else {
            return UnionPlan(cases: ordered(cases), allowsSeveral: union.allowsSeveral)
        }
        return UnionPlan(cases: cases, discriminator: discriminator.property)
    }

    private func isObject(_ type: SwiftType) -> Bool {
        guard case .model(let name) = type else { return false }
        switch models[name]?.kind {
        case .structure, .union, .alias: return true
        default: return false
        }
    }

    /// The types of the members of a union, each once.
    mutating func distinctTypes(of union: Schema.Union, _ variant: Variant, at place: Place) -> [SwiftType] {
        guard union.members.allSatisfy({ $0.isScalar }) else { return [.json, .json] }
        var types: [SwiftType] = []
        for member in union.members {
            if case .enumeration = member.kind { return [.json, .json] }
            let type = type(of: member, variant, at: place)
            if !types.contains(type) { types.append(type) }
        }
        return types
    }

    /// The names of the cases, without the words that all of them share with the union.
    private func caseNames(of union: Schema.Union, named name: TypeName) -> [String] {
        let labels = union.members.enumerated().map { caseName(of: $1, at: $0) }
        guard labels.count > 1, union.members.allSatisfy({ $0.isReference }) else { return labels }
        return SwiftName.withoutSharedWords(labels, in: name.components)
    }

    private func caseName(of schema: Schema, at index: Int) -> String {
        if case .reference(let name) = schema.kind { return FrameworkNames.word(for: name) }
        if let title = schema.title, title.count <= 40 { return title }
        switch schema.kind {
        case .boolean: return "bool"
        case .string(let format): return format == nil ? "string" : format ?? "string"
        case .integer: return "integer"
        case .number: return "number"
        case .enumeration(let enumeration):
            if case .strings(let values) = enumeration.values, values.count == 1 { return values[0] }
            return "option"
        case .array(let element): return caseName(of: element, at: index) + "List"
        case .dictionary: return "dictionary"
        case .any: return "other"
        case .reference, .union: return "variant\(index + 1)"
        case .object(let object):
            let constant = object.properties.lazy.compactMap { $0.isRequired ? $0.schema.constantText : nil }.first
            return constant ?? "variant\(index + 1)"
        }
    }

    /// Types that accept less are tried first: an integer before a number, an object with many required members before
    /// one with few.
    private func ordered(_ cases: [UnionPlan.Case]) -> [UnionPlan.Case] {
        cases.enumerated().sorted { left, right in
            let (one, other) = (strictness(left.element), strictness(right.element))
            return one == other ? left.offset < right.offset : one > other
        }.map(\.element)
    }

    private func strictness(_ item: UnionPlan.Case) -> Int {
        item.constant == nil ? strictness(item.type) : 35
    }

    private func strictness(_ type: SwiftType) -> Int {
        switch type {
        case .builtin("String"): 10
        case .builtin("Double"), .builtin("Decimal"): 20
        case .builtin("JSONValue"): 0
        case .builtin: 30
        case .open: 9
        case .array(let element): 1000 + min(strictness(element), 900)
        case .dictionary: 40
        case .optional(let type), .patch(let type), .indirect(let type): strictness(type)
        case .model(let name):
            if case .structure(let plan) = models[name]?.kind {
                50 + min(plan.properties.count { !$0.type.isOptional && $0.constant == nil } * 2, 400)
                    + min(plan.properties.count { $0.constant != nil } * 8, 400) + (plan.properties.isEmpty ? 0 : 1)
            } else {
                45
            }
        }
    }
}

extension Schema {
    fileprivate var isReference: Bool { if case .reference = kind { true } else { false } }

    /// The document's words, without a title that only repeats a name: `Access Token` for `accessToken`.
    func words(besides name: String) -> String? {
        if let summary, !summary.isEmpty { return summary }
        return title.flatMap { SwiftName.isSame($0, name) ? nil : $0 }
    }

    var isScalar: Bool {
        switch kind {
        case .boolean, .string, .integer, .number, .enumeration: true
        default: false
        }
    }

    /// The only text that a value can be.
    var constantText: String? {
        guard case .enumeration(let enumeration) = kind, case .strings(let values) = enumeration.values,
            values.count == 1
        else { return nil }
        return values[0]
    }

    /// The only value, as a Swift literal.
    var constant: String? {
        guard case .enumeration(let enumeration) = kind, !isNullable else { return nil }
        switch enumeration.values {
        case .strings(let values): return values.count == 1 ? SwiftLiteral.string(values[0]) : nil
        case .integers(let values): return values.count == 1 ? "\(values[0])" : nil
        }
    }
}

extension EnumerationPlan {
    init(_ enumeration: Schema.Enumeration) {
        var names = NameTable.members(ReservedNames.rawValues)
        let raw: [String] =
            switch enumeration.values {
            case .strings(let values): values
            case .integers(let values): values.map(String.init)
            }
        base = enumeration.base
        let isInteger = base == .integer
        cases = raw.enumerated().map { index, value in
            let given = index < enumeration.names.count ? enumeration.names[index] : nil
            let label = given ?? (isInteger ? "value\(value.replacing("-", with: "Minus"))" : value)
            return Case(
                name: names.take(SwiftName.member(label)), rawValue: value,
                summary: index < enumeration.summaries.count ? enumeration.summaries[index] : nil)
        }
    }
}

extension DocumentNode {
    /// The value as JSON on one line.
    var json: String {
        switch value {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .number(let text): text
        case .string(let text): SwiftLiteral.json(text)
        case .array(let elements): "[" + elements.map(\.json).joined(separator: ", ") + "]"
        case .object(let members):
            "{" + members.map { SwiftLiteral.json($0.key) + ": " + $0.value.json }.joined(separator: ", ") + "}"
        }
    }
}
