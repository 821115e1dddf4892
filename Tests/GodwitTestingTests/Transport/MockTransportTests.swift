import GodwitCore
import GodwitTesting
import TestSupport
import Testing

@Suite("X1 MockTransport", .timeLimit(.minutes(15)))
struct MockTransportTests {
    private func request(
        _ method: HTTPMethod = .get, delivery: Delivery = .buffered, body: HTTPBody? = nil
    ) throws -> HTTPRequest {
        HTTPRequest(method: method, url: try HTTPURL("https://api.example.com/a?x=1"), body: body, delivery: delivery)
    }

    private func kind(_ response: MockResponse, _ request: HTTPRequest) async -> NetworkError.Kind? {
        let error = await #expect(throws: NetworkError.self) {
            try await MockTransport { $0.any("*").reply(response) }.send(request)
        }
        #expect(error?.request?.url == request.url)
        return error?.kind
    }

    @Test("X1 a request is recorded with its URL, header fields and body")
    func records() async throws {
        let mock = MockTransport { $0.post("/a").reply(json: ["id": 1]) }
        var request = try request(.post, body: .stream { ["ab", "cd"].asyncData })
        request.fields["X"] = "1"
        let response = try await mock.send(request)
        #expect(response.head.fields[.contentType] == "application/json")
        #expect(try await response.body.collect(upTo: 100) == Data("{\"id\":1}".utf8))
        #expect(response.metrics.bytesSent == 4)
        #expect(response.metrics.bytesReceived == 8)
        let kept = try #require(mock.requests.first)
        #expect(kept.url == request.url)
        #expect(kept.text == "abcd")
        #expect(kept.queryValue("x") == "1")
        #expect(kept.fields["X"] == "1")
        #expect(kept.arrival == .complete)
        #expect(mock.requestCount == 1)
    }

    @Test("X1 body bytes over the limit are counted and not kept")
    func bodyLimit() async throws {
        let mock = MockTransport(bodyLimit: 3) { $0.any("*").reply(.status(204)) }
        _ = try await mock.send(try request(.post, body: "abcdef"))
        #expect(mock.requests.first?.text == "abc")
        #expect(mock.requests.first?.bodyByteCount == 6)
    }

    @Test("X1 an invalid header field is refused, and the request is not recorded")
    func fieldFault() async throws {
        let mock = MockTransport { $0.any("*").reply(.text("a")) }
        var request = try request()
        request.fields[.host] = "other"
        let error = await #expect(throws: NetworkError.self) { try await mock.send(request) }
        #expect(error?.kind == request.fieldFault)
        #expect(mock.requests.isEmpty)
    }

    @Test("X1 a buffered body over the limit is too large; a body of exactly the limit is not")
    func bufferedLimit() async throws {
        #expect(await kind(.text("hello"), try request(delivery: .buffered(limit: 4))) == .tooLarge(limit: 4))
        let mock = MockTransport { $0.any("*").reply(.text("hello")) }
        #expect(try await mock.send(try request(delivery: .buffered(limit: 5))).body.length == 5)
    }

    @Test("X1 the request's response limit applies to every delivery")
    func responseLimit() async throws {
        var limited = try request()
        limited.options.responseLimit.decoded = 4
        #expect(await kind(.text("hello"), limited) == .tooLarge(limit: 4))
        limited.delivery = .streamed
        let streamed = try await MockTransport { $0.any("*").reply(.text("hello")) }.send(limited)
        let error = await #expect(throws: NetworkError.self) { try await streamed.body.collect(upTo: 100) }
        #expect(error?.kind == .tooLarge(limit: 4))
    }

    @Test("X1 a streamed response returns with its head, is read once, and has back-pressure")
    func streamed() async throws {
        let pulled = Counter()
        let mock = MockTransport {
            $0.any("*").reply(
                MockResponse(
                    body: .stream {
                        AsyncStream<Data>(unfolding: { pulled.next() > 100 ? nil : Data(count: 64 << 10) })
                    }))
        }
        let response = try await mock.send(try request(delivery: .streamed))
        var count = 0
        for try await chunk in response.body {
            if count == 0 { #expect(pulled.value < 20) }
            count += chunk.count
        }
        #expect(count == 100 * 64 << 10)
        let again = await #expect(throws: NetworkError.self) { try await response.body.collect(upTo: 1) }
        #expect(again?.kind == .invalidRequest(reason: "a response body can be read only once"))
        try await mock.waitUntilExchangesEnd()
    }

    @Test("X1 leaving a streamed body, or releasing it unread, ends the exchange", arguments: [true, false])
    func leaving(reads: Bool) async throws {
        let mock = MockTransport { $0.any("*").reply(.endlessChunks(every: .zero)) }
        do {
            let response = try await mock.send(try request(delivery: .streamed))
            #expect(mock.openExchangeCount == 1)
            if reads {
                for try await _ in response.body { break }
            }
        }
        try await mock.waitUntilExchangesEnd()
    }

    @Test("X1 a successful body is written to the file, any other is buffered")
    func file() async throws {
        let folder = TemporaryFolder()
        let url = folder.url.appending(path: "f")
        try Data("something longer that was there".utf8).write(to: url)
        let chunks = MockResponse.chunks(["ab", "cd"].map { Data($0.utf8) })
        let mock = MockTransport { $0.any("*").replies([chunks, .text("no", status: .notFound)]) }
        let response = try await mock.send(try request(delivery: .file(url)))
        #expect(try Data(contentsOf: url) == Data("abcd".utf8))
        #expect(try await response.body.collect(upTo: 100) == Data("abcd".utf8))
        let refused = try await mock.send(try request(delivery: .file(url)))
        #expect(try await refused.body.collect(upTo: 100) == Data("no".utf8))
        #expect(try Data(contentsOf: url) == Data("abcd".utf8))
        let impossible = folder.url.appending(path: "none/f")
        guard case .file(let reason)? = await kind(.text("a"), try request(delivery: .file(impossible))) else {
            Issue.record("no .file error")
            return
        }
        #expect(reason.contains("cannot create f"))
    }

    @Test("X1 HEAD, 204 and 304 have no body with any delivery")
    func noContent() async throws {
        let mock = MockTransport { $0.any("*").replies([.text("hello"), .text("hello", status: .noContent)]) }
        let head = try await mock.send(try request(.head, delivery: .streamed))
        #expect(try await head.body.collect(upTo: 100).isEmpty)
        #expect(try await mock.send(try request()).body.collect(upTo: 100).isEmpty)
    }

    @Test("X1 scripted faults become transport errors")
    func faults() async throws {
        let buffered = try request()
        #expect(await kind(.failure(.insecure(.pinMismatch)), buffered) == .insecure(.pinMismatch))
        #expect(await kind(.raw("x"), buffered) == .unsupported(feature: "MockResponse.raw", on: "MockTransport"))
        for response in [
            MockResponse.close, .reset, .text("hello").dropped(after: .bytes(2)),
            .text("hello").reset(after: .bytes(0)), .text("short").framed(.length(10)),
            .endlessChunks(of: 10, every: .zero).dropped(after: .bytes(100)),
        ] {
            guard case .transport(.connectionLost)? = await kind(response, buffered) else {
                Issue.record("\(response)")
                continue
            }
        }
        let streamed = MockTransport { $0.any("*").reply(.text("hello").dropped(after: .bytes(2))) }
        var text = ""
        let response = try await streamed.send(try request(delivery: .streamed))
        let error = await #expect(throws: NetworkError.self) {
            for try await chunk in response.body { text += String(decoding: chunk, as: UTF8.self) }
        }
        #expect(text == "he")
        #expect(error?.kind == .transport(.connectionLost("ended by the mock after 2 bytes of the body")))
    }

    @Test("X1 a handler's error is thrown as a transport error")
    func handlerErrors() async throws {
        struct Broken: Error {}
        let request = try request()
        let own = MockTransport(handler: { _ in throw NetworkError(.offline(.noPath), phase: .connecting) })
        let offline = await #expect(throws: NetworkError.self) { try await own.send(request) }
        #expect(offline?.kind == .offline(.noPath))
        #expect(offline?.request?.url == request.url)
        let other = MockTransport(handler: { _ in throw Broken() })
        let broken = await #expect(throws: NetworkError.self) { try await other.send(request) }
        #expect(broken?.kind == .transport(.other("Broken()")))
        #expect(broken?.underlying is Broken)
    }

    @Test("X1 a failing request body is reported and recorded as aborted")
    func failingContent() async throws {
        struct Broken: Error {}
        let mock = MockTransport { $0.any("*").reply(.text("a")) }
        let chunks = AsyncThrowingStream<Data, any Error> { $0.finish(throwing: Broken()) }
        let request = try request(.post, body: .stream(once: chunks))
        let error = await #expect(throws: NetworkError.self) { try await mock.send(request) }
        #expect(error?.kind == .transport(.cannotSendBody("Broken()")))
        #expect(mock.requests.first?.arrival == .aborted)
    }

    @Test("X1 delays follow the clock")
    func delays() async throws {
        let clock = TestClock()
        let mock = MockTransport(clock: clock) { $0.any("*").reply(.text("late"), after: .seconds(30)) }
        let request = try request()
        let task = Task { try await mock.send(request).head.status }
        try await clock.waitForSleepers()
        #expect(clock.advanceToNextSleeper() == .seconds(30))
        #expect(try await task.value == .ok)
    }

    @Test("X1 cancellation throws .cancelled: before, while hanging, in a delay, and in a handler that ignores it")
    func cancelling() async throws {
        let request = try request()
        let stuck = Watched(false)
        let mock = MockTransport(clock: TestClock()) {
            $0.any("*").replies([.hang, .text("late").delayed(by: .seconds(1))])
        }
        let deaf = MockTransport(handler: { _ in
            await Task { try? await stuck.wait { $0 } }.value
            return .text("too late")
        })
        for transport in [mock, mock, deaf] {
            let count = transport.requestCount + 1
            let task = Task { try await transport.send(request) }
            try await transport.waitForRequests(count: count)
            task.cancel()
            let error = await #expect(throws: NetworkError.self) { try await task.value }
            #expect(error?.kind == .cancelled)
            try await transport.waitUntilExchangesEnd()
        }
        stuck.update { $0 = true }
        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await mock.send(request)
        }
        let error = await #expect(throws: NetworkError.self) { try await early.value }
        #expect(error?.kind == .cancelled)
    }

    @Test(
        "X1 after a shutdown nothing is sent; open exchanges finish or are canceled",
        arguments: [
            ShutdownMode.finishing, .cancelling,
        ])
    func shutdown(mode: ShutdownMode) async throws {
        let clock = TestClock()
        let mock = MockTransport(clock: clock) { $0.any("*").reply(.text("late"), after: .seconds(1)) }
        let request = try request()
        let task = Task { try await mock.send(request).head.status }
        try await clock.waitForSleepers()
        let shutdown = Task { await mock.shutdown(mode) }
        if mode == .finishing {
            while await isOpen(mock, request) { await Task.yield() }
            #expect(mock.openExchangeCount == 1)
            clock.advanceToNextSleeper()
            #expect(try await task.value == .ok)
        } else {
            let error = await #expect(throws: NetworkError.self) { try await task.value }
            #expect(error?.kind == .cancelled)
        }
        await shutdown.value
        #expect(mock.openExchangeCount == 0)
        let error = await #expect(throws: NetworkError.self) { try await mock.send(request) }
        #expect(error?.kind == .shutdown)
        await mock.shutdown(mode)
    }

    /// Whether the transport still takes requests; asks with one that it refuses for its fields.
    private func isOpen(_ mock: MockTransport, _ request: HTTPRequest) async -> Bool {
        var refused = request
        refused.fields[.host] = "x"
        do {
            _ = try await mock.send(refused)
            return true
        } catch {
            return error.kind != .shutdown
        }
    }

    @Test("X1 progress is reported in both directions, and the end once")
    func events() async throws {
        let told = Watched<[String]>([])
        var request = try request(.post, body: "abc")
        request.options.onEvent = { event in
            let text =
                switch event {
                case .sent(let count, let total): "sent \(count)/\(total ?? -1)"
                case .received(let count, let total): "received \(count)/\(total ?? -1)"
                case .finished(let metrics): "finished \(metrics.bytesReceived)"
                case .waitingForConnectivity: "waiting"
                case .interim(let head): "interim \(head.status.code)"
                }
            told.update { $0.append(text) }
        }
        _ = try await MockTransport { $0.any("*").reply(.text("hello")) }.send(request)
        #expect(told.value == ["sent 3/3", "received 5/5", "finished 5"])
    }

    @Test("X1 a hundred concurrent exchanges are answered and recorded")
    func concurrent() async throws {
        let mock = MockTransport { $0.any("*").reply(.text("a")) }
        let request = try request(.post, body: "abc")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 1...100 { group.addTask { _ = try await mock.send(request) } }
            try await group.waitForAll()
        }
        #expect(mock.requests.count == 100)
        #expect(mock.requests.allSatisfy { $0.text == "abc" && $0.arrival == .complete })
    }
}
