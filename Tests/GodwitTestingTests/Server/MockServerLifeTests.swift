import GodwitCore
import GodwitTesting
import TestSupport
import Testing

@Suite("X3 MockServer: start and stop", .serialized, .timeLimit(.minutes(15)))
struct MockServerLifeTests {
    private let get = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"

    @Test("X3 a server listens on 127.0.0.1, on ::1, or on a unix-domain socket")
    func addresses() async throws {
        let folder = TemporaryFolder()
        let path = folder.url.appending(path: "s").path
        let ipv4 = try await MockServer { $0.get("/").reply(.text("four")) }
        let ipv6 = try await MockServer(options { $0.address = .ipv6() }) { $0.get("/").reply(.text("six")) }
        let unix = try await MockServer(options { $0.address = .unixSocket(path: path) }) {
            $0.get("/").reply(.text("unix"))
        }
        #expect(ipv4.url.absoluteString == "http://127.0.0.1:\(ipv4.url.port)/")
        #expect(ipv6.url.absoluteString == "http://[::1]:\(ipv6.url.port)/")
        #expect(unix.url.absoluteString == "http://localhost/")
        #expect(try await RawClient(ipv4.url).exchange(get, until: "four").hasPrefix("HTTP/1.1 200"))
        #expect(try await RawClient(ipv6: ipv6.url).exchange(get, until: "six").hasPrefix("HTTP/1.1 200"))
        #expect(try await RawClient(path: path).exchange(get, until: "unix").hasPrefix("HTTP/1.1 200"))
        await unix.stop()
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("X3 an address in use and a path that is too long throw")
    func cannotListen() async throws {
        let first = try await MockServer { $0.get("/").reply(.close) }
        let port = UInt16(first.url.port)
        let taken = await #expect(throws: NetworkError.self) {
            _ = try await MockServer(options { $0.address = .ipv4(port: port) }) { $0.get("/").reply(.close) }
        }
        guard case .transport(.other(let reason))? = taken?.kind else {
            Issue.record("\(String(describing: taken))")
            return
        }
        #expect(reason.contains("cannot bind"))
        let long = await #expect(throws: NetworkError.self) {
            let path = "/tmp/" + String(repeating: "x", count: 200)
            _ = try await MockServer(options { $0.address = .unixSocket(path: path) }) { $0.get("/").reply(.close) }
        }
        guard case .invalidRequest? = long?.kind else {
            Issue.record("\(String(describing: long))")
            return
        }
    }

    @Test("X3 stopping ends idle, hanging, sending and reading connections, and those in a handler")
    func stop() async throws {
        let server = try await MockServer {
            $0.get("/").reply(.text("."))
            $0.get("/hang").reply(.hang)
            $0.get("/handler").reply { _ in
                try await TestClock().sleep(for: .seconds(1))
                return .close
            }
            $0.get("/endless").reply(.endlessChunks(of: 1 << 20, every: .zero))
            $0.post("/reading").reply(.close)
        }
        var clients: [RawClient] = []
        for request in ["", get] + ["/hang", "/handler", "/endless"].map({ "GET \($0) HTTP/1.1\r\nHost: h\r\n\r\n" })
            + ["POST /reading HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nab"]
        {
            let client = try RawClient(server.url)
            await client.send(request)
            clients.append(client)
        }
        try await server.waitForRequests(count: 4)
        await server.stop()
        #expect(server.openConnectionCount == 0)
        for client in clients { #expect(await client.readToEnd().ending != nil) }
        #expect(throws: RawClient.SystemError.self) { try RawClient(server.url) }
        await server.stop()
    }

    @Test("X3 a deallocated server stops")
    func letGo() async throws {
        var server: MockServer? = try await MockServer { $0.get("/").reply(.text(".")) }
        let client = try RawClient(try #require(server).url)
        _ = await client.exchange(get, until: "\r\n\r\n.")
        server = nil
        #expect(await client.readToEnd().ending == 0)
    }

    @Test("X3 a thousand requests on one connection are served")
    func sequential() async throws {
        let server = try await MockServer { $0.get("/").reply(.text(".")) }
        let client = try RawClient(server.url)
        for _ in 1...1000 { _ = await client.exchange(get, until: "\r\n\r\n.") }
        #expect(server.requestCount == 1000)
        #expect(server.connectionCount == 1)
    }

    @Test("X3 a hundred concurrent connections are served")
    func concurrent() async throws {
        let gate = Watched(0)
        let server = try await MockServer {
            $0.get("/").reply { _ in
                gate.update { $0 += 1 }
                try await gate.wait { $0 == 100 }
                return .text(".")
            }
        }
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 1...100 {
                let client = try RawClient(server.url)
                group.addTask { [get] in await client.exchange(get, until: "\r\n\r\n.") }
            }
            for try await answer in group { #expect(answer.hasSuffix("\r\n\r\n.")) }
        }
        #expect(server.connectionCount == 100)
        try await server.waitUntilConnectionsClose()
    }

    @Test("X3 cancellation ends a wait")
    func cancelledWaiting() async throws {
        let server = try await MockServer { $0.get("/").reply(.text(".")) }
        let client = try RawClient(server.url)
        _ = await client.exchange(get, until: "\r\n\r\n.")
        let requests = Task { try await server.waitForRequests(count: 2) }
        let closing = Task { try await server.waitUntilConnectionsClose() }
        requests.cancel()
        closing.cancel()
        await #expect(throws: WaitFailure.self) { try await requests.value }
        await #expect(throws: WaitFailure.self) { try await closing.value }
    }

    private func options(_ change: (inout MockServer.Options) -> Void) -> MockServer.Options {
        var options = MockServer.Options()
        change(&options)
        return options
    }
}
