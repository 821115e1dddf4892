import Godwit
import GodwitCommand
import GodwitTesting
import TestSupport
import Testing

@Suite("S8 What a server sends, on a terminal and in a pipe", .timeLimit(.minutes(15)))
struct TerminalOutputTests {
    private static let hostile = "a\u{1B}[2J\u{202E}b\u{9B}c"
    private static let escaped = "a\\u{1b}[2J\\u{202e}b\\u{9b}c"

    private func server() async throws -> MockServer {
        let hostile = Self.hostile
        return try await MockServer { route in
            route.get("/text").optional().reply(.text(hostile))
            route.get("/json").optional().reply(json: ["message": hostile])
            route.get("/events").optional().reply(.events([ServerSentEvent(data: hostile)]))
            route.get("/lines").optional().reply(
                .chunks([Data(hostile.utf8.prefix(7)), Data(hostile.utf8.dropFirst(7))]))
            route.get("/refused").optional().reply(json: ["message": hostile], status: .badRequest)
        }
    }

    private static func isHarmless(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            "\n\r\t".unicodeScalars.contains(scalar)
                || scalar.value >= 0x20 && !(0x7F..<0xA0).contains(scalar.value) && scalar != "\u{202E}"
        }
    }

    @Test(
        "S8 G1 a terminal gets escape, control and bidirectional characters escaped; a pipe gets the bytes",
        arguments: [
            ["get", "/text"], ["get", "/json"], ["get", "/json", "--json-output"], ["get", "/lines"],
            ["get", "/text", "-i"],
            ["sse", "/events", "--no-reconnect"], ["get", "/text", "-s", "-w", "%{content_type}"],
        ])
    func output(_ line: [String]) async throws {
        let server = try await server()
        var line = line
        line[1] = "\(server.url)\(line[1].dropFirst())"
        let terminal = await Run.godwit(line + ["--color", "never"], output: CapturedOutput(isTerminal: true))
        #expect(Self.isHarmless(terminal.output), "\(terminal.output.debugDescription)")
        let colored = await Run.godwit(line, output: CapturedOutput(isTerminal: true), environment: ["TERM": "xterm"])
        #expect(!colored.output.contains("\u{1B}[2J") && !colored.output.contains("\u{202E}"))
        let pipe = await Run.godwit(line)
        #expect(pipe.output.contains("\u{202E}") || pipe.output.contains("\\u001b"), "\(pipe.output.debugDescription)")
        await server.stop()
    }

    @Test("S8 G1 --raw prints a body unchanged also on a terminal; what is reported of an error is always escaped")
    func raw() async throws {
        let server = try await server()
        let raw = await Run.godwit("\(server.url)text", "--raw", output: CapturedOutput(isTerminal: true))
        #expect(raw.output.hasPrefix(Self.hostile))
        let refused = await Run.godwit("\(server.url)refused", "-f")
        #expect(Self.isHarmless(refused.errors) && refused.errors.contains("\\u{202e}"), "\(refused.errors)")
        await server.stop()
    }
}
