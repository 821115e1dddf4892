import Godwit
import GodwitTesting
import Testing

@Suite("X3 scripted server-sent events", .timeLimit(.minutes(15)))
struct EventResponseTests {
    private static let two = [ServerSentEvent(data: "one", id: "1"), "two"]

    /// A transport over a scripted answer: a server on loopback, or none.
    private func send(_ response: MockResponse, overSockets: Bool, clock: any Clock<Duration> = ContinuousClock())
        async throws -> HTTPResponse
    {
        guard overSockets else {
            let mock = MockTransport(clock: clock) { (_: MockRequest) in response }
            return try await mock.send(HTTPRequest(url: HTTPURL("http://localhost/"), delivery: .streamed))
        }
        var options = MockServer.Options()
        options.clock = clock
        let server = try await MockServer(options) { (_: MockRequest) in response }
        let transport = try SocketTransport { $0.proxy = .none }
        let answer = try await transport.send(HTTPRequest(url: server.url, delivery: .streamed))
        // The server lives as long as its content is read.
        let body = answer.body
        return HTTPResponse(
            head: answer.head, body: .stream(once: Kept(body: body, server: server)), request: answer.request)
    }

    private struct Kept: AsyncSequence, Sendable {
        let body: HTTPBody
        let server: MockServer

        struct AsyncIterator: AsyncIteratorProtocol {
            var chunks: HTTPBody.AsyncIterator
            let server: MockServer
            mutating func next() async throws -> Data? { try await chunks.next() }
        }

        func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(chunks: body.makeAsyncIterator(), server: server)
        }
    }

    private func text(_ response: HTTPResponse) async throws -> String {
        String(decoding: try await response.body.collect(upTo: 1 << 20), as: UTF8.self)
    }

    @Test("X3 events are written as an event stream, and end", arguments: [false, true])
    func written(overSockets: Bool) async throws {
        let response = try await send(.events(Self.two), overSockets: overSockets)
        #expect(response.head.fields[.contentType] == "text/event-stream")
        #expect(try await text(response) == "id: 1\ndata: one\n\ndata: two\n\n")
    }

    @Test(
        "X3 an interval on the given clock precedes each event except the first", arguments: [false, true])
    func intervals(overSockets: Bool) async throws {
        let clock = TestClock()
        let response = try await send(.events(Self.two, every: .seconds(5)), overSockets: overSockets, clock: clock)
        let task = Task { try await text(response) }
        try await clock.waitForSleepers()
        #expect(clock.advanceToNextSleeper() == .seconds(5))
        #expect(try await task.value.hasSuffix("data: two\n\n"))
    }

    @Test("X3 events come from a closure, numbered from 0 for each response; nil ends them", arguments: [false, true])
    func closure(overSockets: Bool) async throws {
        let response = MockResponse.events { number in
            number < 3 ? ServerSentEvent(data: "event \(number)") : nil
        }
        for _ in 0..<2 {
            let answer = try await send(response, overSockets: overSockets)
            #expect(try await text(answer) == "data: event 0\n\ndata: event 1\n\ndata: event 2\n\n")
        }
    }

    @Test("X3 the connection is dropped after a number of events of a list or a closure", arguments: [false, true])
    func dropped(overSockets: Bool) async throws {
        let endless = MockResponse.events { number in ServerSentEvent(data: "\(number)") }
        for (response, expected) in [(MockResponse.events(Self.two), "id: 1\ndata: one\n\n"), (endless, "data: 0\n\n")]
        {
            let answer = try await send(response.dropped(after: .events(1)), overSockets: overSockets)
            var received = ""
            let error = await #expect(throws: NetworkError.self) {
                for try await chunk in answer.body { received += String(decoding: chunk, as: UTF8.self) }
            }
            #expect(received == expected)
            #expect(error?.shortDescription == "transport.connection_lost")
        }
    }
}
