import Godwit
import GodwitGraphQL
import GodwitTesting
import Synchronization
import Testing

@Suite("G3 subscriptions over WebSocket", .timeLimit(.minutes(1)))
struct SocketTests {
    private let seen = Watched<[String]>([])

    @Test("G3 events arrive in order, and the loop ends when the server completes the subscription")
    func events() async throws {
        let fixture = try await SocketFixture { socket in
            let opening = try await socket.accept()
            #expect(opening == ["type": "connection_init"])
            let message = try await socket.json()
            #expect(message["type"] == "subscribe")
            #expect(message["payload"]?["variables"] == ["article": 42])
            let id = try #require(message["id"]?.string)
            for text in ["one", "two"] { try await socket.next(id, text) }
            try await socket.complete(id)
            _ = try await socket.receive()
        }
        let (texts, error) = await fixture.texts()
        #expect(texts == ["one", "two"])
        #expect(error == nil, "\(error as Any)")
        try await fixture.server.waitUntilConnectionsClose()
        #expect(fixture.server.requestCount == 1)
    }

    @Test("G3 leaving the loop completes the subscription, later results are ignored, and the idle socket closes")
    func leaving() async throws {
        let fixture = try await SocketFixture { [seen] socket in
            try await socket.accept()
            let first = try await socket.subscription()
            try await socket.next(first, "one")
            let left = try await socket.json()
            seen.update { $0.append("\(left["type"]?.string ?? "") \(left["id"]?.string == first)") }
            // Late results, and results that nobody asked for.
            try await socket.next(first, "late")
            try await socket.complete(first)
            try await socket.next("999", "unknown")
            let second = try await socket.subscription()
            try await socket.next(second, "two")
            try await socket.complete(second)
            for try await _ in socket.messages {}
            seen.update { $0.append("closed \(socket.socket.closeCode.map(\.description) ?? "")") }
        } options: {
            $0.idleTimeout = .milliseconds(300)
        }
        for try await event in fixture.graphQL.subscribe(.onComment()) {
            #expect(event.comment?.text == "one")
            break
        }
        try await seen.wait { $0 == ["complete true"] }
        #expect(await fixture.texts().texts == ["two"])
        try await seen.wait { $0.last == "closed 1000" }
        #expect(fixture.server.requestCount == 1)
    }

    @Test("G3 a token in connection_init is asked for at each connection, and pings are answered with their payload")
    func payloadAndPing() async throws {
        let tokens = Watched(0)
        let fixture = try await SocketFixture { [seen] socket in
            let opening = try await socket.accept()
            seen.update { $0.append("\(opening["payload"]?["token"]?.string ?? "")") }
            try await socket.send(#"{"type":"ping","payload":{"n":1}}"#)
            var id: String?
            var pong: JSONValue?
            while id == nil || pong == nil {
                let message = try await socket.json()
                if message["type"] == "pong" { pong = message } else { id = message["id"]?.string }
            }
            #expect(pong?["payload"] == ["n": 1])
            if seen.value.count == 1 { return socket.drop() }
            try await socket.complete(id ?? "")
            _ = try await socket.receive()
        } options: {
            $0.connectionPayload = { ["token": .string("t\(tokens.update { $0 += 1; return $0 })")] }
        }
        #expect(await fixture.texts().error == nil)
        #expect(seen.value == ["t1", "t2"])
    }

    @Test("G3 errors of an operation end its loop alone; an event with errors can be read")
    func errors() async throws {
        let fixture = try await SocketFixture { socket in
            try await socket.accept()
            let id = try await socket.subscription()
            try await socket.send(
                #"{"id":"\#(id)","type":"error","payload":[{"message":"No such field","locations":[{"line":1,"column":3}]}]}"#
            )
            let other = try await socket.subscription()
            for _ in 0..<2 {
                try await socket.send(
                    #"{"id":"\#(other)","type":"next","payload":{"data":{"comment":null},"errors":[{"message":"gone"}]}}"#
                )
            }
            for try await _ in socket.messages {}
        } options: {
            $0.idleTimeout = .seconds(5)
        }
        let (texts, error) = await fixture.texts()
        #expect(texts.isEmpty)
        #expect(error?.kind == .operationFailed)
        #expect(error?.graphQLErrors.first?.locations.first?.column == 3)
        var count = 0
        for try await response in fixture.graphQL.subscribe(.onComment()).responses {
            #expect(response.errors.first?.message == "gone")
            count += 1
            if count == 2 { break }
        }
        #expect(fixture.server.requestCount == 1)
    }

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

    @Test("G3 a server that never acknowledges is a timeout by the client's clock")
    func noAcknowledgement() async throws {
        let clock = TestClock()
        let fixture = try await SocketFixture { socket in
            for try await _ in socket.messages {}
        } api: {
            $0.clock = clock
        } options: {
            $0.failureLimit = 0
        }
        async let outcome = fixture.texts()
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(10))
        #expect(await outcome.error?.kind == .timedOut(.connect))
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

    @Test("G3 a slow loop ends at its buffer's limit with an error that says so, and the others on the socket go on")
    func overflow() async throws {
        let fixture = try await SocketFixture { socket in
            try await socket.accept()
            let slow = try await socket.subscription()
            try await socket.next(slow, "0")
            let quick = try await socket.subscription()
            for number in 1...5 { try await socket.next(slow, "\(number)") }
            let left = try await socket.json()
            #expect(left == ["type": "complete", "id": .string(slow)])
            try await socket.next(quick, "quick")
            try await socket.complete(quick)
            for try await _ in socket.messages {}
        } options: {
            $0.bufferedEvents = 3
        }
        var slow = fixture.graphQL.subscribe(.onComment()).makeAsyncIterator()
        #expect(try await slow.next()?.comment?.text == "0")
        #expect(await fixture.texts().texts == ["quick"])
        for number in 1...3 { #expect(try await slow.next()?.comment?.text == "\(number)") }
        let error = await #expect(throws: NetworkError.self) { try await slow.next() }
        #expect(error?.description.contains("buffer is full: 3 events") == true, "\(error as Any)")
    }

    @Test("G3 a full buffer can drop its oldest or newest events instead")
    func dropping() async throws {
        for (overflow, expected) in [
            (GraphQLSubscriptionOptions.Overflow.dropOldest, ["4", "5"]), (.dropNewest, ["1", "2"]),
        ] {
            let (taken, gate) = (Watched(false), Watched(false))
            let fixture = try await SocketFixture { socket in
                try await socket.accept()
                let id = try await socket.subscription()
                try await socket.next(id, "0")
                try await taken.wait { $0 }
                for number in 1...5 { try await socket.next(id, "\(number)") }
                try await socket.complete(id)
                // The ping's answer shows that all of this was read.
                try await socket.send(#"{"type":"ping"}"#)
                _ = try await socket.json()
                gate.update { $0 = true }
                for try await _ in socket.messages {}
            } options: {
                $0.bufferedEvents = 2
                $0.overflow = overflow
                $0.idleTimeout = .seconds(5)
            }
            var texts: [String?] = []
            for try await event in fixture.graphQL.subscribe(.onComment()) {
                taken.update { $0 = true }
                try await gate.wait { $0 }
                texts.append(event.comment?.text)
            }
            #expect(texts.suffix(2).map { $0 ?? "" } == expected, "\(texts)")
        }
    }

    @Test("G3 canceling the task ends its subscription and throws .cancelled")
    func cancellation() async throws {
        let fixture = try await SocketFixture { [seen] socket in
            try await socket.accept()
            _ = try await socket.subscription()
            seen.update { $0.append("subscribed") }
            seen.update { $0.append("never") }
            let left = try await socket.json()
            seen.update { $0.append(left["type"]?.string ?? "") }
        }
        let task = Task { await fixture.texts() }
        try await seen.wait { $0.contains("subscribed") }
        task.cancel()
        #expect(await task.value.error?.kind == .cancelled)
        try await seen.wait { $0.last == "complete" }
    }

    @Test("G3 an account that changes ends its subscriptions and their socket")
    func accountChange() async throws {
        let fixture = try await SocketFixture { [seen] socket in
            try await socket.accept()
            try await socket.next(try await socket.subscription(), "mine")
            do { for try await _ in socket.messages {} } catch {}
            seen.update { $0.append("closed") }
        }
        var iterator = fixture.graphQL.subscribe(.onComment()).makeAsyncIterator()
        #expect(try await iterator.next()?.comment?.text == "mine")
        try await fixture.api.signOut()
        let error = await #expect(throws: NetworkError.self) { try await iterator.next() }
        #expect(error?.underlying is AccountChanged)
        try await seen.wait { $0 == ["closed"] }
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
            $0.acknowledgementTimeout = .seconds(1000)
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

    @Test("G3 the older subprotocol: start, data, ka, stop, and connection_error")
    func legacy() async throws {
        let fixture = try await SocketFixture(subprotocols: ["graphql-ws"]) { socket in
            try await socket.send(#"{"type":"ka"}"#)
            try await socket.accept()
            try await socket.send(#"{"type":"ka"}"#)
            let message = try await socket.json()
            #expect(message["type"] == "start")
            let id = message["id"]?.string ?? ""
            try await socket.send(#"{"id":"\#(id)","type":"data","payload":{"data":{"comment":{"text":"old"}}}}"#)
            let stop = try await socket.json()
            #expect(stop == ["type": "stop", "id": .string(id)])
            for try await _ in socket.messages {}
        } options: {
            $0.transport = .legacyWebSocket()
        }
        for try await event in fixture.graphQL.subscribe(.onComment()) {
            #expect(event.comment?.text == "old")
            break
        }
        try await fixture.server.waitUntilConnectionsClose()
        let refusing = try await SocketFixture(subprotocols: ["graphql-ws"]) { socket in
            _ = try await socket.json()
            try await socket.send(#"{"type":"connection_error","payload":{"message":"bad token"}}"#)
            for try await _ in socket.messages {}
        } options: {
            $0.transport = .legacyWebSocket()
        }
        let error = await refusing.texts().error
        #expect(error?.kind == .forbidden)
        #expect(error?.graphQLErrors.first?.message == "bad token")
    }
}
