@testable import GodwitGenerator
import Testing

@Suite("G2 Paths of generated files")
struct OutputPathTests {
    private let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    @Test(
        "G2 a path that leads out of the folder, or that means something else elsewhere, is refused",
        arguments: [
            "", "/etc/passwd", "../A.swift", "a/../../A.swift", "a/..", "./A.swift", "a//A.swift", "a/", "..\\A.swift",
            "A\u{0}.swift", "A\n.swift", ".git/hooks/pre-commit", "x/.GIT/config", ".godwit-generated",
            String(repeating: "a", count: 256), String(repeating: "a/", count: 600) + "a",
        ])
    func refused(path: String) throws {
        let error = #expect(throws: GenerationError.self) { try scratch.generate([path: "text"]) }
        #expect(error?.kind == .invalid)
        #expect(!FileManager.default.fileExists(atPath: scratch.output.path))
    }

    @Test(
        "G2 dots inside names are allowed", arguments: ["a..b/C.swift", ".swift-format", "Endpoint+v1.0.swift", "..."])
    func allowed(path: String) throws {
        #expect(try scratch.generate([path: "text"]).paths(.added) == [path])
    }

    @Test(
        "G2 two files of one path are refused, also where capitals don't matter",
        arguments: [["A.swift", "A.swift"], ["A.swift", "a.swift"], ["a", "A/b.swift"], ["a/b/c", "a/b"]])
    func collisions(paths: [String]) {
        let error = #expect(throws: GenerationError.self) {
            try scratch.output.changes(for: paths.map { GeneratedFile(path: $0, text: "") })
        }
        #expect(error?.kind == .invalid)
    }

    @Test("G2 nothing is written through a symbolic link in the folder, nor deleted")
    func links() throws {
        try scratch.generate(["x/A.swift": "1", "B.swift": "1"])
        try FileManager.default.moveItem(atPath: scratch.place("x"), toPath: "\(scratch.path)/elsewhere")
        try FileManager.default.createSymbolicLink(
            atPath: scratch.place("x"), withDestinationPath: "\(scratch.path)/elsewhere")
        let error = #expect(throws: GenerationError.self) { try scratch.generate(["x/A.swift": "2", "B.swift": "1"]) }
        #expect(error?.description == "\(scratch.place("x/A.swift")): x is a symbolic link, which isn't followed")
        #expect(try scratch.generate(["B.swift": "1"]).paths(.removed) == [])
        #expect(FileManager.default.fileExists(atPath: "\(scratch.path)/elsewhere/A.swift"))
    }

    @Test("G2 a symbolic link that has the name of a file is left alone")
    func linkedFile() throws {
        try scratch.write("mine", to: "other.swift")
        try FileManager.default.createSymbolicLink(
            atPath: scratch.place("A.swift"), withDestinationPath: scratch.place("other.swift"))
        let changes = try scratch.generate(["A.swift": "1"], editedFiles: .overwritten)
        #expect(changes.paths(.kept(.foreign)) == ["A.swift"])
        #expect(try scratch.read("other.swift") == "mine")
    }

    @Test("G2 the folder itself can be a symbolic link")
    func linkedRoot() throws {
        try FileManager.default.createDirectory(atPath: "\(scratch.path)/real", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: scratch.output.path, withDestinationPath: "\(scratch.path)/real")
        try scratch.generate(["x/A.swift": "1"])
        #expect(FileManager.default.fileExists(atPath: "\(scratch.path)/real/x/A.swift"))
    }

    @Test("G2 a file in the place of the folder, or of a folder in it, is an error with its path")
    func fileAsFolder() throws {
        try scratch.write("mine", to: "x")
        let inner = #expect(throws: GenerationError.self) { try scratch.generate(["x/A.swift": "1"]) }
        #expect(inner?.description == "\(scratch.place("x/A.swift")): x isn't a folder")
        let root = OutputFolder(scratch.place("x"))
        let outer = #expect(throws: GenerationError.self) { try root.changes(for: []) }
        #expect(outer?.kind == .file)
        #expect(outer?.description == "\(scratch.place("x")): this isn't a folder")
    }

    @Test("G2 a folder that can't be made is an error with the system's reason")
    func impossibleFolder() throws {
        try scratch.write("mine", to: "x")
        let folder = OutputFolder(scratch.place("x/y"))
        let changes = try folder.changes(for: [GeneratedFile(path: "A.swift", text: "1")])
        let error = #expect(throws: GenerationError.self) { try folder.apply(changes) }
        #expect(error?.kind == .file)
        #expect(error?.description == "\(scratch.place("x/y")): can't make the folder: Not a directory")
    }

    #if os(Linux)
    @Test("G2 a write that the system refuses is an error with the path and the reason, and leaves no draft")
    func refusedWrite() throws {
        let error = #expect(throws: GenerationError.self) { try FileSystem.write("1", to: "/proc/self/A.swift") }
        #expect(error?.kind == .file)
        #expect(error?.description.hasPrefix("/proc/self/A.swift: can't write it: ") == true)
        try scratch.write("", to: "A.swift/inner")
        #expect(throws: GenerationError.self) { try FileSystem.write("1", to: scratch.place("A.swift")) }
        #expect(try scratch.names() == ["A.swift", "A.swift/inner"])
    }
    #endif
}
