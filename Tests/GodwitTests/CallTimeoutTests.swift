import Foundation
import Godwit
import GodwitTesting
import TestSupport
import Testing

@Suite("U9 the time of a whole call", .timeLimit(.minutes(15)))
struct CallTimeoutTests {
    private static let limit = Duration.milliseconds(300)

    private func client(_ server: MockServer, _ configure: (inout ClientConfiguration) -> Void = { _ in }) -> APIClient
    {
        APIClient(baseURL: server.url) {
            $0.timeouts.call = Self.limit
            configure(&$0)
        }
    }

    private func expectTimeout(_ work: () async throws -> Void, _ location: SourceLocation = #_sourceLocation) async {
        let error = await #expect(throws: NetworkError.self, sourceLocation: location) { try await work() }
        #expect(error?.kind == .timedOut(.total), sourceLocation: location)
    }

    @Test("U9 it ends a call between its attempts, and while it waits for its turn")
    func pauses() async throws {
        let server = try await MockServer { $0.get("/busy").reply(.status(503).field(.retryAfter, "50")) }
        // Longer than a busy machine takes for an answer.
        let limit = Duration.seconds(3)
        let patient = client(server) { $0.timeouts.call = limit }
        await expectTimeout { try await patient.send(Endpoint<Void>.get("busy")) }
        #expect(server.requestCount == 1)
        let limited = client(server) {
            $0.timeouts.call = limit
            ($0.rateLimit, $0.retry.maximumAttempts) = (.tokenBucket(perSecond: 0.1, burst: 1), 1)
        }
        _ = try? await limited.send(Endpoint<Void>.get("busy"))
        await expectTimeout { try await limited.send(Endpoint<Void>.get("busy")) }
        #expect(server.requestCount == 2)
    }

    @Test("U9 redirects share it")
    func redirects() async throws {
        let server = try await MockServer {
            $0.get("/loop").reply(.redirect(to: "/loop").delayed(by: .milliseconds(100)))
        }
        await expectTimeout { try await client(server).send(Endpoint<Void>.get("loop")) }
        #expect(server.requestCount < 8)
    }

    @Test("U9 it ends streams, downloads, uploads and events that go on")
    func transfers() async throws {
        let folder = TemporaryFolder()
        let server = try await MockServer {
            $0.get("/endless").reply(.endlessChunks(every: .milliseconds(20)))
            $0.get("/events").reply(
                .events { number in
                    if number > 3 { try await Task.sleep(for: .seconds(30)) }
                    return ServerSentEvent(data: "\(number)")
                })
            $0.put("/slow").reply(.text("late").delayed(by: .seconds(30)))
            $0.get("/busy").reply(.status(503).field(.retryAfter, "50"))
        }
        let api = client(server)
        await expectTimeout { _ = try await api.download(Endpoint<Data>.get("busy"), to: folder.path("other")).file }
        await expectTimeout { for try await _ in api.stream(Endpoint<Data>.get("endless")) {} }
        await expectTimeout { _ = try await api.download(Endpoint<Data>.get("endless"), to: folder.path("file")).file }
        await expectTimeout { _ = try await api.upload(Endpoint<Data>.put("slow"), body: .data(Data(count: 10))) }
        let events = Endpoint<Void>.get("events").options { $0.timeouts.call = Self.limit }
        await expectTimeout { for try await _ in api.events(events) {} }
    }

    @Test("U9 a call that is over in time, or canceled, has its own outcome")
    func own() async throws {
        let server = try await MockServer {
            $0.get("/ok").reply(.text("ok"))
            $0.get("/missing").reply(.status(404))
            $0.get("/slow").reply(.text("late").delayed(by: .seconds(30)))
        }
        let api = client(server) { $0.timeouts.call = .seconds(30) }
        #expect(try await api.send(Endpoint<String>.get("ok")) == "ok")
        let missing = await #expect(throws: NetworkError.self) { try await api.send(Endpoint<String>.get("missing")) }
        #expect(missing?.kind == .notFound)
        let call = Task { try await api.send(Endpoint<String>.get("slow")) }
        try await server.waitForRequests(count: 3)
        call.cancel()
        let canceled = await #expect(throws: NetworkError.self) { try await call.value }
        #expect(canceled?.kind == .cancelled)
    }
}
