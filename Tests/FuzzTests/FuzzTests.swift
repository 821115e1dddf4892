import Godwit
import TestSupport
import Testing

private let seedFolder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Fuzzer/Seeds").path

private let targets = (try? FileManager.default.contentsOfDirectory(atPath: seedFolder))?.sorted() ?? []

/// Each target in a process of its own, as a trap ends one. `script/test --fuzz` runs them for longer.
@Suite("S9 Fuzzing", .timeLimit(.minutes(20)))
struct FuzzTests {
    @Test(
        "S9 a parser reads its seeds, and what random changes make of them, within limits of time and memory",
        arguments: targets)
    func target(_ name: String) async throws {
        let fuzzer = try #require(ChildProgram.built("Fuzzer"))
        let folder = TemporaryFolder()
        let input = folder.url.appending(path: "input")
        let child = try ChildProgram([fuzzer.path, name, seedFolder, input.path, "--rounds", "150", "1"])
        let code = await child.end()
        let data = try? Data(contentsOf: input)
        #expect(code == 0, "\(name) with the input (base64) \(data?.base64EncodedString() ?? "none")")
    }

    @Test("S9 every target has seeds")
    func seeds() async throws {
        let fuzzer = try #require(ChildProgram.built("Fuzzer"))
        let list = try await ChildProgram.output(of: [fuzzer.path, "list"])
        #expect(list.code == 0)
        let names = list.text.split(separator: "\n").map(String.init)
        #expect(names.sorted() == targets)
    }
}
