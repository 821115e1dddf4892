import GodwitCore
import GodwitTesting
import Testing

@Suite("M1 attempts and request middlewares", .timeLimit(.minutes(15)))
struct AttemptNumberTests {
    private let log = AttemptLog()

    private func request() throws -> HTTPRequest { HTTPRequest(url: try HTTPURL("https://api.example.com/1")) }

    @Test("M1 the attempt number increases across a refresh and retries: 1, 2, 3, 4")
    func refreshAndRetry() async throws {
        let refresher = TokenRefresher(store: MemoryTokenStore(AccessToken(access: "old", type: "bearer"))) { _ in
            AccessToken(access: "new", type: "bearer")
        }
        var retry = RetryOptions()
        (retry.backoff, retry.maximumAttempts) = (Backoff(base: .zero), 5)
        let transport = ScriptedTransport([
            { .reply(to: $0, 401) }, { .reply(to: $0, 503) }, { .reply(to: $0, 503) }, { .reply(to: $0, 200) },
        ])
        let chain = Chain(
            [
                Retry(retry, budget: nil),
                Authentication(.tokens(refresher), for: [try HTTPURL("https://api.example.com").origin]), log,
            ], over: transport)
        let response = try await chain.send(try request())
        #expect(log.attempts.values == [1, 2, 3, 4])
        #expect(response.metrics.attempt == 4)
    }

    @Test("M1 an error has the last attempt's number, even if an inner middleware made the last attempts")
    func errors() async throws {
        struct Twice: Middleware {
            func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
                var call = call
                do throws(NetworkError) { return try await next(call) } catch { call.startAttempt(after: error) }
                return try await next(call)
            }
        }
        var retry = RetryOptions()
        (retry.backoff, retry.maximumAttempts) = (Backoff(base: .zero), 2)
        let transport = ScriptedTransport { request throws(NetworkError) in
            throw NetworkError(.transport(.connectionLost("x")), phase: .receiving, request: request)
        }
        let chain = Chain([Retry(retry, budget: nil), Twice(), log], over: transport)
        let request = try request()
        let error = await failure { () throws(NetworkError) in try await chain.send(request) }
        #expect(log.attempts.values == [1, 2, 3, 4])
        #expect(error?.attempt == 4)
    }

    @Test("M1 a redirect doesn't count as an attempt")
    func redirect() async throws {
        let transport = ScriptedTransport([
            { .redirect(of: $0, to: "/2") }, { .reply(to: $0, 503) }, { .reply(to: $0, 200) },
        ])
        var retry = RetryOptions()
        retry.backoff = Backoff(base: .zero)
        _ = try await Chain([Retry(retry, budget: nil), Redirects(), log], over: transport).send(try request())
        #expect(log.attempts.values == [1, 1, 2])
    }

    /// Changes a call, and also looks at the answer.
    private struct Both: Middleware {
        let seen: Collected<Int>

        func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
            var call = call
            call.request.fields["X-Prepared"] = "1"
            let response = try await next(call)
            seen.append(response.head.status.code)
            return response
        }
    }

    @Test("M1 a middleware that waits runs at the start, middle and end of a chain, between those that don't")
    func ownHandle() async throws {
        let seen = Collected<Int>()
        let transport = ScriptedTransport()
        let chain = Chain(
            [
                Both(seen: seen), DefaultFields(["X-A": "1"]), Both(seen: seen), DefaultFields(["X-B": "1"]),
                Both(seen: seen),
            ],
            over: transport)
        for _ in 0..<3 { _ = try await chain.send(try request()) }
        #expect(seen.values == Array(repeating: 200, count: 9))
        #expect(
            transport.requests.allSatisfy {
                $0.fields["X-Prepared"] == "1" && $0.fields["X-A"] == "1" && $0.fields["X-B"] == "1"
            })
    }

    /// Has another one do its work.
    private struct Wrapping: Middleware {
        let inner: any ChainElement
        let seen: Collected<Int>

        func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
            let response = try await next.following(inner)(call)
            seen.append(response.head.status.code)
            return response
        }
    }

    @Test("M1 a middleware can put another one of each kind before the rest of the chain")
    func wrapping() async throws {
        let seen = Collected<Int>()
        let transport = ScriptedTransport([{ .reply(to: $0, 503) }, { .reply(to: $0, 200) }, { .reply(to: $0, 200) }])
        var retry = RetryOptions()
        retry.backoff = Backoff(base: .zero)
        for inner: any ChainElement in [Retry(retry, budget: nil), DefaultFields(["X-A": "1"])] {
            let chain = Chain([Wrapping(inner: inner, seen: seen), DefaultFields(["X-B": "1"])], over: transport)
            _ = try await chain.send(try request())
        }
        #expect(seen.values == [200, 200])
        #expect(transport.requests.map { $0.fields["X-A"] } == [nil, nil, "1"])
        #expect(transport.requests.allSatisfy { $0.fields["X-B"] == "1" })
    }
}
