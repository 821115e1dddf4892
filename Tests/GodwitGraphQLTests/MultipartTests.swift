import Godwit
import GodwitGraphQL
import GodwitTesting
import TestSupport
import Testing

@Suite("G3 subscriptions over multipart responses", .timeLimit(.minutes(15)))
struct MultipartTests {
    private static func body(_ parts: [String], isComplete: Bool = true) -> Data {
        let parts = parts.map { "\r\n--graphql\r\nContent-Type: application/json\r\n\r\n\($0)" }
        return Data((parts.joined() + (isComplete ? "\r\n--graphql--\r\n" : "\r\n--graphql")).utf8)
    }

    private static func event(_ text: String) -> String { #"{"payload":{"data":{"comment":{"text":"\#(text)"}}}}"# }

    private static func response(
        _ parts: [String], isComplete: Bool = true, type: String = "multipart/mixed; boundary=graphql"
    ) -> MockResponse {
        .chunks([body(parts, isComplete: isComplete)], contentType: type)
    }

    private func outcome(
        _ replies: [MockResponse], _ configure: (inout GraphQLSubscriptionOptions) -> Void = { _ in }
    ) async throws -> (texts: [String?], error: NetworkError?, server: MockServer) {
        let server = try await MockServer { $0.post("/graphql").replies(replies) }
        let graphQL = GraphQLClient(APIClient(baseURL: server.url) { $0.retry.maximumAttempts = 1 }) {
            $0.subscriptions.transport = .multipart()
            $0.subscriptions.backoff = Backoff(base: .zero)
            configure(&$0.subscriptions)
        }
        var texts: [String?] = []
        do throws(NetworkError) {
            for try await event in graphQL.subscribe(.onComment()) { texts.append(event.comment?.text) }
            return (texts, nil, server)
        } catch {
            return (texts, error, server)
        }
    }

    @Test("G3 events arrive until the closing boundary; heartbeats are skipped", arguments: [1, 5, 10_000])
    func events(size: Int) async throws {
        let body = Self.body(["{}", Self.event("one"), "{}", Self.event("two")])
        let chunks = stride(from: 0, to: body.count, by: size).map { Data(body[$0..<min($0 + size, body.count)]) }
        // The type as strawberry sends it.
        let type = "multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json"
        let outcome = try await outcome([.chunks(chunks, contentType: type)])
        #expect(outcome.texts == ["one", "two"])
        #expect(outcome.error == nil, "\(outcome.error as Any)")
        let request = try #require(outcome.server.requests.first)
        #expect(request.fields[.accept]?.hasPrefix("multipart/mixed;subscriptionSpec=1.0, ") == true)
        #expect(try request.json()["variables"] == ["article": 42])
        #expect(outcome.server.requestCount == 1)
    }

    @Test("G3 a response without a closing boundary is a lost connection: it is sent again, or ends the loop")
    func lost() async throws {
        let replies = [Self.response([Self.event("one")], isComplete: false), Self.response([Self.event("two")])]
        let again = try await outcome(replies)
        #expect(again.texts == ["one", "two"] && again.error == nil && again.server.requestCount == 2)
        let once = try await outcome(replies) { $0.reconnection = .never }
        #expect(once.texts == ["one"])
        #expect(
            once.error?.kind == .transport(.connectionLost("the response ended without a closing boundary")),
            "\(once.error as Any)")
    }

    @Test("G3 errors of the whole subscription end it; those of a refused request are thrown and not tried again")
    func errors() async throws {
        let failed = try await outcome([
            Self.response([Self.event("one"), #"{"payload":null,"errors":[{"message":"gone"}]}"#])
        ])
        #expect(failed.texts == ["one"] && failed.error?.graphQLErrors.map(\.message) == ["gone"])
        let refused = try await outcome([
            .graphQL(#"{"errors":[{"message":"no","extensions":{"code":"FORBIDDEN"}}]}"#, type: "application/json")
        ])
        #expect(refused.error?.kind == .forbidden && refused.server.requestCount == 1)
        let whole = try await outcome([.graphQL(#"{"data":{"comment":null}}"#, type: "application/json")])
        #expect(whole.error?.kind == .unexpectedContentType("application/json"))
        let status = try await outcome([.status(.notFound)])
        #expect(status.error?.kind == .notFound && status.server.requestCount == 1)
    }

    @Test("G3 a part that is no object, or larger than the limit, ends the subscription with an error")
    func violations() async throws {
        let list = try await outcome([Self.response(["[]"])]) { $0.reconnection = .never }
        guard case .transport(.protocolViolation) = list.error?.kind else {
            Issue.record("\(list.error as Any)")
            return
        }
        let server = try await MockServer { route in
            route.post("/graphql").reply(Self.response([Self.event(String(repeating: "x", count: 40_000))]))
        }
        let graphQL = GraphQLClient(APIClient(baseURL: server.url)) {
            $0.subscriptions.transport = .multipart()
            $0.partLimit = 1000
        }
        let error = await failure { () throws(NetworkError) in
            for try await _ in graphQL.subscribe(.onComment()) {}
        }
        #expect(error?.kind == .tooLarge(limit: 1000), "\(error as Any)")
    }

    @Test("G3 leaving the loop closes the connection")
    func leaving() async throws {
        let server = try await MockServer { route in
            let alive = Data("\r\nContent-Type: application/json\r\n\r\n{}\r\n--graphql".utf8)
            let chunks = [Self.body([Self.event("one")], isComplete: false)] + Array(repeating: alive, count: 3000)
            route.post("/graphql").reply(
                .chunks(chunks, every: .milliseconds(10), contentType: "multipart/mixed; boundary=graphql"))
        }
        let graphQL = GraphQLClient(APIClient(baseURL: server.url)) { $0.subscriptions.transport = .multipart() }
        for try await event in graphQL.subscribe(.onComment()) {
            #expect(event.comment?.text == "one")
            break
        }
        try await server.waitUntilConnectionsClose()
    }
}
