import GodwitCore
import GodwitTesting
import Testing

@Suite("M1 AdmittingMiddleware", .timeLimit(.minutes(15)))
struct AdmittingMiddlewareTests {
    /// Records what it sees. Admits at once, or after it waited.
    private struct Gate: AdmittingMiddleware {
        let name: String
        let events: Collected<String>
        var waits = false
        var isClosed = false

        func admit(_ call: inout Call, next: Next) throws(NetworkError) -> Admission? {
            events.append("admit \(name)")
            call.request.fields.append(name, for: "X-Admitted")
            if isClosed, !waits { throw NetworkError(.unauthorized, phase: .middleware) }
            return waits ? nil : admission
        }

        func wait(for call: Call) async throws(NetworkError) -> Admission {
            await Task.yield()
            events.append("wait \(name)")
            if isClosed { throw NetworkError(.unauthorized, phase: .middleware) }
            return admission
        }

        private var admission: Admission {
            Admission { outcome in
                events.append("end \(name) \((try? outcome.get())?.head.status.code ?? 0)")
                return outcome
            }
        }
    }

    /// Admits everything, and wants to know nothing.
    private struct Open: AdmittingMiddleware {
        func admit(_ call: inout Call, next: Next) -> Admission? { Admission() }
    }

    private struct Renamed: AdmittingMiddleware {
        func admit(_ call: inout Call, next: Next) -> Admission? {
            Admission { outcome in outcome.mapError { _ in NetworkError(.cancelled, phase: .middleware) } }
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

    @Test("M1 calls are admitted from the outside in, and end from the inside out", arguments: [false, true])
    func order(waits: Bool) async throws {
        let requests = try await send(
            [Gate(name: "a", events: events), Open(), Gate(name: "b", events: events, waits: waits), Open()], [200])
        let wait = waits ? ["wait b"] : []
        #expect(events.values == ["admit a", "admit b"] + wait + ["end b 200", "end a 200"])
        #expect(requests.map { $0.fields.values(of: "X-Admitted") } == [["a", "b"]])
    }

    @Test("M1 a refused call is not sent, and ends for the outer middlewares only", arguments: [false, true])
    func refusal(waits: Bool) async throws {
        let closed = Gate(name: "b", events: events, waits: waits, isClosed: true)
        let error = await failure { () async throws(NetworkError) in
            try await send([Gate(name: "a", events: events), closed, Gate(name: "c", events: events)], [])
        }
        #expect(error?.kind == .unauthorized)
        #expect(events.values == ["admit a", "admit b"] + (waits ? ["wait b"] : []) + ["end a 0"])
    }

    @Test("M1 each attempt is admitted anew inside a retry, and once outside")
    func attempts() async throws {
        var options = RetryOptions()
        options.backoff = Backoff(base: .zero)
        let inner = Gate(name: "b", events: events, waits: true)
        try await send([Gate(name: "a", events: events), Retry(options), inner], [503, 200])
        #expect(
            events.values == [
                "admit a", "admit b", "wait b", "end b 503", "admit b", "wait b", "end b 200", "end a 200",
            ])
    }

    @Test("M1 the end of an admission can replace the outcome")
    func outcome() async throws {
        let error = await failure { () async throws(NetworkError) in
            try await send([Renamed(), Gate(name: "a", events: events, isClosed: true)], [])
        }
        #expect(error?.kind == .cancelled)
    }
}
