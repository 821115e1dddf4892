import Godwit
import GodwitGraphQL
import GodwitUI

// snippet: graphql-operations
nonisolated struct ViewerData: Decodable, Sendable {
    struct Viewer: Decodable, Sendable { let name: String? }
    let viewer: Viewer?
}

extension GraphQLOperation {
    static func viewer(first: Int) -> GraphQLOperation<ViewerData> {
        .query("query Viewer($first: Int!) { viewer(first: $first) { name } }", variables: ["first": first])
    }
}
// end

extension GraphQLOperation {
    static func rename(to name: String) -> GraphQLOperation<ViewerData> {
        .mutation("mutation ($name: String!) { viewer: rename(name: $name) { name } }", variables: ["name": name])
    }
}

nonisolated struct CommentData: Decodable, Sendable {
    struct Comment: Decodable, Sendable { let text: String }
    let comment: Comment?
}

extension GraphQLSubscription {
    static func onComment(article: Int) -> GraphQLSubscription<CommentData> {
        .subscription("subscription ($id: ID!) { comment(article: $id) { text } }", variables: ["id": article])
    }
}

extension GraphQLOperation {
    static func edit(id: String, _ input: ArticleInput) -> GraphQLOperation<ViewerData> {
        .mutation(
            "mutation ($id: ID!, $input: ArticleInput!) { viewer: edit(id: $id, input: $input) { name } }",
            variables: ["id": id, "input": input])
    }
}

/// As `godwit generate --graphql` writes it.
nonisolated struct ArticleInput: Encodable, Sendable {
    var title: String?
    var note: String?
    var nulls: Set<Nullable>

    init(title: String? = nil, note: String? = nil, nulls: Set<Nullable> = []) {
        (self.title, self.note, self.nulls) = (title, note, nulls)
    }

    nonisolated enum Nullable: CaseIterable, Sendable {
        case title, note
    }

    private nonisolated enum CodingKeys: CodingKey {
        case title, note
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        if title != nil || nulls.contains(.title) { try container.encode(title, forKey: .title) }
        if note != nil || nulls.contains(.note) { try container.encode(note, forKey: .note) }
    }
}

enum GraphQLSnippets {
    static func first(_ api: APIClient) async throws {
        // snippet: recipe-G3
        let graphQL = GraphQLClient(api)  // POST to graphql below the base URL
        let data = try await graphQL.send(.viewer(first: 10))
        for try await event in graphQL.subscribe(.onComment(article: 42)) {
            print(event.comment?.text ?? "")
        }
        // end
        print(data)
    }

    @MainActor
    static func loader(_ graphQL: GraphQLClient) async {
        // snippet: graphql-loader
        let viewer = Loader { try await graphQL.send(.viewer(first: 10)) }
        await viewer.load()
        // end
    }

    @MainActor
    static func queries(_ api: APIClient, _ graphQL: GraphQLClient) async throws {
        // snippet: graphql-queries
        let queries = QueryStore(api)
        let viewer = Loader(queries, try graphQL.endpoint(for: .viewer(first: 10)))
        await viewer.load()  // the stored result at once, then a fresh one if it is stale
        try await queries.mutate(graphQL.endpoint(for: .rename(to: "Ann"))) { _ in }
        // end
    }

    static func partial(_ graphQL: GraphQLClient) async throws {
        // snippet: graphql-partial
        let response = try await graphQL.response(for: .viewer(first: 10))
        for error in response.errors { print(error.pathDescription, error.message, error.code ?? "") }
        // end
    }

    static func errors(_ graphQL: GraphQLClient) async {
        func showLogin() {}
        // snippet: graphql-errors
        do {
            _ = try await graphQL.send(.viewer(first: 10))
        } catch {
            switch error.kind {
            case .unauthorized: showLogin()  // the code UNAUTHENTICATED, or a 401
            case .operationFailed: print(error.graphQLErrors)  // the server's errors, in an accepted response
            default: print(error)
            }
        }
        // end
    }

    static func options(_ api: APIClient) async throws {
        // snippet: graphql-options
        let graphQL = GraphQLClient(api, path: "api/graphql") {
            $0.queries = .get  // the client's cache applies to queries
            $0.persistedQueries = .automatic  // the hash first, and the text if the server asks for it
            $0.batching = GraphQLBatching(window: .milliseconds(10), limit: 20)
        }
        let trusted = GraphQLOperation<ViewerData>.query(GraphQLDocument(id: "viewer-1"), variables: ["first": 10])
        // end
        _ = try await graphQL.send(trusted)
    }

    static func upload(_ graphQL: GraphQLClient, _ photo: URL) async throws {
        // snippet: graphql-upload
        let operation = GraphQLOperation<ViewerData>.mutation(
            "mutation ($image: Upload!) { viewer: setAvatar(image: $image) { name } }",
            variables: ["image": GraphQLUpload(file: photo)])
        _ = try await graphQL.send(operation)
        // end
    }

    static func subscriptions(_ api: APIClient) async throws {
        @Sendable func currentToken() async throws -> String { "" }
        // snippet: graphql-subscriptions
        let graphQL = GraphQLClient(api) {
            $0.subscriptions.transport = .webSocket(path: "subscriptions")
            $0.subscriptions.connectionPayload = { ["authorization": .string(try await currentToken())] }
            $0.subscriptions.reconnection = .never  // .resubscribe by default
            $0.subscriptions.onStateChange = { state in print(state) }
        }
        for try await response in graphQL.subscribe(.onComment(article: 42)).responses {
            print(response.value, response.errors)  // an event with errors doesn't end this loop
        }
        // end
    }

    static func nulls(_ graphQL: GraphQLClient, _ note: String?) async throws {
        // snippet: graphql-nulls
        _ = try await graphQL.send(.edit(id: "42", ArticleInput(title: "Tides")))  // the note is kept
        _ = try await graphQL.send(.edit(id: "42", ArticleInput(note: note, nulls: [.note])))  // cleared if note is nil
        // end
    }

    static func updates(_ graphQL: GraphQLClient) async throws {
        // snippet: graphql-updates
        for try await update in graphQL.updates(for: .viewer(first: 10)) {
            print(update.value, update.isComplete)  // deferred fields are nil until they arrive
        }
        // end
    }
}
