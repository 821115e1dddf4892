#if canImport(Glibc)
import Godwit
import GodwitCommand
import TestSupport
import Testing

@Suite(
    "G1 script/install", .timeLimit(.minutes(15)),
    .enabled(if: SpawnedProgram.path != nil, "the godwit binary was not built"))
struct InstallTests {
    private static let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "script/install").path

    /// Runs the script with the programs that the tests were built with.
    private static func install(_ arguments: String..., in folder: TemporaryFolder) async throws -> String {
        let binaries = URL(filePath: try #require(SpawnedProgram.path)).deletingLastPathComponent().path
        let program = try SpawnedProgram(
            line: ["/usr/bin/env", "GODWIT_BINARIES=\(binaries)", "HOME=\(folder.url.path)", script] + arguments)
        let output = String(decoding: await program.standardOutput(), as: UTF8.self)
        let errors = await program.standardError()
        #expect(await program.exitCode() == 0, "\(errors)")
        return output
    }

    @Test("G1 script/install puts the programs, the manual page and the completions where it says, and removes them")
    func install() async throws {
        let folder = TemporaryFolder()
        let files = try await Self.install("--list", in: folder).split(separator: "\n").map { folder.path("p/\($0)") }
        #expect(files.count == 6)
        let said = try await Self.install(folder.path("p"), in: folder)
        #expect(said.hasPrefix("Installed godwit in \(folder.path("p"))/bin\n"))
        #expect(files.allSatisfy { FileManager.default.fileExists(atPath: $0) })
        let version = try SpawnedProgram(line: [folder.path("p/bin/godwit"), "--version"])
        #expect(String(decoding: await version.standardOutput(), as: UTF8.self) == "godwit \(Command.version)\n")
        #expect(try folder.read("p/share/man/man1/godwit.1") == (await Run.godwit("man").output))
        #expect(
            try folder.read("p/share/zsh/site-functions/_godwit") == (await Run.godwit("completion", "zsh").output))
        _ = try await Self.install("--uninstall", folder.path("p"), in: folder)
        #expect(!files.contains { FileManager.default.fileExists(atPath: $0) })
    }

    @Test("G1 script/install --help says where it installs")
    func help() async throws {
        #expect(
            try await Self.install("--help", in: TemporaryFolder()).contains("/usr/local for root, ~/.local for others")
        )
    }
}
#endif
