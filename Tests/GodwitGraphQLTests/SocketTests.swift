import Godwit
import GodwitGraphQL
import GodwitTesting
import Synchronization
import Testing

@Suite("G3 subscriptions over WebSocket", .timeLimit(.minutes(15)))
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

    @Test("G3 a slow loop that holds up others for too long ends with an error that says so, and the others continue")
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
            $0.bufferedBytes = 300
            $0.overflowTimeout = .zero
        }
        var slow = fixture.graphQL.subscribe(.onComment()).makeAsyncIterator()
        #expect(try await slow.next()?.comment?.text == "0")
        #expect(await fixture.texts().texts == ["quick"])
        for number in 1...3 { #expect(try await slow.next()?.comment?.text == "\(number)") }
        let error = await #expect(throws: NetworkError.self) { try await slow.next() }
        #expect(error?.description.contains("buffer is full: 3 events") == true, "\(error as Any)")
    }

    @Test("G3 a burst of 5,000 events reaches a loop that starts late, none lost")
    func burst() async throws {
        let sent = Watched(0)
        let fixture = try await SocketFixture { socket in
            try await socket.accept()
            let id = try await socket.subscription()
            for number in 1...5000 {
                try await socket.next(id, "\(number)")
                sent.update { $0 = number }
            }
            try await socket.complete(id)
            for try await _ in socket.messages {}
        }
        var texts: [String] = []
        for try await event in fixture.graphQL.subscribe(.onComment()) {
            try await sent.wait { $0 >= 1000 }
            texts.append(event.comment?.text ?? "")
        }
        #expect(texts == (1...5000).map(String.init))
    }

    @Test("G3 a loop that takes no events slows the server down, also while pings wait behind them")
    func backPressure() async throws {
        let (clock, sent, size, count) = (TestClock(), Watched(0), 64 << 10, 1000)
        let fixture = try await SocketFixture { socket in
            try await socket.accept()
            let id = try await socket.subscription()
            let text = String(repeating: "x", count: size)
            for _ in 0..<count {
                try await socket.next(id, text)
                sent.update { $0 += 1 }
            }
            try await socket.complete(id)
            for try await _ in socket.messages {}
        } api: {
            $0.clock = clock
        } options: {
            $0.bufferedBytes = 1
            $0.pingInterval = .seconds(30)
        }
        var received = 0
        for try await event in fixture.graphQL.subscribe(.onComment()) {
            if received == 0 {
                try await Self.waitForStall(of: sent, asking: fixture)
                for _ in 0..<5 {
                    // The next ping, or the end of the wait for its answer; and the wait for room.
                    try await clock.waitForSleepers(count: 2, within: .seconds(240))
                    clock.advance(by: .seconds(30))
                }
            }
            #expect(event.comment?.text.count == size)
            received += 1
            // The rest is in the systems' buffers.
            #expect(received > 1 || sent.value < count / 2, "\(sent.value)")
        }
        #expect(received == count)
    }

    /// Waits until the server sends nothing during many other exchanges with it.
    private static func waitForStall(of sent: Watched<Int>, asking fixture: SocketFixture) async throws {
        var (last, quiet) = (-1, 0)
        while quiet < 200, sent.value < 1000 {
            _ = try? await fixture.api.send(Endpoint<Void>.get("none"))
            quiet = sent.value == last ? quiet + 1 : 0
            last = sent.value
        }
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
                $0.bufferedBytes = 200
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
            let left = try await socket.json()
            seen.update { $0.append(left["type"]?.string ?? "") }
        } options: {
            // An idle socket that closes immediately ends its subscriptions by that.
            $0.idleTimeout = .seconds(5)
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

    @Test("G3 events that wait for a loop when the account changes are not delivered, also those of a completed one")
    func waitingEvents() async throws {
        for completes in [false, true] {
            let gate = Watched(false)
            let fixture = try await SocketFixture { socket in
                try await socket.accept()
                let id = try await socket.subscription()
                for text in ["taken", "waiting"] { try await socket.next(id, text) }
                if completes { try await socket.complete(id) }
                // The ping's answer shows that all of this was read.
                try await socket.send(#"{"type":"ping"}"#)
                _ = try await socket.json()
                gate.update { $0 = true }
                do { for try await _ in socket.messages {} } catch {}
            } options: {
                $0.idleTimeout = .seconds(60)
            }
            var iterator = fixture.graphQL.subscribe(.onComment()).makeAsyncIterator()
            #expect(try await iterator.next()?.comment?.text == "taken")
            try await gate.wait { $0 }
            try await fixture.api.signOut()
            let error = await #expect(throws: NetworkError.self) { try await iterator.next() }
            #expect(error?.underlying is AccountChanged, "completes: \(completes)")
        }
    }

    @Test("G3 the limit of bytes also holds when the oldest events are dropped; one event may exceed it")
    func droppingBytes() async throws {
        let (taken, gate) = (Watched(false), Watched(false))
        let fixture = try await SocketFixture { socket in
            try await socket.accept()
            let id = try await socket.subscription()
            try await socket.next(id, "0")
            try await taken.wait { $0 }
            for text in ["1", "2", "3", String(repeating: "x", count: 5000)] { try await socket.next(id, text) }
            try await socket.complete(id)
            try await socket.send(#"{"type":"ping"}"#)
            _ = try await socket.json()
            gate.update { $0 = true }
            for try await _ in socket.messages {}
        } options: {
            $0.bufferedBytes = 200
            $0.overflow = .dropOldest
            $0.idleTimeout = .seconds(5)
        }
        var lengths: [Int?] = []
        for try await event in fixture.graphQL.subscribe(.onComment()) {
            taken.update { $0 = true }
            try await gate.wait { $0 }
            lengths.append(event.comment?.text.count)
        }
        #expect(lengths == [1, 5000])
    }

    @Test("G3 an event without data, but with errors, doesn't end a loop whose type can be null")
    func nullEvents() async throws {
        let fixture = try await SocketFixture { socket in
            try await socket.accept()
            let id = try await socket.subscription()
            try await socket.send(
                #"{"id":"\#(id)","type":"next","payload":{"data":null,"errors":[{"message":"skipped"}]}}"#)
            try await socket.next(id, "after")
            try await socket.complete(id)
            for try await _ in socket.messages {}
        }
        let subscription = GraphQLSubscription<CommentData?>.subscription("subscription { comment { text } }")
        var seen: [String?] = []
        for try await response in fixture.graphQL.subscribe(subscription).responses {
            seen.append(response.value?.comment?.text ?? response.errors.first?.message)
        }
        #expect(seen == ["skipped", "after"])
    }

    @Test("G3 over the older subprotocol, subscriptions are started again after a lost connection")
    func legacyRestart() async throws {
        let fixture = try await SocketFixture(subprotocols: ["graphql-ws"]) { [seen] socket in
            let number = seen.update {
                $0.append("open"); return $0.count
            }
            try await socket.accept()
            let id = try await socket.json()["id"]?.string ?? ""
            try await socket.send(
                #"{"id":"\#(id)","type":"data","payload":{"data":{"comment":{"text":"\#(number)"}}}}"#)
            if number == 1 { return socket.drop() }
            try await socket.complete(id)
            for try await _ in socket.messages {}
        } options: {
            $0.transport = .legacyWebSocket()
        }
        let outcome = await fixture.texts()
        #expect(outcome.texts == ["1", "2"])
        #expect(outcome.error == nil)
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
