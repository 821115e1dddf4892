import Godwit
import GodwitTesting
import Synchronization
import Testing

@Suite("S8 What a server says, in errors and logs", .timeLimit(.minutes(15)))
struct TerminalWordsTests {
    @Test(
        "S8 a server's escape, control and bidirectional characters are shown escaped in errors, user messages and logs"
    )
    func escaped() async throws {
        let words = "Not \u{1B}[31mtoday\u{202E}, \u{9B}2Jsays the server"
        let server = try await MockServer { route in
            route.get("/json").reply(json: ["message": words], status: .badRequest)
            route.get("/field").reply(
                .raw("HTTP/1.1 200 OK\r\nX-Note: a\u{1B}]0;title\u{7}b\r\nContent-Length: 0\r\n\r\n"))
        }
        let lines = Mutex("")
        let client = APIClient(baseURL: server.url) {
            $0.logging.level = .bodies
            $0.logging.destination = { line in lines.withLock { $0 += line + "\n" } }
        }
        do throws(NetworkError) {
            _ = try await client.send(Endpoint<Void>.get("json"))
            Issue.record("no error")
        } catch {
            for text in [error.description, error.userMessage ?? "", "\(error)", error.localizedDescription] {
                #expect(Self.isHarmless(text), "\(text.debugDescription)")
                #expect(text.contains("\\u{202e}"), "\(text.debugDescription)")
            }
        }
        let head = try await client.response(for: Endpoint<Void>.get("field")).head
        #expect("\(head.fields)".contains("X-Note: a\\u{1b}]0;title\\u{7}b"))
        let log = lines.withLock { $0 }
        #expect(Self.isHarmless(log) && log.contains("X-Note: a\\u{1b}"))
        await server.stop()
    }

    private static func isHarmless(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy {
            $0 == "\n" || $0 == "\t" || $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) && $0 != "\u{202E}"
        }
    }

    @Test("J1 JSONValue reads numbers outside of the range of Double as zero and infinity, with their sign")
    func extremes() throws {
        let value = try JSONModelDecoder().decode(
            JSONValue.self, from: Data("[1e-400,-1e-400,1e400,-1e400,0e999]".utf8))
        #expect(
            value == .array([.number(0), .number(-0.0), .number(.infinity), .number(-.infinity), .number(0)])
                || value == .array([.number(0), .number(-0.0), .number(.infinity), .number(-.infinity), .integer(0)]))
    }
}
