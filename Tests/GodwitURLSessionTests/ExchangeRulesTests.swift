import GodwitCore
import GodwitTesting
import GodwitURLSession
import GodwitURLSessionTesting
import Synchronization
import Testing

@Suite("URLSessionTransport: delegate callbacks", .timeLimit(.minutes(15)))
struct ExchangeRulesTests {
    private func exchange(_ body: HTTPBody? = nil, _ delivery: Delivery = .buffered(limit: 100)) throws -> Exchange {
        let request = HTTPRequest(
            method: body == nil ? .get : .put, url: try HTTPURL("https://a.example/"), body: body, delivery: delivery)
        return Exchange(
            request, URLRequest(url: try #require(URL(string: "https://a.example/"))), streamBuffer: 1 << 10)
    }

    private func answer(_ fields: [String: String]) throws -> HTTPURLResponse {
        let url = try #require(URL(string: "https://a.example/"))
        return try #require(HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: fields))
    }

    private func ending(of exchange: Exchange, _ happens: () -> Void) async -> NetworkError? {
        let outcome = await withUnsafeContinuation { caller in
            exchange.start(caller)
            happens()
        }
        guard case .failure(let error) = outcome else { return nil }
        return error
    }

    @Test("T3 a second response of one task, as for multipart/x-mixed-replace, is refused and not mixed with the first")
    func secondResponse() async throws {
        let exchange = try exchange()
        let response = try answer(["Content-Type": "multipart/x-mixed-replace; boundary=b"])
        let error = await ending(of: exchange) {
            #expect(exchange.receive(response))
            #expect(!exchange.receive(response))
        }
        guard case .unsupported = error?.kind else { return #expect(Bool(false), "\(error as Any)") }
    }

    @Test("T3 interim responses before the head are no second response")
    func interim() throws {
        let exchange = try exchange()
        let url = try #require(URL(string: "https://a.example/"))
        let early = try #require(
            HTTPURLResponse(url: url, statusCode: 103, httpVersion: "HTTP/1.1", headerFields: ["Link": "<a>"]))
        #expect(exchange.receive(early))
        #expect(exchange.receive(early))
        #expect(try exchange.receive(answer([:])))
    }

    @Test("T3 content that can be read again is sent again; a stream that cannot ends the exchange")
    func contentTwice() async throws {
        let bytes = try exchange("some content")
        #expect(bytes.openContent() != nil)
        #expect(bytes.openContent() != nil)
        let once = try exchange(.stream(once: AsyncStream { $0.finish() } as AsyncStream<Data>))
        let error = await ending(of: once) {
            #expect(once.openContent() != nil)
            #expect(once.openContent() == nil)
        }
        guard case .transport(.cannotSendBody) = error?.kind else { return #expect(Bool(false), "\(error as Any)") }
        #expect(error?.phase == .sending)
    }

    @Test("T5 a task of an exchange that was canceled meanwhile never runs")
    func canceledBeforeStart() throws {
        let exchange = try exchange()
        exchange.cancel()
        let session = URLSession(configuration: .ephemeral)
        let task = session.dataTask(with: try #require(URL(string: "http://127.0.0.1:1/")))
        let queue = OperationQueue()
        #expect(!exchange.attach(SessionTask(task, queue), .none))
        queue.waitUntilAllOperationsAreFinished()
        #expect(task.state != .running)
        session.invalidateAndCancel()
    }

    @Test("T5 calls canceled as they start leave nothing that shutdown waits for")
    func shutdownAfterEarlyCancels() async throws {
        let mock = MockTransport { $0.any("*").reply(.hang) }
        let stub = URLSessionStub(answeredBy: mock)
        let transport = try URLSessionTransport { $0.adjust = { stub.install(in: $0) } }
        let url = try HTTPURL("http://127.0.0.1:1/")
        await withTaskGroup { group in
            for index in 0..<100 {
                group.addTask {
                    let call = Task { await failure(of: HTTPRequest(url: url), over: transport) }
                    for _ in 0..<(index % 5) { await Task.yield() }
                    call.cancel()
                    #expect(await call.value?.kind == .cancelled)
                }
            }
        }
        await transport.shutdown(.finishing)
        let late = await failure(of: HTTPRequest(url: url), over: transport)
        #expect(late?.kind == .shutdown)
    }

    @Test(
        "E1 errors that URLSession passes on from sockets and CFNetwork have their kind",
        arguments: [
            (NSPOSIXErrorDomain, Int(ECONNABORTED), "transport.connection_lost"),
            (NSPOSIXErrorDomain, Int(ECONNRESET), "transport.connection_lost"),
            (NSPOSIXErrorDomain, Int(EPIPE), "transport.connection_lost"),
            (NSPOSIXErrorDomain, Int(ENOTCONN), "transport.connection_lost"),
            (NSPOSIXErrorDomain, Int(ECONNREFUSED), "transport.cannot_connect"),
            (NSPOSIXErrorDomain, Int(ENETUNREACH), "transport.cannot_connect"),
            (NSPOSIXErrorDomain, Int(ENETDOWN), "offline"),
            (NSPOSIXErrorDomain, Int(EPROTO), "transport.protocol_violation"),
            (NSPOSIXErrorDomain, Int(ETIMEDOUT), "timed_out.inactivity"),
            (NSPOSIXErrorDomain, Int(ENOENT), "file"), (NSPOSIXErrorDomain, 99_999, "transport.other"),
            (NSPOSIXErrorDomain, .max, "transport.other"),
            ("kCFErrorDomainCFNetwork", 2, "transport.cannot_resolve_host"),
            ("kCFErrorDomainCFNetwork", 302, "transport.connection_lost"),
            ("kCFErrorDomainCFNetwork", 303, "invalid_response"), ("kCFErrorDomainCFNetwork", 310, "transport.proxy"),
            ("kCFErrorDomainCFNetwork", 999, "transport.other"), ("another", 1, "transport.other"),
            (NSURLErrorDomain, -1100, "file"),
        ])
    func passedOn(domain: String, code: Int, label: String) {
        let error = NSError(domain: domain, code: code)
        let known: any Error =
            domain == NSURLErrorDomain ? URLError(.fileDoesNotExist) : error
        let kind = SessionFailure.kind(of: known, host: "a.example")
        #expect(NetworkError(kind, phase: .sending).shortDescription == label)
    }

    @Test("X2 a stub gives its answer once, and none after it was stopped")
    func stubLoading() {
        var waiting = StubLoading<String>()
        guard case .ask = waiting.start() else { return #expect(Bool(false), "it had an answer") }
        waiting.receive("a")
        let answers = [waiting.takeAnswer(), waiting.takeAnswer()]
        #expect(answers == ["a", nil])

        var stopped = StubLoading<String>()
        _ = stopped.start()
        let work = Task {}
        let hasBegun = stopped.begin(work)
        #expect(hasBegun)
        let canceled = stopped.stop()
        #expect(canceled == work)
        stopped.receive("late")
        let late = stopped.takeAnswer()
        #expect(late == nil)

        // Linux: the task is suspended and resumed, which stops and starts its loading.
        var again = StubLoading<String>()
        _ = again.start()
        again.receive("b")
        let nothing = again.stop()
        #expect(nothing == nil)
        guard case .play("b") = again.start() else { return #expect(Bool(false), "the answer is lost") }

        var early = StubLoading<String>()
        _ = early.start()
        _ = early.stop()
        let isLate = !early.begin(work)
        #expect(isLate)
    }
}
