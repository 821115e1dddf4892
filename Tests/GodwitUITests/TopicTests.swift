import Foundation
import Testing

@Suite("The topics of the reference")
struct TopicTests {
    private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources/GodwitUI").standardizedFileURL

    /// The public types of a file, except those in others.
    private static func types(in file: URL) throws -> [String] {
        let kinds: Set<Substring> = ["class", "struct", "enum", "protocol", "actor", "typealias"]
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line in
            let words =
                line.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != " " }.first?.split(separator: " ") ?? []
            guard line.hasPrefix("public "), let kind = words.firstIndex(where: kinds.contains) else { return nil }
            return words.dropFirst(kind + 1).first.map(String.init)
        }
    }

    @Test("Each public type of GodwitUI is in one topic, and each topic is a type")
    func complete() throws {
        let catalog = Self.sources.appending(path: "GodwitUI.docc/GodwitUI.md")
        let topics = try String(contentsOf: catalog, encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix("- ``") }.map { $0.dropFirst(4).dropLast(2) }.map(String.init)
        let files =
            FileManager.default.enumerator(at: Self.sources, includingPropertiesForKeys: nil)?
            .compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" } ?? []
        let types = try files.flatMap(Self.types)
        #expect(types.count > 30 && types.sorted() == topics.sorted())
    }
}
