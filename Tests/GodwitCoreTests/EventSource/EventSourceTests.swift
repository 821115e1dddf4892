import GodwitCore
import GodwitTesting
import Testing

extension Endpoint {
    static var live: Endpoint<Void> { .get("live") }
    static func chat(_ prompt: String) -> Endpoint<Void> { .post("chat", body: .json(["prompt": prompt])) }
}

/// Every event there is, up to so many.
func collect<Events: AsyncSequence>(
    _ events: Events, limit: Int = .max
) async throws(NetworkError) -> [Events.Element] where Events.Failure == NetworkError {
    var collected: [Events.Element] = []
    for try await event in events {
        collected.append(event)
        if collected.count == limit { break }
    }
    return collected
}

@Suite("R4 EventSource", .timeLimit(.minutes(15)))
struct EventSourceTests {
    private func event(_ number: Int) -> ServerSentEvent {
        ServerSentEvent(data: "event \(number)", id: "\(number)")
    }

    /// Reconnects at once.
    private func eager(_ options: inout EventSource.Options) {
        options.backoff = Backoff(base: .zero)
    }

    @Test("R4 the request asks for an event stream, is streamed, and is never stored or repeated by others")
    func request() async throws {
        let answer = HTTPResponseHead(status: .ok, fields: [.contentType: "text/event-stream"])
        let transport = ScriptedTransport { request throws(NetworkError) in
            HTTPResponse(head: answer, body: "data: 1\n\n", request: request)
        }
        let api = articles(transport) {
            $0.timeouts.total = .seconds(5)
            $0.responseLimit.decoded = 10
        }
        _ = try await collect(api.events(.live) { $0.idleTimeout = .seconds(7) }, limit: 1)
        let request = try #require(transport.requests.first)
        #expect(request.url.description == "https://api.example.com/v1/live")
        #expect(request.fields[.accept] == "text/event-stream")
        #expect(request.fields[.cacheControl] == "no-cache")
        #expect(!request.fields.contains(.lastEventID))
        #expect(request.options.retry == .never)
        #expect(request.options.cachePolicy == .reloadIgnoringCache)
        #expect(request.options.timeouts.inactivity == .seconds(7))
        #expect(request.options.timeouts.total == nil && request.options.responseLimit.decoded == nil)
        guard case .streamed = request.delivery else { return #expect(Bool(false), "the response is not streamed") }
    }

    @Test("R4 an endpoint's own limits and fields apply")
    func ownOptions() async throws {
        let transport = ScriptedTransport(204)
        let api = articles(transport) { $0.timeouts.total = .seconds(5) }
        let endpoint = Endpoint<Void>.live.timeout(.seconds(9)).header(.accept, "*/*").header(.cacheControl, "no-store")
        #expect(try await collect(api.events(endpoint)).isEmpty)
        let request = try #require(transport.requests.first)
        #expect(request.options.timeouts.total == .seconds(9))
        #expect(request.fields.count { $0.name == .accept } == 1 && request.fields[.accept] == "*/*")
        #expect(request.fields[.cacheControl] == "no-store")
    }

    @Test("R4 after a connection ends, the next one resumes after the last event, until a 204")
    func resuming() async throws {
        let mock = MockTransport {
            $0.get("/v1/live").replies([
                .events([event(1), event(2)]), .events([]), .events([event(3)]), .status(.noContent),
            ])
        }
        let events = try await collect(articles(mock).events(.live, configure: eager))
        #expect(events == [event(1), event(2), event(3)])
        #expect(mock.requests.map(\.lastEventID) == [nil, "2", "2", "3"])
    }

    @Test("R4 after a connection breaks, another one is made; an incomplete event is discarded")
    func breaking() async throws {
        let mock = MockTransport {
            $0.get("/v1/live").replies([
                .failure(.transport(.cannotConnect("down"))), .events([event(1), event(2)]).dropped(after: .bytes(40)),
                .failure(.timedOut(.inactivity)), .events([event(2)]), .status(.noContent),
            ])
        }
        let events = try await collect(articles(mock).events(.live, configure: eager))
        #expect(events == [event(1), event(2)])
        #expect(mock.requests.map(\.lastEventID) == [nil, nil, "1", "1", "2"])
    }

    @Test("R4 a loop resumes after the ID of an earlier one, and each loop connects separately")
    func givenID() async throws {
        let mock = MockTransport { request in .events([ServerSentEvent(data: request.lastEventID ?? "none")]) }
        let source = articles(mock).events(.live) { $0.lastEventID = "41" }
        for _ in 0..<2 {
            let events = try await collect(source, limit: 1)
            #expect(events.map(\.data) == ["41"] && events.map(\.lastEventID) == ["41"])
        }
        #expect(mock.requestCount == 2)
    }

    @Test(
        "R4 a status other than 200 and 204 throws as in any call",
        arguments: [
            (201, NetworkError.Kind.unexpectedStatus(201)), (401, .unauthorized), (404, .notFound),
            (429, .rateLimited(retryAfter: nil)), (500, .server(status: 500)), (503, .server(status: 503)),
        ])
    func statuses(status: Int, kind: NetworkError.Kind) async throws {
        let mock = MockTransport { _ in .status(status).field(.contentType, "text/event-stream") }
        let error = await failure { () throws(NetworkError) in
            try await collect(articles(mock) { $0.retry.maximumAttempts = 3 }.events(.live))
        }
        #expect(error?.kind == kind)
        #expect(error?.response?.status.code == status)
        #expect(mock.requestCount == 1)
    }

    @Test(
        "R4 another content type fails",
        arguments: ["text/html", "text/event-streams", "application/json", nil], [HTTPMethod.get, .post])
    func contentType(type: String?, method: HTTPMethod) async throws {
        let fields: HTTPFields = if let type { [.contentType: type] } else { [:] }
        let mock = MockTransport { (_: MockRequest) in MockResponse(fields: fields, body: "data: 1\n\n") }
        let endpoint = Endpoint<Void>(method: method, path: "live", accept: "*/*") { _, _, _ throws(NetworkError) in }
        let error = await failure { () throws(NetworkError) in try await collect(articles(mock).events(endpoint)) }
        #expect(error?.kind == .unexpectedContentType(type))
        #expect(error?.phase == .validating && error?.shortDescription == "unexpected_content_type")
        #expect(error?.description.contains(type ?? "none") == true)
        try await mock.waitUntilExchangesEnd()
    }

    @Test("R4 parameters and case of the content type don't matter")
    func contentTypeParameters() async throws {
        let mock = MockTransport { _ in .events([event(1)]).field(.contentType, "Text/Event-Stream; charset=utf-8") }
        #expect(try await collect(articles(mock).events(.live), limit: 1) == [event(1)])
    }

    @Test("R4 configured statuses are retried after Retry-After")
    func namedStatuses() async throws {
        let clock = TestClock()
        let mock = MockTransport {
            $0.get("/v1/live").replies([
                .status(503).field(.retryAfter, "20"), .events([event(1)]), .status(502), .status(500),
            ])
        }
        let api = articles(mock) { $0.clock = clock }
        let task = Task {
            await failure { () throws(NetworkError) in
                try await collect(
                    api.events(.live) {
                        eager(&$0)
                        $0.statuses = [502, 503]
                    })
            }
        }
        try await clock.waitForSleepers()
        #expect(clock.advanceToNextSleeper() == .seconds(20))
        #expect(await task.value?.kind == .server(status: 500))
        #expect(mock.requestCount == 4)
    }

    @Test("R4 the pause is the server's retry plus a random delay, also for later connections")
    func serverRetry() async throws {
        let clock = TestClock()
        let mock = MockTransport { _ in .bytes(Data("retry: 4000\n\n".utf8), contentType: "text/event-stream") }
        let api = articles(mock) { $0.clock = clock }
        let pauses = Collected<Duration>()
        let task = Task {
            for try await _ in api.events(
                .live,
                configure: {
                    $0.backoff = Backoff(base: .seconds(1), cap: .seconds(2))
                    $0.onStateChange = { if case .waiting(let pause, _) = $0 { pauses.append(pause) } }
                })
            {}
        }
        for _ in 0..<20 {
            try await clock.waitForSleepers()
            clock.advanceToNextSleeper()
        }
        task.cancel()
        _ = await task.result
        #expect(pauses.values.allSatisfy { $0 >= .seconds(4) && $0 <= .seconds(6) })
        #expect(Set(pauses.values).count == pauses.values.count)
    }

    @Test("R4 the failure limit counts attempts in a row; a connection restarts the count")
    func failureLimit() async throws {
        let down = MockResponse.failure(.transport(.cannotConnect("down")))
        let mock = MockTransport {
            $0.get("/v1/live").replies([down, down, .events([event(1)]), down, down, down])
        }
        let error = await failure { () throws(NetworkError) in
            try await collect(
                articles(mock).events(.live) {
                    eager(&$0)
                    $0.failureLimit = 2
                })
        }
        #expect(error?.kind == .transport(.cannotConnect("down")))
        #expect(mock.requestCount == 6)
    }

    @Test(
        "R4 an error that another attempt would not fix is thrown immediately",
        arguments: [
            NetworkError.Kind.insecure(.certificateExpired), .timedOut(.total), .tooLarge(limit: 1), .shutdown,
            .transport(.cannotSendBody("read once")), .redirect(.tooMany(limit: 20)),
        ])
    func hopeless(kind: NetworkError.Kind) async throws {
        let mock = MockTransport { $0.get("/v1/live").fail(kind) }
        let error = await failure { () throws(NetworkError) in try await collect(articles(mock).events(.live)) }
        #expect(error?.kind == kind)
        #expect(mock.requestCount == 1)
    }

    @Test("R3 an event above the limit throws .tooLarge and closes the connection")
    func tooLarge() async throws {
        let mock = MockTransport { _ in .events(["small", "far too large"]) }
        let source = articles(mock).events(.live) { $0.eventLimit = 12 }
        var iterator = source.makeAsyncIterator()
        #expect(try await iterator.next()?.data == "small")
        let error = await failure { () throws(NetworkError) in try await iterator.next() }
        #expect(error?.kind == .tooLarge(limit: 12))
        #expect(try await iterator.next() == nil)
        try await mock.waitUntilExchangesEnd()
        #expect(mock.requestCount == 1)
    }

    @Test("R4 the states are reported in order")
    func states() async throws {
        let mock = MockTransport {
            $0.get("/v1/live").replies([
                .events([event(1)]), .failure(.offline(.noPath)), .events([event(2)]).dropped(after: .events(1)),
                .status(.noContent),
            ])
        }
        let states = Collected<String>()
        _ = try await collect(
            articles(mock).events(.live) {
                eager(&$0)
                $0.onStateChange = { state in
                    switch state {
                    case .connecting: states.append("connecting")
                    case .open(let head): states.append("open \(head.status.code)")
                    case .waiting(_, let error): states.append("waiting \(error?.shortDescription ?? "-")")
                    case .closed: states.append("closed")
                    }
                }
            })
        #expect(
            states.values == [
                "connecting", "open 200", "waiting -", "connecting", "waiting offline", "connecting", "open 200",
                "waiting transport.connection_lost", "connecting", "closed",
            ])
    }
}
