/// Writes an enum for one of several shapes, and its coding.
struct UnionWriter {
    private let name: TypeName
    private let plan: UnionPlan
    private let models: ModelWriter
    private let shapes: UnionShapes

    init(_ name: TypeName, _ plan: UnionPlan, _ models: ModelWriter) {
        self.name = name
        self.plan = plan
        self.models = models
        shapes = UnionShapes(plan, models.index)
    }

    private var prefix: String { models.prefix }

    func write(to text: inout SourceText) {
        let indirect = plan.isIndirect || shapes.allowsSeveral ? "indirect " : ""
        text.declaration("nonisolated \(prefix)\(indirect)enum \(name.last)", ["Codable", "Sendable", "Hashable"]) {
            text in
            for item in plan.cases {
                text.wrapped("case \(SwiftLiteral.identifier(item.name))(\(item.type.text(in: name)))")
            }
            if shapes.allowsSeveral {
                text.docLine("A value with the members of several shapes.")
                text.line("case several([\(name.last)])")
            }
            text.docLine("Another shape, as it was received.")
            text.line("case unknown(JSONValue)")
            text.space()
            decoding(&text)
            text.space()
            encoding(&text)
            if let discriminator = plan.discriminator {
                text.space()
                text.block("nonisolated private enum Discriminator: String, CodingKey") { text in
                    text.line("case value = \(SwiftLiteral.string(models.rawKey(discriminator)))")
                }
            }
            models.writeEnums(in: name, to: &text)
        }
    }

    // MARK: Decoding

    private func decoding(_ text: inout SourceText) {
        text.block("\(prefix)init(from decoder: any Decoder) throws") { text in
            if plan.discriminator == nil { trying(&text) } else { switching(&text) }
        }
    }

    /// By the value of the discriminator.
    private func switching(_ text: inout SourceText) {
        text.line("let tags = try decoder.container(keyedBy: Discriminator.self)")
        text.line("let container = try decoder.singleValueContainer()")
        text.line("switch try tags.decodeIfPresent(String.self, forKey: .value) {")
        for item in plan.cases {
            text.cases(item.tags.map(SwiftLiteral.string))
            let value = "try container.decode(\(item.type.text(in: name)).self)"
            text.indented { $0.wrapped("self = .\(SwiftLiteral.identifier(item.name))(\(value))") }
        }
        text.line("default:")
        text.indented { $0.line("self = .unknown(try container.decode(JSONValue.self))") }
        text.line("}")
    }

    /// Objects by the members that they have, then the first other shape that fits.
    private func trying(_ text: inout SourceText) {
        text.line("let container = try decoder.singleValueContainer()")
        let compared = shapes.compared
        if !compared.isEmpty {
            text.line("var shapes = ObjectShapes<Self>(decoder)")
            for item in compared { add(item, &text) }
            choosing(&text)
        }
        for item in plan.cases where !compared.contains(where: { $0.name == item.name }) {
            let condition = item.constant.map { ", value == \($0)" } ?? ""
            text.wrapped(
                "if let value = try? container.decode(\(item.type.unwrapped.text(in: name)).self)\(condition) {")
            text.indented { text in
                text.line("self = .\(SwiftLiteral.identifier(item.name))(value)")
                text.line("return")
            }
            text.line("}")
        }
        text.line("self = .unknown(try container.decode(JSONValue.self))")
    }

    private func choosing(_ text: inout SourceText) {
        if shapes.allowsSeveral {
            text.block("if shapes.all.count > 1") { text in
                text.line("self = .several(shapes.all)")
                text.line("return")
            }
        }
        text.block("if let best = shapes.all.first") { text in
            text.line("self = best")
            text.line("return")
        }
    }

    private func add(_ item: UnionPlan.Case, _ text: inout SourceText) {
        let value = "(try? container.decode(\(item.type.unwrapped.text(in: name)).self))"
        let condition = shapes.constants(of: item).map { "$0.\(SwiftLiteral.identifier($0.name)) == \($0.constant)" }
        let make = "Self.\(SwiftLiteral.identifier(item.name))"
        let selection = "\(condition.joined(separator: " && ")) ? \(make)($0) : nil"
        let choice = condition.isEmpty ? ".map(\(make))" : ".flatMap { \(selection) }"
        let keys = shapes.keys(of: item).map { SwiftLiteral.string(models.rawKey($0)) }
        let list = "[\(keys.joined(separator: ", "))])"
        let isShort = text.fits("    \(value)\(choice),")
        if isShort, text.fits("    " + list) { return text.wrapped("shapes.add(\(value)\(choice), \(list)") }
        text.line("shapes.add(")
        text.indented { text in
            if isShort || condition.isEmpty {
                text.line("\(value)\(choice),")
            } else {
                text.line("\(value).flatMap {")
                text.indented { $0.line(selection) }
                text.line("},")
            }
            text.array("[", keys, "])")
        }
    }

    // MARK: Encoding

    private func encoding(_ text: inout SourceText) {
        text.block("\(prefix)func encode(to encoder: any Encoder) throws") { text in
            let isPlain = !shapes.allowsSeveral && !plan.cases.contains { shapes.missesTag($0) }
            if isPlain { text.line("var container = encoder.singleValueContainer()") }
            text.line("switch self {")
            for item in plan.cases { encoding(item, isPlain: isPlain, &text) }
            if shapes.allowsSeveral {
                text.line("case .several(let values):")
                text.indented { $0.line("for value in values { try value.encode(to: encoder) }") }
            }
            text.branch(
                "case .unknown(let value):",
                isPlain ? "try container.encode(value)" : "try value.encode(to: encoder)")
            text.line("}")
        }
    }

    private func encoding(_ item: UnionPlan.Case, isPlain: Bool, _ text: inout SourceText) {
        let label = "case .\(SwiftLiteral.identifier(item.name))(let value):"
        if isPlain { return text.branch(label, "try container.encode(value)") }
        text.line(label)
        text.indented { text in
            if shapes.isModel(item) {
                text.line("try value.encode(to: encoder)")
            } else {
                // The encoder's rules, such as those for dates, apply to values in containers only.
                text.line("var container = encoder.singleValueContainer()")
                text.line("try container.encode(value)")
            }
            guard shapes.missesTag(item), let tag = item.tags.first else { return }
            text.line("var tags = encoder.container(keyedBy: Discriminator.self)")
            text.line("try tags.encode(\(SwiftLiteral.string(tag)), forKey: .value)")
        }
    }
}

/// What the shapes of a union have in common, and what tells them apart.
struct UnionShapes {
    private let plan: UnionPlan
    private let index: ModelIndex
    /// The objects that are told apart by their members; none if there is only one.
    let compared: [UnionPlan.Case]
    /// Whether a value can have the members of several shapes.
    let allowsSeveral: Bool

    init(_ plan: UnionPlan, _ index: ModelIndex) {
        self.plan = plan
        self.index = index
        let objects = plan.cases.filter { item in
            index.structure(item.type.unwrapped).map { $0.additional == nil || $0.additional == .json } ?? false
        }
        compared = plan.discriminator == nil && objects.count > 1 ? objects : []
        allowsSeveral = plan.allowsSeveral && !compared.isEmpty
    }

    func keys(of item: UnionPlan.Case) -> [String] {
        index.structure(item.type.unwrapped)?.properties.map(\.key) ?? []
    }

    /// The properties that are always there with one value.
    func constants(of item: UnionPlan.Case) -> [(name: String, constant: String)] {
        (index.structure(item.type.unwrapped)?.properties ?? []).compactMap { property in
            guard !property.type.isOptional, let constant = property.constant else { return nil }
            return (property.name, constant)
        }
    }

    func isModel(_ item: UnionPlan.Case) -> Bool {
        if case .model = index.resolved(item.type) { true } else { false }
    }

    /// Whether values of a case don't write the discriminator themselves.
    func missesTag(_ item: UnionPlan.Case) -> Bool {
        plan.discriminator.map { !writes($0, item.type, depth: 0) } ?? false
    }

    private func writes(_ key: String, _ type: SwiftType, depth: Int) -> Bool {
        guard depth < 16, case .model(let name) = index.resolved(type) else { return true }
        switch index[name]?.kind {
        case .structure(let plan): return plan.properties.contains { $0.key == key && !$0.type.isOptional }
        case .union(let plan):
            return plan.discriminator == key || plan.cases.allSatisfy { writes(key, $0.type, depth: depth + 1) }
        default: return true
        }
    }
}
