/// Makes JSON that a planned type decodes, where the document has no example.
///
/// Required members of a type that contains itself end at ``depthLimit``: such a type has no finite value.
struct ExampleMaker: Sendable {
    /// Which members objects have.
    enum Members: Sendable {
        /// Those that must be there.
        case required
        /// All near the root, then those that must be there.
        case all
    }

    static let depthLimit = 24
    /// As many values are made at most, so that wide types don't multiply.
    static let countLimit = 400

    let models: ModelIndex

    /// A value of a type; `nil` if there is none within the limits.
    func value(of type: SwiftType, _ members: Members = .all) -> DocumentNode? {
        var work = Work(models: models, members: members)
        return work.value(of: type, hint: "text", depth: 0)
    }
}

extension ExampleMaker {
    private struct Work {
        let models: ModelIndex
        let members: Members
        var count = 0

        mutating func value(of type: SwiftType, hint: String, depth: Int) -> DocumentNode? {
            count += 1
            guard depth < ExampleMaker.depthLimit, count < ExampleMaker.countLimit else { return nil }
            switch models.resolved(type) {
            case .builtin(let name): return DocumentNode(ExampleMaker.builtin(name, hint: hint))
            case .model(let name), .open(let name): return value(of: name, depth: depth)
            case .array(let element):
                guard isRoomy(depth), let value = value(of: element, hint: hint, depth: depth + 1) else {
                    return DocumentNode(.array([]))
                }
                return DocumentNode(.array([value]))
            case .dictionary(let element):
                guard isRoomy(depth), let value = value(of: element, hint: hint, depth: depth + 1) else {
                    return DocumentNode(.object([]))
                }
                return DocumentNode(.object([.init(key: "key", value: value)]))
            case .optional(let wrapped):
                guard isRoomy(depth) else { return DocumentNode(.null) }
                return value(of: wrapped, hint: hint, depth: depth) ?? DocumentNode(.null)
            case .patch(let wrapped), .indirect(let wrapped): return value(of: wrapped, hint: hint, depth: depth)
            }
        }

        /// Whether elements are made that could be left out.
        private func isRoomy(_ depth: Int) -> Bool { depth < 4 && count < ExampleMaker.countLimit / 2 }

        private mutating func value(of name: TypeName, depth: Int) -> DocumentNode? {
            switch models[name]?.kind {
            case .structure(let plan): return object(plan, depth: depth)
            case .enumeration(let plan):
                guard let first = plan.cases.first else { return nil }
                return DocumentNode(plan.base == .string ? .string(first.rawValue) : .number(first.rawValue))
            case .union(let plan): return union(plan, depth: depth)
            case .alias, nil: return nil
            }
        }

        private mutating func object(_ plan: StructurePlan, depth: Int) -> DocumentNode? {
            var result: [DocumentNode.Member] = []
            for property in plan.properties {
                let isRequired = property.isAlwaysInJSON
                guard isRequired || members == .all && depth < 2 && count < ExampleMaker.countLimit / 4 else {
                    continue
                }
                let value = property.constantNode ?? value(of: property.type, hint: property.key, depth: depth + 1)
                if let value, isRequired || !value.isNull {
                    result.append(.init(key: property.key, value: value))
                } else if isRequired {
                    return nil
                }
            }
            return DocumentNode(.object(result))
        }

        private mutating func union(_ plan: UnionPlan, depth: Int) -> DocumentNode? {
            for choice in plan.cases {
                guard let value = value(of: choice.type, hint: choice.name, depth: depth + 1) else { continue }
                guard let key = plan.discriminator, let tag = choice.tags.first else { return value }
                return value.setting(key, to: DocumentNode(.string(tag)))
            }
            return nil
        }
    }

    /// A plausible value of a type of Swift, Foundation or Godwit.
    static func builtin(_ name: String, hint: String) -> DocumentNode.Value {
        switch name {
        case "Bool": .bool(true)
        case "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64": .number("1")
        case "Double", "Float", "Decimal": .number("1.5")
        case "Date": .string("2026-03-01T12:30:00Z")
        case "Day": .string("2026-03-01")
        case "URL", "HTTPURL": .string("https://example.com/")
        case "UUID": .string("7F4C1B2A-0D3E-4A5B-8C6D-9E0F1A2B3C4D")
        case "Data": .string("R29kd2l0")
        default: .string(text(for: hint))
        }
    }

    /// The name of a property as words, or an address where one is expected.
    static func text(for hint: String) -> String {
        if hint.lowercased().hasSuffix("email") { return "ann@example.com" }
        let words = String(hint.prefix(40).map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : " " })
        let text = words.split(separator: " ").joined(separator: " ")
        return text.isEmpty ? "text" : text
    }
}

extension PropertyPlan {
    /// Whether the member is always there: it has a value, or is null.
    var isAlwaysInJSON: Bool {
        if case .patch = type { return false }
        return !type.isOptional || encodesNull
    }

    /// The only value that the member can have; `nil` if there are several.
    var constantNode: DocumentNode? {
        guard let constant else { return nil }
        guard let text = SwiftLiteral.text(of: constant) else { return DocumentNode(.number(constant)) }
        return DocumentNode(.string(text))
    }
}

extension DocumentNode {
    /// A value that is made here, not read.
    init(_ value: Value) {
        self.init(value: value, place: SourcePlace(file: "-"))
    }

    /// The object with a member replaced or added; other values unchanged.
    func setting(_ key: String, to value: DocumentNode) -> DocumentNode {
        guard case .object(var members) = self.value else { return self }
        if let index = members.firstIndex(where: { $0.key == key }) {
            members[index].value = value
        } else {
            members.insert(Member(key: key, value: value), at: 0)
        }
        return DocumentNode(value: .object(members), place: place)
    }
}
