/// Writes `ModelTests.swift`: every example is read and written without a loss.
struct ModelTestWriter: Sendable {
    let plan: ClientPlan
    let options: GeneratorOptions
    var layout = OutputLayout.package
    let examples: ExampleSet

    /// As many tests are in one file.
    private static let countLimit = 50

    var files: [GeneratedFile] {
        var models = examples.models[...]
        var files: [GeneratedFile] = []
        while !models.isEmpty {
            files.append(file(number: files.count + 1, Array(models.prefix(Self.countLimit))))
            models = models.dropFirst(Self.countLimit)
        }
        let enumerations = plan.models.filter(\.isEnumeration)
        return files + (enumerations.isEmpty ? [] : [unknownValues(enumerations)])
    }

    /// The number of tests.
    var count: Int { examples.models.count + plan.models.count(where: \.isEnumeration) }

    private func file(number: Int, _ models: [ExampleSet.Model]) -> GeneratedFile {
        let suffix = number == 1 ? "" : "\(number)"
        var text = SourceText(testing: plan, options)
        text.line("@Suite(\"Types are read and written without a loss\(number == 1 ? "" : ", part \(number)")\")")
        text.block("struct ModelTests\(suffix)") { text in
            var names = NameTable.members()
            for model in models {
                text.space()
                test(model, named: names.take(Self.functionName(model.plan.name)), &text)
            }
        }
        return GeneratedFile(path: layout.test("ModelTests\(suffix).swift", in: plan), text: text.text)
    }

    private func test(_ model: ExampleSet.Model, named name: String, _ text: inout SourceText) {
        let minimal = model.minimal == nil ? "" : ", also without optional members"
        text.wrapped("@Test(\"\(model.plan.name.text)\(minimal)\")")
        text.block("func \(SwiftLiteral.identifier(name))() throws") { text in
            for entry in model.whole + (model.minimal.map { [$0] } ?? []) {
                text.wrapped(
                    "try \(plan.name)Examples.roundTrip(\(plan.name)Examples.\(SwiftLiteral.identifier(entry.name)), "
                        + "as: \(model.plan.name.text).self)")
            }
        }
    }

    /// The name of a test, which differs from that of its type also in scripts without capitals.
    private static func functionName(_ type: TypeName) -> String {
        let name = SwiftName.member(type.components.joined(separator: " "))
        return name == type.components.joined() ? name + "Test" : name
    }

    private func unknownValues(_ models: [ModelPlan]) -> GeneratedFile {
        var text = SourceText(testing: plan, options)
        text.line("@Suite(\"Values that the server adds later are kept\")")
        text.block("struct UnknownValueTests") { text in
            var names = NameTable.members()
            for model in models {
                guard case .enumeration(let enumeration) = model.kind else { continue }
                text.space()
                let name = names.take(Self.functionName(model.name))
                let value = Self.unknown(enumeration)
                text.wrapped("@Test(\"\(model.name.text)\")")
                text.block("func \(SwiftLiteral.identifier(name))() throws") { text in
                    text.line("let json = #\"\(enumeration.base == .string ? "[\"\(value)\"]" : "[\(value)]")\"#")
                    let literal = enumeration.base == .string ? SwiftLiteral.string(value) : value
                    text.line("let values: [Open<\(model.name.text)>] = try \(plan.name)Examples.value(json)")
                    text.line("#expect(values == [.unknown(\(literal))])")
                }
            }
        }
        return GeneratedFile(path: layout.test("UnknownValueTests.swift", in: plan), text: text.text)
    }

    /// A raw value that no case has.
    private static func unknown(_ enumeration: EnumerationPlan) -> String {
        let known = Set(enumeration.cases.map(\.rawValue))
        guard enumeration.base == .integer else {
            var text = "added later"
            while known.contains(text) { text += "!" }
            return text
        }
        // There are fewer cases than numbers.
        return (0...known.count).map { String(999_999 + $0) }.first { !known.contains($0) } ?? "-1"
    }
}
