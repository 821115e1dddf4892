import Godwit
import GodwitCommand
import GodwitTesting
import Testing

@Suite("G1 godwit ws", .timeLimit(.minutes(15)))
struct SocketTests {
    private func makeServer() async throws -> MockServer {
        try await MockServer { route in
            route.webSocket("/echo", subprotocols: ["chat"], compression: WebSocketCompression()) { socket in
                for try await message in socket.messages {
                    try await socket.send(message)
                    if message == .text("last") { return }
                }
            }
            route.webSocket("/hello") { socket in
                try await socket.send("one")
                try await socket.send(.binary(Data([1, 2, 3])))
                await socket.close(WebSocketCloseCode(4000), reason: "enough")
            }
            route.webSocket("/news") { socket in
                try await socket.send("one\u{1B}[2J")
                try await socket.send("two")
            }
        }
    }

    @Test("G1 W1 input lines are sent as messages, and each reply is printed on a line")
    func echo() async throws {
        let server = try await makeServer()
        let url = "ws://127.0.0.1:\(server.url.port)/echo"
        let run = await Run.godwit("ws", url, "--listen", input: ["first\nsec", "ond\r\nlast"])
        #expect(run.code == .success)
        #expect(run.output == "first\nsecond\nlast\n")
        let compressed = await Run.godwit(
            "ws", url, "--listen", "--compress", "-s", "chat", "-H", "X-Own: 1", input: ["last\n"])
        #expect(compressed.output == "last\n")
        let request = try #require(server.requests.last)
        #expect(request.fields["X-Own"] == "1")
        #expect(request.fields["Sec-WebSocket-Protocol"] == "chat")
        #expect(request.fields[.userAgent]?.hasPrefix("godwit/") == true)
    }

    @Test("G1 after the end of the input ws waits for replies, and closes after a silence")
    func wait() async throws {
        let server = try await makeServer()
        let clock = TestClock()
        let output = CapturedOutput()
        var command = Command(input: ScriptedInput(["hi\n"]), output: output, errors: CapturedOutput())
        command.clock = clock
        let running = Task { [command] in await command.run(["ws", "\(server.url)echo", "--wait", "5"]) }
        while output.text.isEmpty { await Task.yield() }
        #expect(server.openConnectionCount == 1)
        while server.openConnectionCount > 0 {
            clock.advance(by: .seconds(5))
            await Task.yield()
        }
        #expect(await running.value == .success)
        #expect(output.text == "hi\n")
    }

    @Test("G1 --json-output prints one object per line, and the end")
    func json() async throws {
        let server = try await makeServer()
        let run = await Run.godwit("ws", "\(server.url)hello", "--json-output", "--listen")
        #expect(run.code == .network)
        let lines = run.output.split(separator: "\n").map(String.init)
        #expect(lines.count == 3)
        #expect(lines.first == #"{"type":"text","text":"one"}"#)
        #expect(lines.dropFirst().first == #"{"type":"binary","base64":"AQID"}"#)
        #expect(lines.last?.contains(#""kind":"socket_closed""#) == true)
        #expect(run.errors.contains("4000 enough"))
        let clean = await Run.godwit("ws", "\(server.url)news", "--json-output", "--listen")
        #expect(clean.code == .success)
        #expect(clean.output.hasSuffix(#"{"type":"close","code":1000,"reason":""}"# + "\n"))
    }

    @Test("G1 control characters from a server are escaped on a terminal")
    func terminal() async throws {
        let server = try await makeServer()
        let output = CapturedOutput(isTerminal: true)
        let run = await Run.godwit("ws", "\(server.url)news", "--listen", output: output)
        #expect(run.code == .success)
        #expect(output.text == "one\\u{1b}[2J\ntwo\n")
    }

    @Test("G1 a refused handshake and an invalid command line have different exit codes")
    func codes() async throws {
        let server = try await makeServer()
        #expect(await Run.godwit("ws", "\(server.url)nowhere").code == .httpStatus)
        #expect(await Run.godwit("ws", "ws://127.0.0.1:1/").code == .unreachable)
        #expect(await Run.godwit("ws").code == .usage)
        #expect(await Run.godwit("ws", "a", "b").code == .usage)
        #expect(await Run.godwit("ws", "--help").output.contains("--json-output"))
        #expect(await Run.godwit("--help").output.contains("ws URL"))
    }
}
