/// Writes an enum for one of several shapes, and its coding.
struct UnionWriter {
    private let name: TypeName
    private let plan: UnionPlan
    private let models: ModelWriter

    init(_ name: TypeName, _ plan: UnionPlan, _ models: ModelWriter) {
        self.name = name
        self.plan = plan
        self.models = models
    }

    private var prefix: String { models.prefix }

    func write(to text: inout SourceText) {
        let indirect = plan.isIndirect ? "indirect " : ""
        text.declaration("nonisolated \(prefix)\(indirect)enum \(name.last)", ["Codable", "Sendable", "Hashable"]) {
            text in
            for item in plan.cases {
                text.wrapped("case \(SwiftLiteral.identifier(item.name))(\(item.type.text(in: name)))")
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
            text.list("case ", item.tags.map(SwiftLiteral.string), ":")
            let value = "try container.decode(\(item.type.text(in: name)).self)"
            text.indented { $0.wrapped("self = .\(SwiftLiteral.identifier(item.name))(\(value))") }
        }
        text.line("default:")
        text.indented { $0.line("self = .unknown(try container.decode(JSONValue.self))") }
        text.line("}")
    }

    /// The first shape that fits.
    private func trying(_ text: inout SourceText) {
        text.line("let container = try decoder.singleValueContainer()")
        for (index, item) in plan.cases.enumerated() {
            let start = index == 0 ? "if" : "} else if"
            text.wrapped("\(start) let value = try? container.decode(\(item.type.unwrapped.text(in: name)).self) {")
            text.indented { $0.line("self = .\(SwiftLiteral.identifier(item.name))(value)") }
        }
        text.line(plan.cases.isEmpty ? "do {" : "} else {")
        text.indented { $0.line("self = .unknown(try container.decode(JSONValue.self))") }
        text.line("}")
    }

    private func encoding(_ text: inout SourceText) {
        text.block("\(prefix)func encode(to encoder: any Encoder) throws") { text in
            text.line("var container = encoder.singleValueContainer()")
            text.line("switch self {")
            for item in plan.cases + [UnionPlan.Case(name: "unknown", type: .json)] {
                text.branch("case .\(SwiftLiteral.identifier(item.name))(let value):", "try container.encode(value)")
            }
            text.line("}")
        }
    }
}
