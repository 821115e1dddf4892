#if canImport(Glibc)
import Glibc
import Godwit
import GodwitCommand
import GodwitTesting
import TestSupport
import Testing

@Suite(
    "G1 the godwit program", .serialized, .timeLimit(.minutes(15)),
    .enabled(if: SpawnedProgram.path != nil, "the godwit binary was not built"))
struct ProgramTests {
    @Test("G1 standard output is the body and nothing else, and the exit code is the status's")
    func purity() async throws {
        let body = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })
        let server = try await MockServer { route in
            route.get("/bytes").reply(.bytes(body))
            route.get("/missing").reply(.text("no", status: .notFound))
        }
        let program = try SpawnedProgram(["get", "\(server.url)bytes", "-v", "--timing"])
        #expect(await program.standardOutput() == body)
        #expect(await program.standardError().contains("  total "))
        #expect(await program.exitCode() == 0)
        let missing = try SpawnedProgram(["get", "\(server.url)missing"])
        #expect(await missing.standardOutput() == Data("no".utf8))
        #expect(await missing.exitCode() == ExitCode.httpStatus.rawValue)
    }

    @Test("G1 -O names the file after the URL's last segment")
    func remoteName() async throws {
        let folder = TemporaryFolder()
        let server = try await MockServer { _ in .text("content") }
        let program = try SpawnedProgram(["get", "\(server.url)a/tides.txt?b=/c", "-O"], in: folder)
        #expect(await program.exitCode() == 0)
        #expect(try folder.names == ["tides.txt"])
        #expect(try folder.read("tides.txt") == "content")
        #expect(await Run.godwit("get", "\(server.url)a/", "-O").code == .usage)
    }

    @Test("G1 a body is read from standard input")
    func input() async throws {
        let server = try await MockServer { .text($0.text) }
        let program = try SpawnedProgram(["put", "\(server.url)", "--json", "-"])
        program.feed("{\"a\":1}")
        #expect(await program.standardOutput() == Data("{\"a\":1}".utf8))
        #expect(await program.exitCode() == 0)
    }

    @Test(
        "G1 a signal ends the transfer with its exit code, also while the output is not read",
        arguments: [(SIGINT, ExitCode.interrupted), (SIGTERM, .terminated)])
    func signals(number: Int32, code: ExitCode) async throws {
        let server = try await MockServer { $0.get("/").reply(.endlessChunks(of: 1 << 20, every: .milliseconds(1))) }
        let program = try SpawnedProgram(["get", "\(server.url)"])
        await program.waitForOutput()
        program.signal(number)
        #expect(await program.exitCode() == code.rawValue)
        #expect(await program.standardError().isEmpty)
        try await server.waitUntilConnectionsClose()
    }

    @Test("G1 a signal ends the wait for standard input")
    func signalWhileReading() async throws {
        let program = try SpawnedProgram(["post", "http://127.0.0.1:1/", "--data", "-"])
        // More than a pipe holds: the program is reading.
        await program.supply(Data(repeating: UInt8(ascii: "a"), count: 1 << 20))
        program.signal(SIGINT)
        #expect(await program.exitCode() == ExitCode.interrupted.rawValue)
    }

    @Test("G1 a closed pipe ends the program quietly, not by a signal")
    func closedPipe() async throws {
        let server = try await MockServer { $0.get("/").reply(.endlessChunks(of: 1000, every: .milliseconds(1))) }
        let program = try SpawnedProgram(["get", "\(server.url)"])
        await program.waitForOutput()
        program.closeOutput()
        #expect(await program.exitCode() == ExitCode.outputClosed.rawValue)
        #expect(await program.standardError().isEmpty)
    }

    @Test("G1 T24 the program starts without Foundation and libcurl")
    func linkage() async throws {
        let server = try await MockServer { $0.get("/").reply(.endlessChunks(of: 10, every: .milliseconds(1))) }
        let program = try SpawnedProgram(["get", "\(server.url)"])
        await program.waitForOutput()
        let libraries = program.mappedLibraries
        program.signal(SIGINT)
        _ = await program.exitCode()
        #expect(libraries.contains { $0.hasPrefix("libssl.so") })
        #expect(!libraries.contains { $0.hasPrefix("libFoundation.so") || $0.hasPrefix("libFoundationNetworking.so") })
        #expect(!libraries.contains { $0.hasPrefix("libcurl") })
    }
}
#endif
