@testable import GodwitGenerator
import Testing

@Suite("G2 The list of generated files")
struct OutputManifestTests {
    private let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    @Test("G2 if the list is lost, equal files are adopted and other marked ones count as edited")
    func lost() throws {
        try scratch.generate(["A.swift": "1", "B.swift": "1", "a.json": "1", "b.json": "1"])
        try FileManager.default.removeItem(atPath: scratch.place(".godwit-generated"))
        let changes = try scratch.generate(["A.swift": "1", "B.swift": "2", "a.json": "1", "b.json": "2"])
        #expect(changes.paths(.unchanged) == ["A.swift", "a.json"])
        #expect(changes.paths(.kept(.edited)) == ["B.swift"])
        #expect(changes.paths(.kept(.foreign)) == ["b.json"])
        #expect(changes.updatesManifest && !changes.isEmpty)
        #expect(try scratch.generate(["A.swift": "2", "a.json": "2"]).paths(.updated) == ["A.swift", "a.json"])
    }

    @Test("G2 a list with two branches of a merge in it is read, and written anew")
    func merged() throws {
        try scratch.generate(["A.swift": "1"])
        let one = try scratch.read(".godwit-generated")
        let file = try scratch.read("A.swift")
        try scratch.generate(["A.swift": "2"])
        let other = try scratch.read(".godwit-generated")
        try scratch.write("<<<<<<< HEAD\n\(one)=======\n\(other)>>>>>>> branch\n", to: ".godwit-generated")
        try scratch.write(file, to: "A.swift")
        let changes = try scratch.generate(["A.swift": "2"])
        #expect(changes.paths(.updated) == ["A.swift"])
        #expect(try scratch.read(".godwit-generated") == other)
    }

    @Test("G2 if only the list differs, it is written, and a check says so")
    func listOnly() throws {
        try scratch.generate(["A.swift": "1"])
        let list = try scratch.read(".godwit-generated")
        try scratch.write("# other\n" + list, to: ".godwit-generated")
        let changes = try scratch.generate(["A.swift": "1"])
        #expect(changes.paths(.unchanged) == ["A.swift"])
        #expect(!changes.isEmpty)
        #expect(try scratch.read(".godwit-generated") == list)
    }

    @Test("G2 a run that ended early is continued by the next")
    func endedEarly() throws {
        try scratch.generate(["A.swift": "1", "B.swift": "1"])
        let files = [GeneratedFile(path: "A.swift", text: "2"), GeneratedFile(path: "B.swift", text: "2")]
        let changes = try scratch.output.changes(for: files)
        try FileManager.default.removeItem(atPath: scratch.place("B.swift"))
        // A folder in the way: the second file can't be replaced.
        try scratch.write("", to: "B.swift/inner")
        #expect(throws: GenerationError.self) { try scratch.output.apply(changes) }
        try FileManager.default.removeItem(atPath: scratch.place("B.swift"))
        let next = try scratch.generate(["A.swift": "3", "B.swift": "3"])
        #expect(next.paths(.updated) == ["A.swift"])
        #expect(next.paths(.added) == ["B.swift"])
        #expect(try scratch.names() == [".godwit-generated", "A.swift", "B.swift"])
    }

    @Test("G2 entries that lead out of the folder are ignored")
    func outside() throws {
        try scratch.generate(["A.swift": "1"])
        try Data("mine".utf8).write(to: URL(filePath: "\(scratch.path)/outside.txt"))
        let digest = FileText("mine".utf8).digest
        try scratch.write(
            "sha256-\(digest) ../outside.txt\nsha256-\(digest) \(scratch.path)/outside.txt\n", to: ".godwit-generated")
        #expect(try scratch.generate(["A.swift": "1"]).paths(.removed) == [])
        #expect(FileManager.default.fileExists(atPath: "\(scratch.path)/outside.txt"))
    }

    @Test("G2 a list that isn't a file is an error")
    func folderAsList() throws {
        try scratch.write("", to: ".godwit-generated/inner")
        let error = #expect(throws: GenerationError.self) { try scratch.generate(["A.swift": "1"]) }
        #expect(error?.kind == .file)
        #expect(error?.description.hasSuffix(".godwit-generated: the list of generated files isn't a file") == true)
    }
}
