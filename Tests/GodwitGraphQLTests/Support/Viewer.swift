import Godwit
import GodwitGraphQL
import GodwitTesting

struct ViewerData: Codable, Sendable, Equatable {
    struct Viewer: Codable, Sendable, Equatable {
        var name: String?
        var articles: [Article?]?
    }

    struct Article: Codable, Sendable, Equatable {
        var title: String
    }

    var viewer: Viewer?
}

extension GraphQLOperation {
    static func viewer(first: Int = 2) -> GraphQLOperation<ViewerData> {
        .query(
            "query Viewer($first: Int!) { viewer { name articles(first: $first) { title } } }",
            variables: ["first": first])
    }

    static func rename(to name: String) -> GraphQLOperation<ViewerData> {
        .mutation("mutation Rename($name: String!) { viewer: rename(to: $name) { name } }", variables: ["name": name])
    }
}

/// A server at `/graphql` with one answer, and a client for it.
struct Fixture {
    let server: MockServer
    let graphQL: GraphQLClient

    init(
        api: (inout ClientConfiguration) -> Void = { _ in }, options: (inout GraphQLOptions) -> Void = { _ in },
        answer: @escaping @Sendable (MockRequest) async throws -> MockResponse
    ) async throws {
        server = try await MockServer(handler: answer)
        var configuration = ClientConfiguration()
        configuration.retry.backoff = Backoff(base: .zero)
        api(&configuration)
        graphQL = GraphQLClient(APIClient(baseURL: server.url, preset: configuration), configure: options)
    }
}

extension MockResponse {
    static func graphQL(
        _ json: String, status: HTTPStatus = .ok, type: String = "application/graphql-response+json"
    ) -> MockResponse {
        MockResponse(status: status, fields: [.contentType: type], body: .bytes(Data(json.utf8)))
    }
}
