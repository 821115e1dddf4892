import Foundation
@testable import GodwitGenerator
import Testing

@Suite("G2 Names of other modules")
struct ForeignTypesTests {
    private static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The public types of a module, from docs/api.
    private func types(of module: String) throws -> [String] {
        let file = Self.repository.appending(path: "docs/api/\(module).txt")
        let words = ["struct", "class", "enum", "protocol", "typealias", "actor"]
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, !parts[0].contains("."), !parts[0].contains("(") else { return nil }
            let declaration = parts[1].split(separator: " ").first {
                !$0.hasPrefix("@") && $0 != "final" && $0 != "indirect"
            }
            return words.contains(declaration.map(String.init) ?? "") ? String(parts[0]) : nil
        }
    }

    @Test(
        "G2 a generated type never has the name of a type of Godwit; if this fails, run script/generated --names",
        arguments: [
            "Godwit", "GodwitBackground", "GodwitCore", "GodwitJSON", "GodwitOAuth", "GodwitStorage", "GodwitUI",
            "GodwitWire",
        ])
    func godwit(module: String) throws {
        let missing = try types(of: module).filter { !ReservedNames.types.contains($0) }
        #expect(missing == [])
    }

    @Test("G2 no schema has the name of a type of the support files")
    func support() throws {
        let folder = Self.repository.appending(path: "Tools/GodwitGenerator/Writing")
        let texts = try ["SupportText.swift", "SupportText+Parameters.swift"].map {
            try String(contentsOf: folder.appending(path: $0), encoding: .utf8)
        }
        let declaration = /(?m)^        nonisolated (?:public )?(?:indirect )?(?:struct|enum) ([A-Z]\w*)/
        let names = texts.flatMap { $0.matches(of: declaration).map { String($0.1) } }
        #expect(names.count >= 11)
        #expect(names.filter { !ReservedNames.written.contains($0) } == [])
    }

    @Test("G2 tests name their own type where Swift Testing or GodwitTesting has one")
    func testing() throws {
        #expect(try types(of: "GodwitTesting").filter { !ForeignTypes.testing.contains($0) } == [])
        #expect(ForeignTypes.testing.isSuperset(of: ["Issue", "Tag", "Test", "Comment"]))
    }

    @Test("G2 names of Swift, Foundation and SwiftUI get the name of the API in front")
    func renamed() throws {
        let names = [
            "View", "Text", "List", "State", "Image", "Group", "Result", "Data", "Error", "Task", "Comparable",
        ]
        let schemas = names.map { "\($0): {type: object, properties: {a: {type: string}}}" }.joined(separator: "\n")
        let plan = try Planner.plan(try api(schemas: schemas), GeneratorOptions())
        #expect(plan.models.map(\.name.text) == names.map { "T" + $0 }.sorted())
    }
}
