#if os(Linux)
import Glibc
import Godwit
import GodwitSockets
import GodwitTesting
import PeerSupport
import Synchronization
import Testing

/// What one owner of all sockets means, as counts: one thread at a time does everything, and the loop's wakes seldom.
@Suite("T25 one thread at a time owns every exchange", .timeLimit(.minutes(15)))
struct OneOwnerTests {
    private func makeTransport(_ versions: ProtocolPreference = .http1) throws -> SocketTransport {
        try SocketTransport {
            $0.proxy = .none
            $0.protocols = versions
            $0.measuresTurns = true
        }
    }

    private func serve(_ versions: ProtocolPreference) async throws -> MockServer {
        var options = MockServer.Options()
        if versions == .http2PriorKnowledge { options.protocols = .http2 }
        return try await MockServer(options) { route in
            route.get("/").reply(.text("ok"))
            route.post("/").reply(.text("ok"))
            route.get("/hang").reply(.hang)
        }
    }

    @Test(
        "T25 heads, bodies and ends of all calls are handled by one thread at a time, whoever sends, reads or cancels",
        arguments: [ProtocolPreference.http1, .http2PriorKnowledge])
    func oneAtATime(_ versions: ProtocolPreference) async throws {
        let server = try await serve(versions)
        let transport = try makeTransport(versions)
        let owners = Owners()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                var request = HTTPRequest(
                    method: number % 2 == 0 ? .get : .post, url: try server.at(number % 8 == 0 ? "/hang" : "/"),
                    body: number % 2 == 0 ? nil : "x", delivery: number % 3 == 0 ? .streamed : .buffered)
                request.options.onEvent = { _ in owners.visit() }
                request.options.onHeadSent = { _ in owners.visit() }
                group.addTask { [request] in
                    let call = Task {
                        for try await _ in try await transport.send(request).body {}
                    }
                    if number % 8 == 0 { call.cancel() }
                    guard case .failure(let error) = await call.result else { return }
                    #expect(number % 8 == 0 && (error as? NetworkError)?.kind == .cancelled, "\(error)")
                }
            }
            try await group.waitForAll()
        }
        #expect(owners.overlaps.load(ordering: .relaxed) == 0)
        // Each of the 175 calls that weren't canceled sent a head, received a body and finished.
        #expect(owners.visits.load(ordering: .relaxed) >= 3 * 175)
        await transport.shutdown(.cancelling)
    }

    /// Counts what is handled, and what is while another thread handles something.
    private final class Owners: Sendable {
        let visits = Atomic(0)
        let overlaps = Atomic(0)
        private let owner = Mutex(())

        func visit() {
            visits.add(1, ordering: .relaxed)
            let isAlone: Void? = owner.withLockIfAvailable { _ in for _ in 0..<10 { sched_yield() } }
            if isAlone == nil { overlaps.add(1, ordering: .relaxed) }
        }
    }

    @Test("T25 the loop's thread sleeps at most twice for a call that is alone: to be called, and for the response")
    func sleeps() async throws {
        let server = try await serve(.http1)
        let transport = try makeTransport()
        // Such as `17/task/18`.
        let owner = try await onLoop(transport) {
            try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
        }
        _ = try await transport.send(HTTPRequest(url: server.url))
        let before = try sleeps(of: owner)
        for _ in 0..<200 { _ = try await transport.send(HTTPRequest(url: server.url)) }
        // A lock that another thread holds may make it sleep too.
        #expect(try sleeps(of: owner) - before < 450)
        #expect(server.connectionCount == 1)
    }

    @Test(
        "T25 calls that start together share turns: sixty-four take fewer than two each",
        arguments: [ProtocolPreference.http1, .http2PriorKnowledge])
    func together(_ versions: ProtocolPreference) async throws {
        let server = try await serve(versions)
        let transport = try makeTransport(versions)
        try await transport.warmUp(server.url, connections: 64)
        for _ in 0..<5 {
            let before = transport.turnCount
            // The tasks run on the loop, which handles all of their commands before it waits for events.
            try await withTaskExecutorPreference(transport.taskExecutor) {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<64 {
                        group.addTask { [url = server.url] in _ = try await transport.send(HTTPRequest(url: url)) }
                    }
                    try await group.waitForAll()
                }
            }
            let turns = transport.turnCount - before
            #expect(turns < 2 * 64)
        }
        #expect(server.requestCount == 5 * 64)
    }

    /// How often a thread of this process gave up its processor to wait.
    private func sleeps(of thread: String) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(thread)/status", encoding: .utf8)
        let line = text.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
        return try #require(line?.split(separator: "\t").last.flatMap { Int($0) })
    }
}
#endif
