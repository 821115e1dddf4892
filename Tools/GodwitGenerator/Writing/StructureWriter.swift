/// Writes a struct: properties, initializer, and only the coding that Swift can't synthesize.
struct StructureWriter {
    private let model: ModelPlan
    private let plan: StructurePlan
    private let models: ModelWriter

    init(_ model: ModelPlan, _ plan: StructurePlan, _ models: ModelWriter) {
        self.model = model
        self.plan = plan
        self.models = models
    }

    private var prefix: String { models.prefix }

    func write(to text: inout SourceText) {
        let identifiable = plan.identifier == nil ? [] : ["Identifiable"]
        let head = "nonisolated \(prefix)struct \(model.name.last)"
        let protocols = model.isReadable ? ["Codable", "JSONReadable"] : ["Codable"]
        text.declaration(head, protocols + ["Sendable", "Hashable"] + identifiable) { text in
            properties(&text)
            if case .property(let name) = plan.identifier { identifier(name, &text) }
            text.space()
            initializer(&text)
            coding(&text)
            models.writeEnums(in: model.name, to: &text)
        }
    }

    private func properties(_ text: inout SourceText) {
        for property in plan.properties {
            text.doc(Self.summary(of: property))
            if property.isDeprecated { text.docDeprecation(after: property.summary) }
            text.line("\(prefix)var \(SwiftLiteral.identifier(property.name)): \(property.type.text(in: model.name))")
        }
        guard let additional = plan.additional else { return }
        text.docLine("Members that the document doesn't name, by key.")
        text.line("\(prefix)var additionalProperties: [String: \(additional.text(in: model.name))]")
    }

    private static func summary(of property: PropertyPlan) -> String? {
        guard let value = property.defaultValue, value.count <= 60, value != "null" else { return property.summary }
        let words = property.summary ?? ""
        return words.isEmpty ? "The server's default is `\(value)`." : words + "\n\nThe server's default is `\(value)`."
    }

    private func identifier(_ name: String, _ text: inout SourceText) {
        let type = plan.properties.first { $0.name == name }?.type.text(in: model.name) ?? "String"
        text.space()
        text.line("\(prefix)var id: \(type) { \(SwiftLiteral.identifier(name)) }")
    }

    private func initializer(_ text: inout SourceText) {
        var items = plan.properties.map { property in
            "\(SwiftLiteral.label(property.name)): \(property.type.text(in: model.name))\(Self.defaultValue(of: property))"
        }
        if let additional = plan.additional {
            items.append("additionalProperties: [String: \(additional.text(in: model.name))] = [:]")
        }
        guard !items.isEmpty else { return text.line("\(prefix)init() {}") }
        text.list("\(prefix)init(", items, ") {")
        text.indented { text in
            for property in plan.properties { Self.assign(property, &text) }
            if plan.additional != nil { text.line("self.additionalProperties = additionalProperties") }
        }
        text.line("}")
    }

    private static func defaultValue(of property: PropertyPlan) -> String {
        if let constant = property.constant { return " = \(constant)" }
        switch property.type {
        case .optional: return " = nil"
        case .patch: return " = .absent"
        default: return ""
        }
    }

    private static func assign(_ property: PropertyPlan, _ text: inout SourceText) {
        text.line("self.\(property.name) = \(SwiftLiteral.identifier(property.name))")
    }

    // MARK: Coding

    private var writesNull: Bool {
        model.direction.contains(.request) && plan.properties.contains(where: \.encodesNull)
    }

    private func coding(_ text: inout SourceText) {
        let isCustom = plan.additional != nil || writesNull
        if isCustom || plan.properties.contains(where: { needsKey($0) }) {
            text.space()
            codingKeys(&text)
        }
        if model.isReadable {
            text.space()
            reading(&text)
        }
        if plan.additional != nil {
            text.space()
            decoding(&text)
        }
        if isCustom {
            text.space()
            encoding(&text)
        }
    }

    private func needsKey(_ property: PropertyPlan) -> Bool { models.rawKey(property.key) != property.name }

    private func codingKeys(_ text: inout SourceText) {
        guard !plan.properties.isEmpty else {
            return text.line("nonisolated private enum CodingKeys: CodingKey {}")
        }
        text.block("nonisolated private enum CodingKeys: String, CodingKey") { text in
            var plain: [String] = []
            for property in plan.properties {
                let name = SwiftLiteral.identifier(property.name)
                if needsKey(property) {
                    Self.cases(&plain, &text)
                    text.line("case \(name) = \(SwiftLiteral.string(models.rawKey(property.key)))")
                } else {
                    plain.append(name)
                }
            }
            Self.cases(&plain, &text)
        }
    }

    /// Writes the cases whose raw values are their names, as many on a line as fit.
    private static func cases(_ names: inout [String], _ text: inout SourceText) {
        var line: [String] = []
        for name in names {
            if (line + [name]).joined(separator: ", ").count > 90 {
                text.line("case " + line.joined(separator: ", "))
                line = []
            }
            line.append(name)
        }
        if !line.isEmpty { text.line("case " + line.joined(separator: ", ")) }
        names = []
    }

    private func reading(_ text: inout SourceText) {
        text.block("\(prefix)init(json: inout JSONObjectReader) throws") { text in
            for property in plan.properties {
                text.wrapped(
                    "self.\(property.name) = try json.read(\(SwiftLiteral.string(models.rawKey(property.key))))")
            }
        }
    }

    private func decoding(_ text: inout SourceText) {
        text.block("\(prefix)init(from decoder: any Decoder) throws") { text in
            text.line("let container = try decoder.container(keyedBy: CodingKeys.self)")
            for property in plan.properties {
                let name = SwiftLiteral.identifier(property.name)
                let (method, type) =
                    property.type.isOptional
                    ? ("decodeIfPresent", property.type.unwrapped.text(in: model.name))
                    : ("decode", property.type.text(in: model.name))
                text.line("self.\(property.name) = try container.\(method)(\(type).self, forKey: .\(name))")
            }
            let keys = plan.properties.map { SwiftLiteral.string($0.key) }
            text.array("let known: Set<String> = [", keys, "]")
            text.line("additionalProperties = try DynamicKey.values(from: decoder, except: known)")
        }
    }

    private func encoding(_ text: inout SourceText) {
        text.block("\(prefix)func encode(to encoder: any Encoder) throws") { text in
            text.line("var container = encoder.container(keyedBy: CodingKeys.self)")
            for property in plan.properties {
                let name = SwiftLiteral.identifier(property.name)
                let isSkipped = property.type.isOptional && !property.encodesNull
                let method = isSkipped ? "encodeIfPresent" : "encode"
                text.line("try container.\(method)(self.\(property.name), forKey: .\(name))")
            }
            if plan.additional != nil {
                text.line("try DynamicKey.encode(additionalProperties, to: encoder)")
            }
        }
    }
}
