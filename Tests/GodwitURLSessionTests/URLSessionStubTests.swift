import GodwitCore
import GodwitTesting
import GodwitURLSession
import GodwitURLSessionTesting
import Synchronization
import Testing

@Suite("URLSessionStub", .timeLimit(.minutes(15)))
struct URLSessionStubTests {
    private static let url = URL(string: "http://127.0.0.1:1/articles/1?full=1")

    @Test("X2 a real URLSession gets the scripted answer, and the request is recorded")
    func answer() async throws {
        let mock = MockTransport {
            $0.get("/articles/1").reply(.text("Tides", status: .created).field("X-One", "1"))
        }
        let stub = URLSessionStub(answeredBy: mock)
        var request = URLRequest(url: try #require(Self.url))
        request.setValue("text/plain", forHTTPHeaderField: "Accept")
        let (data, response) = try await URLSession(configuration: stub.configuration).data(for: request)
        let head = try #require(response as? HTTPURLResponse)
        #expect(data == Data("Tides".utf8))
        #expect(head.statusCode == 201)
        #expect(head.value(forHTTPHeaderField: "x-one") == "1")
        let seen = try #require(mock.requests.first)
        #expect(seen.path == "/articles/1")
        #expect(seen.query == "full=1")
        #expect(seen.fields[.accept] == "text/plain")
    }

    @Test("X2 contents of requests are recorded, from bytes and from streams", arguments: [false, true])
    func contents(fromStream: Bool) async throws {
        let mock = MockTransport { .text("\($0.method) \($0.text)") }
        let stub = URLSessionStub(answeredBy: mock)
        var request = URLRequest(url: try #require(Self.url))
        request.httpMethod = "PUT"
        if fromStream {
            request.httpBodyStream = InputStream(data: Data("a draft".utf8))
        } else {
            request.httpBody = Data("a draft".utf8)
        }
        let (data, _) = try await URLSession(configuration: stub.configuration).data(for: request)
        #expect(data == Data("PUT a draft".utf8))
        #expect(mock.requests.map(\.text) == ["a draft"])
    }

    @Test(
        "X2 scripted errors are those that URLSession would have",
        arguments: [
            (NetworkError.Kind.timedOut(.inactivity), URLError.Code.timedOut),
            (.offline(.noPath), .notConnectedToInternet),
            (.transport(.connectionLost("gone")), .networkConnectionLost),
            (.transport(.cannotResolveHost("a")), .cannotFindHost),
            (.transport(.cannotConnect("b")), .cannotConnectToHost),
            (.insecure(.certificateExpired), .serverCertificateHasBadDate),
        ])
    func errors(_ kind: NetworkError.Kind, _ code: URLError.Code) async throws {
        let mock = MockTransport { $0.any("*").fail(kind) }
        let stub = URLSessionStub(answeredBy: mock)
        let session = URLSession(configuration: stub.configuration)
        let url = try #require(Self.url)
        let error = await #expect(throws: URLError.self) { try await session.data(from: url) }
        #expect(error?.code == code)
    }

    @Test("X2 delays go by the injected clock")
    func delay() async throws {
        let clock = TestClock()
        let mock = MockTransport(clock: clock) { $0.any("*").reply(.text("late"), after: .seconds(3600)) }
        let stub = URLSessionStub(answeredBy: mock)
        let session = URLSession(configuration: stub.configuration)
        let url = try #require(Self.url)
        async let answer = session.data(from: url)
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(3600))
        #expect(try await answer.0 == Data("late".utf8))
    }

    @Test("X2 many sessions immediately, and each sees its own stub alone")
    func isolation() async throws {
        let url = try #require(Self.url)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<16 {
                group.addTask {
                    let mock = MockTransport { _ in .text("\(index)") }
                    let stub = URLSessionStub(answeredBy: mock)
                    let session = URLSession(configuration: stub.configuration)
                    for _ in 0..<8 {
                        let (data, _) = try await session.data(from: url)
                        #expect(data == Data("\(index)".utf8))
                    }
                    #expect(mock.requestCount == 8)
                    session.finishTasksAndInvalidate()
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("X2 many requests of one session immediately, each with its answer")
    func parallel() async throws {
        let mock = MockTransport { .text($0.path) }
        let stub = URLSessionStub(answeredBy: mock)
        let session = URLSession(configuration: stub.configuration)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<64 {
                let url = try #require(URL(string: "http://127.0.0.1:1/\(index)"))
                group.addTask {
                    let (data, _) = try await session.data(from: url)
                    #expect(data == Data("/\(index)".utf8))
                }
            }
            try await group.waitForAll()
        }
        #expect(mock.requestCount == 64)
    }

    @Test("X2 canceling a task ends the stub's exchange")
    func cancel() async throws {
        let mock = MockTransport { $0.any("*").reply(.hang) }
        let stub = URLSessionStub(answeredBy: mock)
        let (errors, feed) = AsyncStream<(any Error)?>.makeStream()
        let task = URLSession(configuration: stub.configuration).dataTask(with: try #require(Self.url)) { _, _, error in
            feed.yield(error)
        }
        task.resume()
        try await mock.waitForRequests()
        task.cancel()
        var iterator = errors.makeAsyncIterator()
        let error = await iterator.next()
        #expect((error as? URLError)?.code == .cancelled)
        try await mock.waitUntilExchangesEnd()
    }

    @Test("X2 a URLSessionTransport goes through a stub too: redirects and 401 are returned")
    func transport() async throws {
        let mock = MockTransport {
            $0.get("/old").reply(.redirect(to: "/new"))
            $0.get("/secret").reply(.text("who?", status: .unauthorized).field(.wwwAuthenticate, "Basic realm=\"a\""))
        }
        let stub = URLSessionStub(answeredBy: mock)
        let transport = try URLSessionTransport { $0.adjust = { stub.install(in: $0) } }
        let moved = try await transport.send(HTTPRequest(url: HTTPURL("http://127.0.0.1:1/old")))
        #expect(moved.head.status.kind == .redirection)
        #expect(moved.head.fields[.location] == "/new")
        let refused = try await transport.send(HTTPRequest(url: HTTPURL("http://127.0.0.1:1/secret")))
        #expect(refused.head.status == .unauthorized)
        #expect(try await text(of: refused) == "who?")
    }

    @Test("X2 a session whose stub is gone fails, and asks no network")
    func gone() async throws {
        let configuration = URLSessionStub(answeredBy: MockTransport { _ in .text("ok") }).configuration
        let session = URLSession(configuration: configuration)
        let url = try #require(Self.url)
        let error = await #expect(throws: URLError.self) { try await session.data(from: url) }
        #expect(error?.code == .resourceUnavailable)
    }
}
