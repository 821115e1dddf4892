import GodwitCore
import GodwitTesting
import Testing

@Suite("R4 EventSource: leaving, cancellation, unsafe methods", .timeLimit(.minutes(15)))
struct EventSourceLeavingTests {
    @Test("R2 leaving the loop ends the exchange")
    func leaving() async throws {
        let mock = MockTransport { _ in .events { ServerSentEvent(data: "\($0)") } }
        for try await event in articles(mock).events(.live) where event.data == "3" { break }
        try await mock.waitUntilExchangesEnd()
        #expect(mock.requestCount == 1)
    }

    @Test("R4 cancellation throws .cancelled while connecting, reading or waiting", arguments: 0..<3)
    func cancelling(place: Int) async throws {
        let clock = TestClock()
        let mock = MockTransport { _ in
            switch place {
            case 0: .hang
            case 1:
                .events { number in
                    if number > 0 { try await clock.sleep(for: .seconds(1)) }
                    return "first"
                }
            default: .events([])
            }
        }
        let api = articles(mock) { $0.clock = clock }
        let task = Task { await failure { () throws(NetworkError) in try await collect(api.events(.live)) } }
        if place == 0 { try await mock.waitForRequests() } else { try await clock.waitForSleepers() }
        task.cancel()
        #expect(await task.value?.kind == .cancelled)
        try await mock.waitUntilExchangesEnd()
    }

    @Test("R4 a POST is sent once: its events end with the connection")
    func postEnds() async throws {
        let mock = MockTransport { $0.post("/v1/chat").reply(.events(["Hel", "lo"])) }
        let events = try await collect(articles(mock).events(.chat("hi")))
        #expect(events.map(\.data) == ["Hel", "lo"])
        #expect(mock.requests.map(\.text) == [#"{"prompt":"hi"}"#])
    }

    @Test("R4 a POST whose connection breaks throws the error after the events before it")
    func postBreaks() async throws {
        let mock = MockTransport { $0.post("/v1/chat").reply(.events(["Hel", "lo"]).dropped(after: .events(1))) }
        var data: [String] = []
        let error = await failure { () throws(NetworkError) in
            for try await event in articles(mock).events(.chat("hi")) { data.append(event.data) }
        }
        #expect(data == ["Hel"])
        #expect(error?.shortDescription == "transport.connection_lost")
        #expect(mock.requestCount == 1)
    }

    @Test("R4 a POST is sent again if the option says so and its body can be repeated")
    func postAgain() async throws {
        let mock = MockTransport { $0.post("/v1/chat").replies([.events(["a"]), .events(["b"]), .status(.noContent)]) }
        func options(_ options: inout EventSource.Options) {
            options.backoff = Backoff(base: .zero)
            options.reconnection = .always
        }
        let events = try await collect(articles(mock).events(.chat("hi"), configure: options))
        #expect(events.map(\.data) == ["a", "b"])
        #expect(mock.requests.map(\.text) == Array(repeating: #"{"prompt":"hi"}"#, count: 3))
        let once = Endpoint<Void>.post("chat", body: .stream(.stream(once: Once())))
        #expect(try await collect(articles(mock).events(once, configure: options)).isEmpty)
        #expect(mock.requestCount == 4)
    }

    private struct Once: AsyncSequence, AsyncIteratorProtocol, Sendable {
        var isDone = false
        func makeAsyncIterator() -> Once { self }
        mutating func next() async -> Data? {
            defer { isDone = true }
            return isDone ? nil : Data("once".utf8)
        }
    }

    @Test("R4 .never ends a GET with its connection too")
    func never() async throws {
        let mock = MockTransport { $0.get("/v1/live").reply(.events(["a"])) }
        let events = try await collect(articles(mock).events(.live) { $0.reconnection = .never })
        #expect(events.map(\.data) == ["a"])
        #expect(mock.requestCount == 1)
    }

    @Test("R4 data is decoded as JSON up to the marker, which ends the exchange")
    func decoded() async throws {
        let mock = MockTransport {
            $0.post("/v1/chat").reply(
                .events { number in
                    number == 2 ? "[DONE]" : ServerSentEvent(data: #"{"id":\#(number),"title":"t"}"#)
                })
        }
        let values = articles(mock).events(.chat("hi")).decoded(as: Article.self, until: "[DONE]")
        var iterator = values.makeAsyncIterator()
        #expect(try await iterator.next()?.id == 0)
        #expect(try await iterator.next()?.id == 1)
        #expect(try await iterator.next() == nil)
        try await mock.waitUntilExchangesEnd()
        #expect(try await iterator.next() == nil)
        #expect(mock.requestCount == 1)
    }

    @Test("R4 data that can't be decoded throws .decoding with its number; filtered events can be decoded")
    func wrongValue() async throws {
        let events: [ServerSentEvent] = [
            ServerSentEvent(data: #"{"id":1,"title":"t"}"#, type: "article"), "keep alive",
            ServerSentEvent(data: #"{"id":"x","title":"t"}"#, type: "article"),
        ]
        let mock = MockTransport { $0.post("/v1/chat").reply(.events(events)) }
        let source = articles(mock).events(.chat("hi"))
        var iterator = source.filter { $0.type == "article" }.decoded(as: Article.self, coding: JSONCoding())
            .makeAsyncIterator()
        #expect(try await iterator.next()?.id == 1)
        let error = await failure { () throws(NetworkError) in try await iterator.next() }
        #expect(error?.description == #"field `id`: expected an integer, found "x" (value 2)"#)
        let first = await failure { () throws(NetworkError) in
            try await collect(source.decoded(as: Article.self), limit: 2)
        }
        guard case .decoding? = first?.kind else { return #expect(Bool(false), "\(String(describing: first))") }
    }
}
