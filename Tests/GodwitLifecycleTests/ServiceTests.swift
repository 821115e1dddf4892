#if Lifecycle
import Godwit
import GodwitLifecycle
import GodwitTesting
import ServiceLifecycle
import ServiceLifecycleTestKit
import Synchronization
import Testing

/// A client in a group of services.
@Suite("Clients as services", .timeLimit(.minutes(15)))
struct ServiceTests {
    /// Lets a reply wait until the test opens it.
    private final class Gate: Sendable {
        private let (stream, continuation) = AsyncStream<Void>.makeStream()

        func open() { continuation.finish() }
        func wait() async { for await _ in stream {} }
    }

    @Test("I6 a graceful shutdown lets a call in progress finish, refuses later ones, and then ends the service")
    func graceful() async throws {
        let gate = Gate()
        let mock = MockTransport {
            $0.get("/slow").reply { _ in
                await gate.wait()
                return .text("done")
            }
        }
        let api = APIClient(baseURL: "https://api.example.com", transport: mock)
        try await testGracefulShutdown { trigger in
            async let service: Void = api.run()
            async let call = api.send(Endpoint<String>.get("slow"))
            _ = try await mock.waitForRequests(count: 1)
            trigger.triggerGracefulShutdown()
            // The shutdown has begun once a call is refused.
            while true {
                do throws(NetworkError) {
                    _ = try await api.send(HTTPRequest(url: "https://api.example.com/none"))
                } catch {
                    if case .shutdown = error.kind { break }
                }
                await Task.yield()
            }
            gate.open()
            #expect(try await call == "done")
            await service
        }
    }

    @Test("I6 canceling the service cancels calls in progress, also after a graceful shutdown has begun")
    func cancellation() async throws {
        for isGraceful in [false, true] {
            let mock = MockTransport { $0.get("/never").reply(.hang) }
            let api = APIClient(baseURL: "https://api.example.com", transport: mock)
            await testGracefulShutdown { trigger in
                let service = Task { await api.run() }
                let call = Task { try await api.send(Endpoint<String>.get("never")) }
                _ = try? await mock.waitForRequests(count: 1)
                if isGraceful { trigger.triggerGracefulShutdown() }
                service.cancel()
                await service.value
                let result = await call.result
                #expect(throws: NetworkError.self) { try result.get() }
            }
        }
    }
}
#endif
