import Godwit
import GodwitGraphQL
import GodwitTesting
import Testing

@Suite("G3 subscriptions over server-sent events", .timeLimit(.minutes(15)))
struct EventStreamTests {
    private func graphQL(
        _ server: MockServer, _ configure: (inout GraphQLSubscriptionOptions) -> Void
    ) -> GraphQLClient {
        GraphQLClient(APIClient(baseURL: server.url)) {
            $0.subscriptions.backoff = Backoff(base: .zero)
            configure(&$0.subscriptions)
        }
    }

    private static func event(_ text: String) -> ServerSentEvent {
        ServerSentEvent(data: #"{"data":{"comment":{"text":"\#(text)"}}}"#, type: "next")
    }

    private func texts(_ graphQL: GraphQLClient) async -> (texts: [String?], error: NetworkError?) {
        var texts: [String?] = []
        do throws(NetworkError) {
            for try await event in graphQL.subscribe(.onComment()) { texts.append(event.comment?.text) }
            return (texts, nil)
        } catch {
            return (texts, error)
        }
    }

    @Test("G3 distinct connections: a POST is answered with events until complete, and again after a lost connection")
    func distinct() async throws {
        let complete = ServerSentEvent(data: "", type: "complete")
        let server = try await MockServer { route in
            route.post("/graphql").replies([
                .events([Self.event("one"), ServerSentEvent(data: "x", type: "other")]),
                .events([Self.event("two"), complete, Self.event("late")]),
            ])
        }
        let outcome = await texts(graphQL(server) { $0.transport = .eventStream() })
        #expect(outcome.texts == ["one", "two"])
        #expect(outcome.error == nil)
        #expect(server.requests.first?.fields[.accept] == "text/event-stream")
        #expect(try server.requests.first?.json()["variables"] == ["article": 42])
        let once = await texts(
            graphQL(server) {
                $0.transport = .eventStream()
                $0.reconnection = .never
            })
        #expect(once.texts == ["two"])
    }

    @Test("G3 a stream that ends without complete is a lost connection, and a refused operation has its errors")
    func distinctFailures() async throws {
        let server = try await MockServer { route in
            route.post("/graphql").replies([
                .events([Self.event("one")]),
                .graphQL(#"{"errors":[{"message":"No such field"}]}"#, type: "application/json"),
                .graphQL(#"{"errors":[{"message":"Bad"}]}"#, status: .badRequest),
            ])
        }
        let client = graphQL(server) {
            $0.transport = .eventStream()
            $0.reconnection = .never
        }
        let lost = await texts(client)
        #expect(lost.texts == ["one"])
        guard case .transport(.connectionLost)? = lost.error?.kind else {
            Issue.record("\(lost)")
            return
        }
        #expect(await texts(client).error?.graphQLErrors.first?.message == "No such field")
        let refused = await texts(client).error
        #expect(refused?.graphQLErrors.first?.message == "Bad")
        #expect(refused?.kind == .client(status: 400))
    }

    @Test("G3 single connection: reserved by PUT, read by GET, operations by POST, and left by DELETE")
    func single() async throws {
        let operations = Watched<[String]>([])
        let server = try await MockServer { route in
            route.put("/graphql").reply(MockResponse(status: .created, body: .bytes(Data("token-1".utf8))))
            route.get("/graphql").reply { _ in
                try await operations.wait { $0.count == 2 }
                return .events(
                    operations.value.flatMap { id in
                        [
                            ServerSentEvent(
                                data: #"{"id":"\#(id)","payload":{"data":{"comment":{"text":"\#(id)"}}}}"#, type: "next"
                            ),
                            ServerSentEvent(data: #"{"id":"999"}"#, type: "complete"),
                            ServerSentEvent(data: #"{"id":"\#(id)"}"#, type: "complete"),
                        ]
                    })
            }
            route.post("/graphql").reply { request in
                let id = try request.json()["extensions"]?["operationId"]?.string ?? ""
                operations.update { $0.append(id) }
                return .status(.accepted)
            }
            route.delete("/graphql").optional().reply(.status(.ok))
        }
        let client = graphQL(server) {
            $0.transport = .singleEventStream()
            $0.reconnection = .never
        }
        async let first = texts(client)
        async let second = texts(client)
        let outcomes = await [first, second]
        #expect(outcomes.allSatisfy { $0.error == nil }, "\(outcomes)")
        #expect(Set(outcomes.flatMap(\.texts)) == ["1", "2"])
        let tokens = server.requests.filter { $0.method != .put }.map { $0.fields["X-GraphQL-Event-Stream-Token"] }
        #expect(tokens.allSatisfy { $0 == "token-1" })
        #expect(server.requests.matching(.put, "/graphql").count == 1)
    }

    @Test("G3 an account that changes ends a subscription over server-sent events, and its connection")
    func accountChange() async throws {
        let never = Watched(false)
        let server = try await MockServer { route in
            route.post("/graphql").reply(
                .events { index in
                    if index == 0 { return Self.event("mine") }
                    try await never.wait { $0 }
                    return nil
                })
        }
        let client = graphQL(server) { $0.transport = .eventStream() }
        var iterator = client.subscribe(.onComment()).makeAsyncIterator()
        #expect(try await iterator.next()?.comment?.text == "mine")
        try await client.api.signOut()
        let error = await #expect(throws: NetworkError.self) { try await iterator.next() }
        #expect(error?.underlying is AccountChanged, "\(error as Any)")
        try await server.waitUntilConnectionsClose()
    }

    @Test("G3 a slow loop over a connection of its own gets all events, more than its buffer holds")
    func slowLoop() async throws {
        let events = (0..<50).map { Self.event("\($0)") } + [ServerSentEvent(data: "", type: "complete")]
        let server = try await MockServer { $0.post("/graphql").reply(.events(events)) }
        let client = graphQL(server) {
            $0.transport = .eventStream()
            $0.bufferedBytes = 200
        }
        var texts: [String?] = []
        for try await event in client.subscribe(.onComment()) {
            if texts.isEmpty { try await server.waitForRequests() }
            await Task.yield()
            texts.append(event.comment?.text)
        }
        #expect(texts == (0..<50).map { "\($0)" })
        #expect(server.requestCount == 1)
    }

    @Test("G3 attempts to connect that fail in a row end a subscription over server-sent events after the limit")
    func limit() async throws {
        let server = try await MockServer { $0.post("/graphql").reply(.status(.serviceUnavailable)) }
        let client = GraphQLClient(APIClient(baseURL: server.url) { $0.retry.maximumAttempts = 1 }) {
            $0.subscriptions.transport = .eventStream()
            $0.subscriptions.backoff = Backoff(base: .zero)
            $0.subscriptions.failureLimit = 2
        }
        #expect(await texts(client).error?.kind == .server(status: 503))
        #expect(server.requestCount == 3)
    }

    @Test("G3 over a single stream, a refused operation or a failed DELETE concerns one subscription")
    func refusedOperation() async throws {
        let (posted, isOver) = (Watched<[JSONValue?]>([]), Watched(false))
        let server = try await MockServer { route in
            route.put("/graphql").reply(MockResponse(status: .created, body: .bytes(Data("token-1".utf8))))
            route.get("/graphql").reply(
                .events { index in
                    try await isOver.wait { $0 }
                    let data = #"{"id":"1","payload":{"data":{"comment":{"text":"late"}}}}"#
                    return index > 0 ? nil : ServerSentEvent(data: data, type: "next")
                })
            route.post("/graphql").reply { request in
                let article = try request.json()["variables"]?["article"]
                posted.update { $0.append(article) }
                return .status(article == 7 ? .forbidden : .accepted)
            }
            route.delete("/graphql").reply(.close)
        }
        let client = GraphQLClient(APIClient(baseURL: server.url) { $0.retry.maximumAttempts = 1 }) {
            $0.subscriptions.transport = .singleEventStream()
            $0.subscriptions.reconnection = .never
        }
        let start = { @Sendable (article: Int) in
            Task {
                var iterator = client.subscribe(.onComment(article: article)).makeAsyncIterator()
                return try await iterator.next()?.comment?.text
            }
        }
        let first = start(1)
        try await posted.wait { $0.count == 1 }
        let refused = await #expect(throws: NetworkError.self) { try await start(7).value }
        #expect(refused?.kind == .forbidden)
        let left = start(2)
        try await posted.wait { $0.count == 3 }
        left.cancel()
        _ = await left.result
        // Commands are sent one after the other: the DELETE has failed before this.
        let last = start(3)
        try await posted.wait { $0.count == 4 }
        isOver.update { $0 = true }
        #expect(try await first.value == "late")
        _ = await last.result
        #expect(posted.value == [1, 7, 2, 3])
        #expect(server.requests.matching(.put, "/graphql").count == 1)
    }
}
