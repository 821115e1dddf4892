import Godwit
import GodwitGraphQL
import GodwitTesting

struct CommentData: Codable, Sendable, Equatable {
    struct Comment: Codable, Sendable, Equatable {
        var text: String
    }

    var comment: Comment?
}

extension GraphQLSubscription {
    static func onComment(article: Int = 42) -> GraphQLSubscription<CommentData> {
        .subscription(
            "subscription ($article: ID!) { comment(article: $article) { text } }", variables: ["article": article])
    }
}

/// A server of subscriptions at `/graphql`, and a client for it.
struct SocketFixture {
    let server: MockServer
    let api: APIClient
    let graphQL: GraphQLClient

    init(
        on server: MockServer.Options = MockServer.Options(), subprotocols: [String] = ["graphql-transport-ws"],
        handler: @escaping @Sendable (MockWebSocket) async throws -> Void,
        api: (inout ClientConfiguration) -> Void = { _ in },
        options: (inout GraphQLSubscriptionOptions) -> Void = { _ in }
    ) async throws {
        self.server = try await MockServer(server) { route in
            route.webSocket("/graphql", subprotocols: subprotocols, handler: handler)
        }
        var configuration = ClientConfiguration()
        api(&configuration)
        self.api = APIClient(baseURL: self.server.url, preset: configuration)
        graphQL = GraphQLClient(self.api) {
            $0.subscriptions.backoff = Backoff(base: .zero)
            $0.subscriptions.idleTimeout = .zero
            options(&$0.subscriptions)
        }
    }

    /// The texts of the events, and the error that ended the loop.
    func texts(article: Int = 42) async -> (texts: [String?], error: NetworkError?) {
        var texts: [String?] = []
        do throws(NetworkError) {
            for try await event in graphQL.subscribe(.onComment(article: article)) { texts.append(event.comment?.text) }
            return (texts, nil)
        } catch {
            return (texts, error)
        }
    }
}

extension MockWebSocket {
    /// The next message as JSON.
    func json() async throws -> JSONValue {
        guard case .text(let text) = try await receive() else { return nil }
        return try JSONCoding().decode(JSONValue.self, from: Data(text.utf8))
    }

    /// Waits for `connection_init` and accepts it.
    @discardableResult
    func accept() async throws -> JSONValue {
        let message = try await json()
        try await send(#"{"type":"connection_ack"}"#)
        return message
    }

    /// Waits for the start of a subscription and returns its ID.
    func subscription() async throws -> String {
        let message = try await json()
        guard message["type"] == "subscribe", let id = message["id"]?.string else { throw Unexpected(message: message) }
        return id
    }

    func next(_ id: String, _ text: String) async throws {
        try await send(#"{"id":"\#(id)","type":"next","payload":{"data":{"comment":{"text":"\#(text)"}}}}"#)
    }

    func complete(_ id: String) async throws {
        try await send(#"{"id":"\#(id)","type":"complete"}"#)
    }
}

struct Unexpected: Error {
    let message: JSONValue
}
