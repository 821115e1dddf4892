import Godwit
import GodwitTesting
import Testing

#if os(Linux)
@Suite("X3 MockServer: leaks", .timeLimit(.minutes(15)))
struct MockServerLeakTests {
    @Test("X3 a stopped server leaves no descriptor and no thread")
    func leaks() async {
        // In a process of its own, where no other test opens anything.
        await #expect(processExitsWith: .success) {
            try await Self.lives(count: 3)
            let before = try Self.census()
            try await Self.lives(count: 40)
            let after = try Self.census()
            // The pools of the runtime may have grown by a few; a leak would be 40 or more.
            #expect(after.descriptors < before.descriptors + 10)
            #expect(after.threads < before.threads + 10)
        }
    }

    private static func lives(count: Int) async throws {
        for _ in 1...count {
            let server = try await MockServer {
                $0.get("/").reply { _ in .text(".") }
                $0.get("/hang").reply(.hang)
            }
            let talking = try RawClient(server.url)
            _ = await talking.exchange("GET / HTTP/1.1\r\nHost: h\r\n\r\n", until: "\r\n\r\n.")
            let hanging = try RawClient(server.url)
            await hanging.send("GET /hang HTTP/1.1\r\nHost: h\r\n\r\n")
            try await server.waitForRequests(count: 2)
            await server.stop()
            try await secureLife()
        }
    }

    /// A handshake that completes, one that the client breaks off, and one that hangs.
    private static func secureLife() async throws {
        let server = try await MockServer(.tls) { $0.get("/").reply { _ in .text(".") } }
        let transport = try SocketTransport { $0.tls.trust(server) }
        _ = try await APIClient(baseURL: server.url, transport: transport).send(Endpoint<Data>.get(""))
        await transport.shutdown(.finishing)
        let broken = try RawClient(server.url)
        await broken.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        _ = await broken.readToEnd()
        let silent = try RawClient(server.url)
        await server.stop()
        _ = await silent.readToEnd()
    }

    private static func census() throws -> (descriptors: Int, threads: Int) {
        let files = FileManager.default
        return (
            try files.contentsOfDirectory(atPath: "/proc/self/fd").count,
            try files.contentsOfDirectory(atPath: "/proc/self/task").count
        )
    }
}
#endif
