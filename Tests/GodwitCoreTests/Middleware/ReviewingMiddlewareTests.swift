import GodwitCore
import GodwitTesting
import Testing

@Suite("M1 ReviewingMiddleware", .timeLimit(.minutes(15)))
struct ReviewingMiddlewareTests {
    /// Records what it sees, and sends a call again while the status is 503.
    private struct Repeater: ReviewingMiddleware {
        let name: String
        let events: Collected<String>
        var limit = 2
        var pause: (@Sendable () async throws(NetworkError) -> Void)?

        func prepare(_ call: inout Call) {
            events.append("prepare \(name)")
            call.request.fields.append(name, for: "X-Prepared")
        }

        func review(_ outcome: CallOutcome, of call: Call, sendings: Int) -> Review {
            let status = (try? outcome.get())?.head.status.code ?? 0
            events.append("review \(name) \(status) \(sendings)")
            guard status == 503, sendings < limit else { return .finish(outcome) }
            return .resend(call, after: pause)
        }
    }

    /// The same behavior within a middleware that waits.
    private struct Handled: Middleware {
        var inner: Repeater

        func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
            try await next.following(inner)(call)
        }
    }

    private let events = Collected<String>()

    @discardableResult
    private func send(
        _ middlewares: [any ChainElement], _ statuses: [Int]
    ) async throws(NetworkError) -> [HTTPRequest] {
        let transport = ScriptedTransport(statuses.map { status in { @Sendable in .reply(to: $0, status) } })
        _ = try await Chain(middlewares, over: transport).send(try HTTPRequest(url: "https://a.example/"))
        return transport.requests
    }

    @Test("M1 reviews run from the innermost to the outermost; a resent call is prepared again by inner ones only")
    func order() async throws {
        let requests = try await send(
            [Repeater(name: "a", events: events, limit: 2), Repeater(name: "b", events: events, limit: 1)],
            [503, 200])
        #expect(
            events.values == [
                "prepare a", "prepare b", "review b 503 1", "review a 503 1",
                "prepare b", "review b 200 1", "review a 200 2",
            ])
        #expect(requests.map { $0.fields.values(of: "X-Prepared") } == [["a", "b"], ["a", "b"]])
    }

    @Test("M1 a reviewing middleware behaves the same in a chain and through handle")
    func handled() async throws {
        try await send([Repeater(name: "a", events: events, limit: 3)], [503, 503, 200])
        let direct = events.values
        let other = Collected<String>()
        try await send([Handled(inner: Repeater(name: "a", events: other, limit: 3))], [503, 503, 200])
        #expect(other.values == direct)
        #expect(direct.count == 4)
    }

    @Test("M1 an error of a pause is reviewed by the outer middlewares only")
    func pause() async throws {
        let failing = Repeater(name: "b", events: events, limit: 2) { () throws(NetworkError) in
            throw NetworkError(.cancelled, phase: .middleware)
        }
        let error = await failure { () async throws(NetworkError) in
            try await send([Repeater(name: "a", events: events), failing], [503])
        }
        #expect(error?.kind == .cancelled)
        #expect(events.values == ["prepare a", "prepare b", "review b 503 1", "review a 0 1"])
    }

    @Test("M1 an error of prepare is reviewed by the outer middlewares, and nothing is sent")
    func prepareError() async throws {
        let transport = ScriptedTransport()
        let chain = Chain([Repeater(name: "a", events: events), HTTPSOnly()], over: transport)
        let error = await failure { () async throws(NetworkError) in
            try await chain.send(try HTTPRequest(url: "http://a.example/"))
        }
        #expect(error != nil)
        #expect(events.values == ["prepare a", "review a 0 1"])
        #expect(transport.requests.isEmpty)
    }

    @Test("M1 a middleware that skips a call neither prepares nor reviews it")
    func skipped() async throws {
        let seen = Collected<String>()
        struct Skipping: ReviewingMiddleware {
            let seen: Collected<String>
            func handles(_ call: Call) -> Bool { false }
            func prepare(_ call: inout Call) { seen.append("prepare") }
            func review(_ outcome: CallOutcome, of call: Call, sendings: Int) -> Review {
                seen.append("review")
                return .finish(outcome)
            }
        }
        try await send([Skipping(seen: seen)], [200])
        #expect(seen.values.isEmpty)
    }

    @Test("M1 reviews see the response as changed by an asynchronous middleware between them")
    func between() async throws {
        struct Answering: Middleware {
            func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
                _ = try await next(call)
                return .reply(to: call.request, 204)
            }
        }
        try await send(
            [Repeater(name: "a", events: events), Answering(), Repeater(name: "b", events: events)], [200])
        #expect(events.values == ["prepare a", "prepare b", "review b 200 1", "review a 204 1"])
    }

    @Test("M1 M2 a custom request option reaches its middleware, with its default value if it isn't set")
    func option() async throws {
        struct Localizing: RequestMiddleware {
            func prepare(_ call: inout Call) {
                call.request.fields["X-Region"] = call.request.options[Region.self]
            }
        }
        var request = HTTPRequest(url: try HTTPURL("https://a.example/"))
        let transport = ScriptedTransport()
        let chain = Chain([Localizing()], over: transport)
        _ = try await chain.send(request)
        let unchanged = request
        request.options[Region.self] = "us"
        request.options[Region.self] = "jp"
        _ = try await chain.send(request)
        _ = try await chain.send(unchanged)
        #expect(transport.requests.map { $0.fields["X-Region"] } == ["eu", "jp", "eu"])
    }
}

private enum Region: RequestOption {
    static let defaultValue = "eu"
}
