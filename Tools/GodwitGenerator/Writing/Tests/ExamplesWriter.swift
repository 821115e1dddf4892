/// Writes the JSON of examples as Swift literals: those of types, and those of each catalog.
struct ExamplesWriter: Sendable {
    let plan: ClientPlan
    let options: GeneratorOptions
    var layout = OutputLayout.package
    let examples: ExampleSet

    /// As many examples of types are in one file.
    private static let countLimit = 60

    private var type: String { plan.name + "Examples" }

    var files: [GeneratedFile] {
        var entries = examples.models.flatMap { $0.whole + ($0.minimal.map { [$0] } ?? []) }[...]
        var files = [base]
        while !entries.isEmpty {
            let number = files.count == 1 ? "" : "\(files.count)"
            files.append(file("Models\(number)", "JSON of types.", Array(entries.prefix(Self.countLimit))))
            entries = entries.dropFirst(Self.countLimit)
        }
        return files
            + examples.catalogs.map {
                file($0.catalog.name + "Operations", "JSON of bodies and responses.", $0.entries)
            }
    }

    private func file(_ name: String, _ summary: String, _ entries: [ExampleSet.Entry]) -> GeneratedFile {
        var text = SourceText()
        text.line("// \(summary)")
        text.block("nonisolated extension \(type)") { text in
            for entry in entries {
                text.space()
                let lines = SwiftLiteral.rawLines(entry.json)
                text.line("static let \(SwiftLiteral.identifier(entry.name)) = \(lines[0])")
                text.indented { text in
                    for line in lines.dropFirst() { text.line(line) }
                }
            }
        }
        return GeneratedFile(path: layout.test("Examples/\(type)+\(name).swift", in: plan), text: text.text)
    }

    private var base: GeneratedFile {
        var text = SourceText(testing: plan, options)
        let ambiguous = plan.models.filter { $0.name.parent == nil && ForeignTypes.testing.contains($0.name.text) }
        if !ambiguous.isEmpty {
            text.line("// Other modules have types with these names.")
            for model in ambiguous { text.line("typealias \(model.name.text) = \(plan.name).\(model.name.text)") }
            text.line()
        }
        text.docLine("Examples of the API's types and operations, as JSON.")
        text.block("nonisolated enum \(type)") { text in
            text.docLine("The value of JSON, as the client reads it.")
            text.block("static func value<Value: Decodable>(_ json: String) throws -> Value") { text in
                text.line("try \(plan.name)API.coding.decode(Value.self, from: Data(json.utf8))")
            }
            text.line()
            text.docLine("Expects that a type reads JSON, and that it is equal after it was written and read again.")
            text.line("static func roundTrip<Value: Codable & Equatable>(_ json: String, as type: Value.Type) throws {")
            text.indented { text in
                text.line("let value: Value = try value(json)")
                text.line("let written = try \(plan.name)API.coding.encode(value)")
                text.line("#expect(try \(plan.name)API.coding.decode(type, from: written) == value)")
            }
            text.line("}")
        }
        return GeneratedFile(path: layout.test("Examples/\(type).swift", in: plan), text: text.text)
    }
}
