import Godwit
import GodwitGraphQL
import GodwitTesting
import TestSupport
import Testing

@Suite("G3 many subscriptions, and servers that restart", .serialized, .timeLimit(.minutes(15)))
struct ManySubscriptionsTests {
    private static let count = 1000
    private static let events = 5

    /// The resident memory of this process in KiB; 0 if the system doesn't say.
    private static var residentMemory: Int {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return 0 }
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }

    @Test("G3 1,000 subscriptions share one socket: all get every event, all end, and the socket closes")
    func thousand() async throws {
        let received = Watched(0)
        let fixture = try await SocketFixture { socket in
            try await socket.accept()
            var ids: [String] = []
            while ids.count < Self.count { ids.append(try await socket.subscription()) }
            for number in 1...Self.events {
                for id in ids { try await socket.next(id, "\(number)") }
            }
            for id in ids { try await socket.complete(id) }
            for try await _ in socket.messages {}
        }
        let (before, start) = (Self.residentMemory, ContinuousClock.now)
        let outcomes = await withTaskGroup(of: (texts: [String?], error: NetworkError?).self) { group in
            for article in 0..<Self.count {
                group.addTask {
                    defer { received.update { $0 += 1 } }
                    return await fixture.texts(article: article)
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let (time, memory) = (ContinuousClock.now - start, Self.residentMemory - before)
        #expect(outcomes.count == Self.count)
        #expect(outcomes.allSatisfy { $0.texts == ["1", "2", "3", "4", "5"] && $0.error == nil })
        #expect(fixture.server.requestCount == 1)
        try await fixture.server.waitUntilConnectionsClose()
        print(
            "G3: \(Self.count) subscriptions, \(Self.count * Self.events) events in \(time), \(memory) KiB more resident"
        )
    }

    @Test("G3 subscriptions continue over restarts of their server, or end with the lost connection")
    func restarts() async throws {
        let port = try HeldPort()
        let rounds = 4
        @Sendable func start(_ round: Int) async throws -> MockServer {
            try await MockServer(.at(port)) { route in
                route.webSocket("/graphql", subprotocols: ["graphql-transport-ws"]) { socket in
                    try await socket.accept()
                    while true {
                        let id = try await socket.subscription()
                        try await socket.next(id, "round \(round)")
                        if round == rounds { try await socket.complete(id) }
                    }
                }
            }
        }
        var server = try await start(1)
        let states = Watched(0)
        let graphQL = GraphQLClient(APIClient(baseURL: server.url)) {
            $0.subscriptions.backoff = Backoff(base: .milliseconds(20), cap: .milliseconds(50))
            $0.subscriptions.failureLimit = nil
            $0.subscriptions.onStateChange = { if case .open = $0 { states.update { $0 += 1 } } }
        }
        let seen = Watched<[Int: [String]]>([:])
        let count = 100
        let readers = Task {
            await withTaskGroup(of: NetworkError?.self) { group in
                for article in 0..<count {
                    group.addTask {
                        do throws(NetworkError) {
                            for try await event in graphQL.subscribe(.onComment(article: article)) {
                                seen.update { $0[article, default: []].append(event.comment?.text ?? "") }
                            }
                            return nil
                        } catch {
                            return error
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
        }
        for round in 1...rounds {
            try await seen.wait { $0.count == count && $0.values.allSatisfy { $0.last == "round \(round)" } }
            guard round < rounds else { break }
            await server.stop()
            server = try await start(round + 1)
        }
        let errors = await readers.value
        #expect(errors.allSatisfy { $0 == nil }, "\(errors.compactMap(\.self).first as Any)")
        #expect(seen.value.values.allSatisfy { $0 == (1...rounds).map { "round \($0)" } })
        #expect(states.value == rounds)
        await server.stop()
    }

    @Test("G3 a server that doesn't come back ends the subscription with its error after the limit")
    func gone() async throws {
        let port = try HeldPort()
        let fixture = try await SocketFixture(on: .at(port)) { socket in
            try await socket.accept()
            try await socket.next(try await socket.subscription(), "last")
            for try await _ in socket.messages {}
        } options: {
            $0.failureLimit = 3
        }
        var iterator = fixture.graphQL.subscribe(.onComment()).makeAsyncIterator()
        #expect(try await iterator.next()?.comment?.text == "last")
        await fixture.server.stop()
        let error = await #expect(throws: NetworkError.self) { try await iterator.next() }
        guard case .transport(.cannotConnect)? = error?.kind else {
            Issue.record("\(error as Any)")
            return
        }
    }
}
