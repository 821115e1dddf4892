import Godwit
import GodwitGraphQL
import GodwitTesting
import TestSupport
import Testing

@Suite("G3 subscriptions over WebSocket that are refused, lost or broken", .timeLimit(.minutes(15)))
struct SocketFailureTests {
    private let seen = Watched<[String]>([])

    @Test(
        "G3 close codes are typed errors, and none of these is tried again",
        arguments: [
            (UInt16(4400), NetworkError.Kind.socketClosed(code: .graphQLBadRequest, reason: "why")),
            (4401, .unauthorized), (4403, .forbidden),
            (4406, .socketClosed(code: .graphQLSubprotocolNotAcceptable, reason: "why")),
            (4409, .socketClosed(code: .graphQLSubscriberExists, reason: "why")),
            (4429, .socketClosed(code: .graphQLTooManyInitializations, reason: "why")),
            (4500, .socketClosed(code: WebSocketCloseCode(4500), reason: "why")),
        ])
    func closeCodes(code: UInt16, kind: NetworkError.Kind) async throws {
        let fixture = try await SocketFixture { socket in
            _ = try await socket.json()
            await socket.close(WebSocketCloseCode(code), reason: "why")
        }
        let error = try #require(await fixture.texts().error)
        #expect(error.kind == kind)
        #expect(error.graphQLCloseCode == WebSocketCloseCode(code))
        #expect(fixture.server.requestCount == 1)
    }

    @Test("G3 4408 is tried again, as often as the options say, and is a timeout then")
    func initializationTimeout() async throws {
        let fixture = try await SocketFixture { socket in
            _ = try await socket.json()
            await socket.close(.graphQLInitializationTimeout, reason: "slow")
        } options: {
            $0.failureLimit = 2
        }
        #expect(await fixture.texts().error?.kind == .timedOut(.connect))
        #expect(fixture.server.requestCount == 3)
    }

    @Test("G3 a token that expires on an open connection is replaced once by that of the next connection")
    func expiredToken() async throws {
        let fixture = try await SocketFixture { [seen] socket in
            let count = seen.update {
                $0.append("open"); return $0.count
            }
            if count == 2 {
                _ = try await socket.json()
                return await socket.close(.graphQLForbidden, reason: "no")
            }
            try await socket.accept()
            _ = try await socket.subscription()
            await socket.close(.graphQLUnauthorized, reason: "expired")
        }
        let error = await fixture.texts().error
        #expect(error?.kind == .forbidden)
        #expect(seen.value.count == 2)
    }

    @Test("G3 a token that is refused on each open connection is replaced once, unless an event arrived between")
    func refusedTokens() async throws {
        for hasEvents in [false, true] {
            let connections = Watched(0)
            let fixture = try await SocketFixture { socket in
                let number = connections.update {
                    $0 += 1; return $0
                }
                try await socket.accept()
                let id = try await socket.subscription()
                if hasEvents, number < 4 { try await socket.next(id, "\(number)") }
                await socket.close(.graphQLUnauthorized, reason: "expired")
            } options: {
                $0.failureLimit = nil
            }
            let outcome = await fixture.texts()
            #expect(outcome.error?.kind == .unauthorized)
            #expect(outcome.texts == (hasEvents ? ["1", "2", "3"] : []))
            #expect(connections.value == (hasEvents ? 4 : 2))
        }
    }

    @Test("G3 connections that were open and are lost don't count as failures to connect")
    func lostAfterOpen() async throws {
        let connections = Watched(0)
        let fixture = try await SocketFixture { socket in
            let number = connections.update {
                $0 += 1; return $0
            }
            try await socket.accept()
            let id = try await socket.subscription()
            if number < 6 { return socket.drop() }
            try await socket.complete(id)
            for try await _ in socket.messages {}
        } options: {
            $0.failureLimit = 0
        }
        #expect(await fixture.texts().error == nil)
        #expect(connections.value == 6)
    }

    @Test("G3 a server that never acknowledges is a timeout after one limit, by the client's clock")
    func noAcknowledgement() async throws {
        let (clock, connections) = (TestClock(), Watched(0))
        let fixture = try await SocketFixture { socket in
            connections.update { $0 += 1 }
            for try await _ in socket.messages {}
        } api: {
            $0.clock = clock
        }
        async let outcome = fixture.texts()
        try await connections.wait { $0 == 1 }
        #expect(try await clock.nextSleep() == .seconds(30))
        #expect(await outcome.error?.kind == .timedOut(.connect))
        #expect(connections.value == 1)
    }

    @Test("G3 a handshake that is never answered ends after the same limit")
    func noHandshake() async throws {
        let (clock, never) = (TestClock(), Watched(false))
        let server = try await MockServer { route in
            route.get("/graphql").reply { _ in
                try await never.wait { $0 }
                return .status(.ok)
            }
        }
        let graphQL = GraphQLClient(APIClient(baseURL: server.url) { $0.clock = clock }) {
            $0.subscriptions.connectTimeout = .seconds(7)
        }
        async let error = failure { () async throws(NetworkError) in
            for try await _ in graphQL.subscribe(.onComment()) {}
        }
        try await server.waitForRequests()
        #expect(try await clock.nextSleep() == .seconds(7))
        #expect(await error?.kind == .timedOut(.connect))
        #expect(server.requestCount == 1)
    }

    @Test("G3 attempts of the first connection end with the last failure before their limit of time")
    func firstConnection() async throws {
        struct Longest: RandomNumberGenerator {
            func next() -> UInt64 { .max }
        }
        let (clock, pauses) = (TestClock(), Watched(0))
        let fixture = try await SocketFixture { socket in
            _ = try await socket.json()
            await socket.close(.graphQLInitializationTimeout, reason: "slow")
        } api: {
            $0.clock = clock
        } options: {
            $0.backoff = Backoff(base: .seconds(8), cap: .seconds(8))
            $0.randomness = Longest()
            $0.failureLimit = nil
            $0.onStateChange = { if case .waiting = $0 { pauses.update { $0 += 1 } } }
        }
        async let outcome = fixture.texts()
        for number in 1...3 {
            try await pauses.wait { $0 == number }
            #expect(try await clock.nextSleep() > .seconds(7))
        }
        #expect(await outcome.error?.graphQLCloseCode == .graphQLInitializationTimeout)
        #expect(fixture.server.requestCount == 4)
    }

    @Test("G3 M4 however long the server asks to wait, the next attempt follows after the bound")
    func bound() async throws {
        let (clock, pauses) = (TestClock(), Watched<[Duration]>([]))
        let server = try await MockServer { $0.get("/graphql").reply(.status(503).field(.retryAfter, "31536000")) }
        let graphQL = GraphQLClient(APIClient(baseURL: server.url) { $0.clock = clock }) {
            $0.subscriptions.backoff = Backoff(base: .zero)
            $0.subscriptions.failureLimit = 1
            $0.subscriptions.longestRetryAfter = .seconds(20)
            $0.subscriptions.onStateChange = { state in
                if case .waiting(let pause, after: _) = state { pauses.update { $0.append(pause) } }
            }
        }
        let task = Task { for try await _ in graphQL.subscribe(.onComment()) {} }
        try await pauses.wait { $0.count == 1 }
        #expect(try await clock.nextSleep() == .seconds(20))
        await #expect(throws: NetworkError.self) { try await task.value }
        #expect(pauses.value == [.seconds(20)])
    }

    @Test(
        "G3 a server that violates the protocol ends the connection with 4400 and an error that says how",
        arguments: [
            ("not json", "not JSON"), ("{}", "without a type"), (#"{"type":"next"}"#, "without an ID"),
            (#"{"type":"hello","id":"1"}"#, #"unknown type "hello""#),
            (#"{"type":"next","id":"1"}"#, "without payload"),
            (#"{"type":"next","id":"1","payload":5}"#, "without payload"),
            (#"{"type":"error","id":"1"}"#, "without payload"),
            ("[", "not JSON"), (#"{"type":5,"id":"1"}"#, "without a type"),
        ])
    func violations(text: String, reason: String) async throws {
        for acknowledges in [true, false] {
            let fixture = try await SocketFixture { [seen] socket in
                // The client may be gone before this learns that the text was sent.
                do {
                    _ = try await socket.json()
                    if acknowledges { try await socket.send(#"{"type":"connection_ack"}"#) }
                    try await socket.send(text)
                    for try await _ in socket.messages {}
                } catch {}
                seen.update { $0.append(socket.socket.closeCode?.description ?? "") }
            } options: {
                // A busy machine may need longer than a person would wait.
                $0.connectTimeout = .seconds(300)
            }
            let error = try #require(await fixture.texts().error)
            #expect(error.description.contains(reason), "\(error)")
            try await seen.wait { !$0.isEmpty }
            #expect(seen.value == ["4400"])
            seen.update { $0 = [] }
        }
    }

    @Test("G3 a result before the acknowledgement, a binary message and a server without the subprotocol are errors")
    func oddStarts() async throws {
        let early = try await SocketFixture { socket in
            _ = try await socket.json()
            try await socket.next("1", "early")
            for try await _ in socket.messages {}
        }
        #expect(await early.texts().error?.description.contains("before connection_ack") == true)
        let binary = try await SocketFixture { socket in
            try await socket.accept()
            try await socket.send(.binary(Data([1])))
            for try await _ in socket.messages {}
        }
        #expect(await binary.texts().error?.description.contains("not JSON") == true)
        let other = try await SocketFixture(subprotocols: ["chat"]) { socket in for try await _ in socket.messages {} }
        #expect(await other.texts().error?.description.contains("graphql-transport-ws") == true)
        let none = try await MockServer { route in route.get("/graphql").reply(.status(.notFound)) }
        let graphQL = GraphQLClient(APIClient(baseURL: none.url))
        var iterator = graphQL.subscribe(.onComment()).makeAsyncIterator()
        let error = await #expect(throws: NetworkError.self) { try await iterator.next() }
        #expect(error?.kind == .notFound)
    }

    @Test("G3 a message above the socket's limit ends the subscriptions with .tooLarge")
    func huge() async throws {
        let fixture = try await SocketFixture { socket in
            try await socket.accept()
            try await socket.next(try await socket.subscription(), String(repeating: "x", count: 5000))
            for try await _ in socket.messages {}
        } options: {
            $0.configureSocket = { $0.messageLimit = 1000 }
        }
        #expect(await fixture.texts().error?.kind == .tooLarge(limit: 1000))
    }

    @Test("G3 a lost connection is made again with all its subscriptions, or ends them, as the options say")
    func lostConnection() async throws {
        for reconnection in [GraphQLSubscriptionOptions.Reconnecting.resubscribe, .never] {
            let connections = Watched(0)
            let fixture = try await SocketFixture { socket in
                let number = connections.update {
                    $0 += 1; return $0
                }
                try await socket.accept()
                for _ in 0..<2 { try await socket.next(try await socket.subscription(), "from \(number)") }
                if number < 3 { return socket.drop() }
                for id in ["1", "2"] { try await socket.complete(id) }
                for try await _ in socket.messages {}
            } options: {
                $0.reconnection = reconnection
            }
            async let first = fixture.texts(article: 1)
            async let second = fixture.texts(article: 2)
            for outcome in await [first, second] {
                if reconnection == .resubscribe {
                    #expect(outcome.texts == ["from 1", "from 2", "from 3"])
                    #expect(outcome.error == nil)
                } else {
                    #expect(outcome.texts == ["from 1"])
                    guard case .transport(.connectionLost)? = outcome.error?.kind else {
                        Issue.record("\(outcome)")
                        continue
                    }
                }
            }
        }
    }

    @Test("G3 a connection that is lost while no subscription needs it isn't made again")
    func lostWhileIdle() async throws {
        let fixture = try await SocketFixture { socket in
            try await socket.accept()
            try await socket.complete(try await socket.subscription())
        } options: { [seen] in
            $0.idleTimeout = .seconds(60)
            $0.onStateChange = { state in seen.update { $0.append(String("\(state)".prefix { $0 != "(" })) } }
        }
        #expect(await fixture.texts().error == nil)
        try await seen.wait { $0.last == "closed" }
        #expect(seen.value == ["connecting", "open", "closed"])
        #expect(fixture.server.requestCount == 1)
        // The next subscription gets a connection of its own.
        #expect(await fixture.texts().error == nil)
        #expect(fixture.server.requestCount == 2)
    }

    @Test("G3 pings of the client find a dead server by the client's clock")
    func deadServer() async throws {
        let clock = TestClock()
        let fixture = try await SocketFixture { [seen] socket in
            try await socket.accept()
            _ = try await socket.subscription()
            #expect(try await socket.json() == ["type": "ping"])
            try await socket.send(#"{"type":"pong"}"#)
            seen.update { $0.append("pong") }
            #expect(try await socket.json() == ["type": "ping"])
            seen.update { $0.append("silent") }
            for try await _ in socket.messages {}
        } api: {
            $0.clock = clock
        } options: {
            $0.pingInterval = .seconds(30)
            $0.connectTimeout = .seconds(1000)
            $0.reconnection = .never
        }
        async let outcome = fixture.texts()
        let advancing = Task {
            while !Task.isCancelled {
                try await clock.waitForSleepers()
                clock.advance(by: .seconds(5))
                try await Task.sleep(for: .milliseconds(5))
            }
        }
        let error = await outcome.error
        advancing.cancel()
        #expect(error?.kind == .timedOut(.inactivity))
        #expect(seen.value == ["pong", "silent"])
    }
}
