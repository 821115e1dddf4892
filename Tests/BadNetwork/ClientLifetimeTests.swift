import Godwit
import GodwitTesting
import PeerSupport
import Testing

extension BadNetwork {
    /// Clients that a program makes and releases continually, as a server does for each user.
    @Suite("Clients made and dropped", .serialized)
    struct ClientLifetimes {
        @Test("T9 40 clients released during calls leave no thread and no descriptor")
        func few() async throws {
            try await inProcessOfItsOwn(clients: 40, callsEach: 10)
        }

        @Test("T9 100,000 calls by 1,000 clients leak no memory", .enabled(if: isSoaking))
        func many() async throws {
            try await inProcessOfItsOwn(clients: 1000, callsEach: 100)
        }

        private static var isSoaking: Bool { ProcessInfo.processInfo.environment["GODWIT_TEST_SOAK"] != nil }

        /// Memory, threads and descriptors are counted for the whole process, so other tests must not run in it.
        private func inProcessOfItsOwn(clients: Int, callsEach calls: Int) async throws {
            let result = await #expect(
                processExitsWith: .success, observing: [\.standardOutputContent]
            ) { [clients = clients as Int, calls = calls as Int] in
                let server = try await MockServer {
                    $0.get("/plain").reply(.text("plain"))
                    $0.get("/slow").reply(.hang)
                }
                let lives = ClientLives(server: server)
                // Memory that the runtime and the C libraries allocate once is not a leak.
                for _ in 0..<20 { try await lives.live(calls: calls) }
                let before = try await Usage.settled(to: Usage(memory: 0, descriptors: 0, threads: 0))
                for _ in 0..<clients { try await lives.live(calls: calls) }
                let after = try await Usage.settled(to: before)
                print("\(clients) clients, \(clients * calls) calls: \(before) -> \(after)")
                #expect(after.descriptors <= before.descriptors)
                #expect(after.threads <= before.threads)
                #expect(after.memory - before.memory < 8 << 20)
            }
            print(String(decoding: result?.standardOutputContent ?? [], as: UTF8.self))
        }
    }
}

/// One client's life: calls that end, one that is canceled, and one whose body is unread when the client is released.
private struct ClientLives {
    let server: MockServer

    func live(calls: Int) async throws {
        let api = try makeClient()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<max(calls - 2, 0) {
                group.addTask {
                    let value = try await api.send(Endpoint<String>.get("plain", query: ["n": number % 3]))
                    guard value == "plain" else { throw Unexpected(value: value) }
                }
            }
            try await group.waitForAll()
        }
        let slow = Task { try await api.send(Endpoint<String>.get("slow")) }
        await Task.yield()
        slow.cancel()
        _ = await slow.result
        for try await _ in api.stream(Endpoint<Void>.get("plain")) { break }
    }

    private func makeClient() throws -> APIClient {
        APIClient(baseURL: server.url) {
            $0.coalescesRequests = true
            $0.cache = .memory(limit: 1 << 20)
            $0.cookies = .memory
            $0.authentication = .credential(.bearer("token"))
        }
    }

    struct Unexpected: Error {
        let value: String
    }
}
