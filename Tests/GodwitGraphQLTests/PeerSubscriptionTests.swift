#if canImport(Glibc)
import Glibc
import Godwit
import GodwitGraphQL
import GodwitTesting
import Testing

/// Subscriptions to ariadne and strawberry-graphql, also through restarts of the server.
@Suite(
    "G3 subscriptions to servers that others wrote", .enabled(if: GraphQLPeer.isAvailable, GraphQLPeer.hint),
    .timeLimit(.minutes(15)))
struct PeerSubscriptionTests {
    struct Count: Decodable, Sendable {
        var count: Int
    }

    struct Break: Decodable, Sendable {
        var breaks: Int
    }

    struct TickData: Decodable, Sendable {
        struct Tick: Decodable, Sendable {
            var boot: Int
            var number: Int
        }

        var ticks: Tick
    }

    /// What carries the events.
    enum Carrier: CaseIterable, Sendable {
        case webSocket, eventStream
        /// Only strawberry.
        case multipart

        static let common = [webSocket, eventStream]

        /// What a library serves.
        static func of(_ library: GraphQLPeer.Library) -> [Carrier] {
            library == .strawberry ? allCases : common
        }

        func set(_ options: inout GraphQLOptions) {
            switch self {
            case .webSocket: options.subscriptions.transport = .webSocket()
            case .eventStream: options.subscriptions.transport = .eventStream(path: "events")
            case .multipart: options.subscriptions.transport = .multipart()
            }
        }
    }

    private static let pairs = GraphQLPeer.Library.allCases.flatMap { library in
        Carrier.of(library).map { (library, $0) }
    }

    private static let ticks = GraphQLSubscription<TickData>.subscription("subscription { ticks { boot number } }")

    @Test(
        "G3 a subscription counts to its end, also ten at the same time", arguments: Self.pairs)
    func counts(library: GraphQLPeer.Library, carrier: Carrier) async throws {
        try await GraphQLPeer.run(library) { (peer: GraphQLPeer) async throws in
            let graphQL = peer.client { carrier.set(&$0) }
            let counts = try await withThrowingTaskGroup(of: [Int].self) { group in
                for index in 1...10 {
                    group.addTask {
                        let count = GraphQLSubscription<Count>.subscription(
                            "subscription ($to: Int!) { count(to: $to) }", variables: ["to": index * 5])
                        var values: [Int] = []
                        for try await event in graphQL.subscribe(count) { values.append(event.count) }
                        return values
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(Set(counts.map(\.count)) == Set((1...10).map { $0 * 5 }))
            #expect(counts.allSatisfy { $0 == Array(1...$0.count) })
        }
    }

    @Test(
        "G3 a loop that starts late gets each of 5,000 events that a server sends without a pause",
        arguments: Self.pairs)
    func burst(library: GraphQLPeer.Library, carrier: Carrier) async throws {
        try await GraphQLPeer.run(library) { (peer: GraphQLPeer) async throws in
            let graphQL = peer.client {
                carrier.set(&$0)
                // The loop is held up by the buffer's limit too.
                $0.subscriptions.bufferedBytes = 100_000
            }
            let count = GraphQLSubscription<Count>.subscription("subscription { count(to: 5000) }")
            var values: [Int] = []
            for try await event in graphQL.subscribe(count) {
                // Others use the same server while this loop takes nothing.
                if values.isEmpty { for _ in 0..<100 { _ = try? await graphQL.api.send(Endpoint<Void>.get("none")) } }
                values.append(event.count)
            }
            #expect(values == Array(1...5000))
        }
    }

    @Test("G3 1,000 subscriptions share one socket to a real server", arguments: GraphQLPeer.Library.allCases)
    func thousand(library: GraphQLPeer.Library) async throws {
        try await GraphQLPeer.run(library) { (peer: GraphQLPeer) async throws in
            let opened = Watched(0)
            let graphQL = peer.client {
                $0.subscriptions.onStateChange = { if case .open = $0 { opened.update { $0 += 1 } } }
            }
            let start = ContinuousClock.now
            let counts = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<1000 {
                    group.addTask {
                        let count = GraphQLSubscription<Count>.subscription("subscription { count(to: 5) }")
                        return try await graphQL.subscribe(count).reduce(into: 0) { $0 += $1.count }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(counts == Array(repeating: 15, count: 1000))
            #expect(opened.value == 1)
            print("G3: 1000 subscriptions, 5000 events from \(library) in \(ContinuousClock.now - start)")
        }
    }

    @Test(
        "G3 a subscription that fails in the middle, or is refused, throws the server's errors",
        arguments: Self.pairs)
    func failures(library: GraphQLPeer.Library, carrier: Carrier) async throws {
        try await GraphQLPeer.run(library) { (peer: GraphQLPeer) async throws in
            let graphQL = peer.client { carrier.set(&$0) }
            let breaks = GraphQLSubscription<Break>.subscription("subscription { breaks(after: 2) }")
            var values: [Int] = []
            let error = await #expect(throws: NetworkError.self) {
                for try await event in graphQL.subscribe(breaks) { values.append(event.breaks) }
            }
            #expect(values == [1, 2])
            #expect(error?.graphQLErrors.first?.message.contains("the counter broke") == true, "\(error as Any)")
            let refused = await #expect(throws: NetworkError.self) {
                for try await _ in graphQL.subscribe(GraphQLSubscription<Count>.subscription("subscription { nope }")) {
                }
            }
            #expect(refused?.graphQLErrors.first?.message.contains("nope") == true, "\(refused as Any)")
        }
    }

    @Test("G3 strawberry serves the older subprotocol graphql-ws")
    func legacy() async throws {
        try await GraphQLPeer.run(.strawberry) { (peer: GraphQLPeer) async throws in
            let graphQL = peer.client { $0.subscriptions.transport = .legacyWebSocket() }
            var values: [Int] = []
            let count = GraphQLSubscription<Count>.subscription("subscription { count(to: 3) }")
            for try await event in graphQL.subscribe(count) { values.append(event.count) }
            #expect(values == [1, 2, 3])
        }
    }

    @Test(
        "G3 leaving the loop ends the subscription, and the socket serves the next",
        arguments: GraphQLPeer.Library.allCases)
    func leaving(library: GraphQLPeer.Library) async throws {
        try await GraphQLPeer.run(library) { (peer: GraphQLPeer) async throws in
            let graphQL = peer.client()
            for _ in 0..<3 {
                for try await event in graphQL.subscribe(Self.ticks) where event.ticks.number >= 2 { break }
            }
        }
    }

    @Test("G3 a refused connection ends with the right error", arguments: GraphQLPeer.Library.allCases)
    func refusedConnection(library: GraphQLPeer.Library) async throws {
        try await GraphQLPeer.run(library) { (peer: GraphQLPeer) async throws in
            let graphQL = peer.client { $0.subscriptions.connectionPayload = { ["token": "stale"] } }
            let error = await #expect(throws: NetworkError.self) { for try await _ in graphQL.subscribe(Self.ticks) {} }
            #expect(error?.kind == .forbidden, "\(error as Any)")
        }
    }

    @Test(
        "G3 a subscription resumes when its server is restarted, and the client is told",
        arguments: GraphQLPeer.Library.allCases, [SIGTERM, SIGKILL])
    func restarted(library: GraphQLPeer.Library, signal: Int32) async throws {
        for carrier in Carrier.of(library) {
            let first = try GraphQLPeer(library)
            let states = Watched<[String]>([])
            let graphQL = first.client {
                carrier.set(&$0)
                $0.subscriptions.onStateChange = { state in
                    states.update { $0.append(String("\(state)".prefix { $0 != "(" })) }
                }
            }
            var boots: [Int] = []
            var second: GraphQLPeer?
            for try await event in graphQL.subscribe(Self.ticks) {
                if boots.last != event.ticks.boot { boots.append(event.ticks.boot) }
                if second == nil, event.ticks.number >= 3 {
                    await first.end(signal)
                    second = try GraphQLPeer(library, port: first.port)
                }
                if boots.count == 2, event.ticks.number >= 3 { break }
            }
            withExtendedLifetime((first, second)) {}
            #expect(boots.count == 2)
            #expect(states.value.contains("waiting"))
            #expect(states.value.filter { $0 == "open" }.count >= 2)
        }
    }

    @Test(
        "G3 without resubscribing, the end of the server ends the subscription with an error",
        arguments: Self.pairs)
    func ended(library: GraphQLPeer.Library, carrier: Carrier) async throws {
        try await GraphQLPeer.run(library) { (peer: GraphQLPeer) async throws in
            let graphQL = peer.client {
                carrier.set(&$0)
                $0.subscriptions.reconnection = .never
            }
            let error = await #expect(throws: NetworkError.self) {
                for try await event in graphQL.subscribe(Self.ticks) where event.ticks.number == 3 {
                    await peer.end(SIGKILL)
                }
            }
            guard case .transport(.connectionLost) = error?.kind else {
                Issue.record("\(error as Any)")
                return
            }
        }
    }
}
#endif
