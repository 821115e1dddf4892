import Godwit
import GodwitCommand
import GodwitTesting
import Synchronization
import TestSupport
import Testing

@Suite("G4 godwit inspect", .timeLimit(.minutes(15)))
struct InspectCommandTests {
    private struct NoInput: InputSource {
        func read() async throws -> Data? { nil }
    }

    /// An output that a test can wait for.
    private final class Output: OutputSink {
        let isTerminal = false
        let written = Watched("")

        func write(_ data: Data) async throws(OutputError) {
            written.update { $0 += String(decoding: data, as: UTF8.self) }
        }
    }

    private func command(_ output: Output, _ errors: Output, in folder: URL) -> Command {
        Command(
            input: NoInput(), output: output, errors: errors, environment: ["XDG_CACHE_HOME": folder.path])
    }

    @Test("G4 godwit inspect prints the page's URL, publishes it, and withdraws it when it is interrupted")
    func page() async throws {
        let folder = TemporaryFolder()
        let (output, errors) = (Output(), Output())
        let file = folder.url.appending(path: "godwit/inspect")
        let task = Task { [command = command(output, errors, in: folder.url)] in await command.run(["inspect"]) }
        try await errors.written.wait { $0.contains("GODWIT_INSPECT=1") }
        let url = output.written.value.filter { !$0.isNewline }
        // The file is for programs: it also has what the page proves itself with, which a browser must not send.
        let published = try String(contentsOf: file, encoding: .utf8)
        #expect(published.hasPrefix(url) && published.count > url.count + 20)
        let index = try await APIClient(baseURL: url).send(Endpoint<Data>.get(""))
        #expect(String(decoding: index, as: UTF8.self).contains("Godwit inspector"))
        task.cancel()
        #expect(await task.value == .interrupted)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test("G4 godwit inspect refuses a URL, an invalid port and a port in use, and says why")
    func refusals() async throws {
        let folder = TemporaryFolder()
        let server = try await MockServer { route in route.any("*").optional().reply(.status(204)) }
        for (arguments, code, text) in [
            (["https://a.example"], ExitCode.usage, "takes no URL"), (["--port", "0"], .usage, "--port"),
            (["--port", "\(server.url.port)"], nil, "godwit: "),
        ] {
            let errors = Output()
            let result = await command(Output(), errors, in: folder.url).run(["inspect"] + arguments)
            #expect(result != .success && (code == nil || result == code))
            #expect(errors.written.value.contains(text))
        }
        await server.stop()
    }
}
