import Godwit
import GodwitTesting
import PeerSupport
import Testing

@Suite("Contract: server-sent events", .timeLimit(.minutes(15)))
struct EventSourceTests {
    private func api(_ subject: Subject, _ server: MockServer, streamBuffer: Int? = nil) throws -> APIClient {
        let transport = try subject.make { $0.streamBuffer = streamBuffer }
        return APIClient(baseURL: server.url, transport: transport)
    }

    private static let live = Endpoint<Void>.get("live")

    private func events(_ api: APIClient, configure: (inout EventSource.Options) -> Void = { _ in }) -> EventSource {
        api.events(Self.live) {
            $0.backoff = Backoff(base: .zero)
            configure(&$0)
        }
    }

    /// Events without end, the first at once.
    private static let ticks = MockResponse.events { number in
        if number > 0 { try await Task.sleep(for: .milliseconds(50)) }
        return ServerSentEvent(data: "\(number)", id: "\(number)")
    }

    @Test(
        "R4 events resume after the last one over real connections that end, drop and reset",
        arguments: Subject.allCases)
    func resuming(_ subject: Subject) async throws {
        let all = (1...9).map { ServerSentEvent(data: "event\n\($0)", id: "\($0)") }
        let server = try await MockServer { routes in
            routes.get("/live").reply { request in
                let last = request.lastEventID.flatMap { Int($0) } ?? 0
                guard last < all.count else { return .status(.noContent) }
                let rest = MockResponse.events(Array(all[last...]))
                return switch last % 3 {
                case 0: rest.dropped(after: .events(2))
                case 1: rest.dropped(after: .bytes(33))
                default: .events(Array(all[last...].prefix(2)))
                }
            }
        }
        var received: [ServerSentEvent] = []
        for try await event in events(try api(subject, server)) { received.append(event) }
        #expect(received == all)
        #expect(server.requests.last?.lastEventID == "9")
    }

    @Test("R2 leaving the loop closes the connection within 100 ms, seen at the server", arguments: Subject.allCases)
    func leaving(_ subject: Subject) async throws {
        let server = try await MockServer { $0.get("/live").reply(Self.ticks) }
        let api = try api(subject, server)
        try await expectClosing(of: server) {
            for try await _ in self.events(api) { break }
        }
    }

    @Test("R4 cancelling the task closes the connection within 100 ms, seen at the server", arguments: Subject.allCases)
    func cancelling(_ subject: Subject) async throws {
        let server = try await MockServer { $0.get("/live").reply(Self.ticks) }
        let api = try api(subject, server)
        try await expectClosing(of: server) {
            let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
            let task = Task { for try await _ in self.events(api) { continuation.yield() } }
            for await _ in stream { break }
            task.cancel()
        }
    }

    @Test("R4 the marker of a typed stream closes the connection within 100 ms", arguments: Subject.allCases)
    func marker(_ subject: Subject) async throws {
        let server = try await MockServer {
            $0.get("/live").reply(
                .events { number in
                    if number > 1 { try await Task.sleep(for: .seconds(600)) }
                    return number == 0 ? "7" : "[DONE]"
                })
        }
        let api = try api(subject, server)
        try await expectClosing(of: server) {
            var values: [Int] = []
            for try await value in self.events(api).decoded(as: Int.self, until: "[DONE]") { values.append(value) }
            #expect(values == [7])
        }
    }

    @Test("R4 a connection without a byte for the idle time-out is made again", arguments: Subject.allCases)
    func idle(_ subject: Subject) async throws {
        let silent = MockResponse.events { number in
            if number > 0 { try await Task.sleep(for: .seconds(600)) }
            return ServerSentEvent(data: "first", id: "1")
        }
        let server = try await MockServer { request in request.lastEventID == "1" ? .status(.noContent) : silent }
        var data: [String] = []
        for try await event in events(try api(subject, server), configure: { $0.idleTimeout = .milliseconds(200) }) {
            data.append(event.data)
        }
        #expect(data == ["first"])
        #expect(server.requests.last?.lastEventID == "1")
    }

    @Test("R4 a loop that does not read holds the server back, and then gets everything", arguments: Subject.allCases)
    func backPressure(_ subject: Subject) async throws {
        let block = (0..<1000).map { "data: \($0) \(String(repeating: "x", count: 80))\n\n" }.joined()
        let source = Source(Data(block.utf8), times: 500)
        let server = try await MockServer {
            $0.get("/live").reply(.stream(once: source, contentType: "text/event-stream"))
        }
        var iterator = events(try api(subject, server, streamBuffer: 64 << 10), configure: { $0.reconnection = .never })
            .makeAsyncIterator()
        #expect(try await iterator.next()?.data.hasPrefix("0 x") == true)
        let sent = try await source.record.bytesOncePaused()
        #expect(sent < 20 << 20)
        var count = 1
        while let event = try await iterator.next() {
            if !event.data.hasPrefix("\(count % 1000) ") { break }
            count += 1
        }
        #expect(count == 500_000)
    }
}
