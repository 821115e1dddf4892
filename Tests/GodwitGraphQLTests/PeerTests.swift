#if canImport(Glibc)
import Glibc
import Godwit
import GodwitGraphQL
import GodwitTesting
import Testing

/// Against ariadne and strawberry-graphql, over real sockets.
@Suite(
    "G3 GraphQL servers that others wrote", .enabled(if: GraphQLPeer.isAvailable, GraphQLPeer.hint),
    .timeLimit(.minutes(15)))
struct PeerTests {
    struct ArticleData: Decodable, Sendable {
        struct Article: Decodable, Sendable {
            var title: String
            var subtitle: String?
            var tags: [String]?
        }

        var article: Article?
    }

    struct Greeting: Codable, Sendable, Equatable {
        var greeting: String
    }

    struct FileInfo: Decodable, Sendable, Equatable {
        var name: String
        var size: Int
        var text: String?
    }

    private static let greet = GraphQLOperation<Greeting>.query(
        "query Greet($name: String!) { greeting(name: $name) }", variables: ["name": "Limosa \"l.\" ü"])
    private static let expected = Greeting(greeting: "Hello, Limosa \"l.\" ü")

    @Test(
        "G3 queries succeed over POST, GET, and with automatic persisted queries",
        arguments: GraphQLPeer.Library.allCases)
    func queries(library: GraphQLPeer.Library) async throws {
        try await GraphQLPeer.run(library) { (peer: GraphQLPeer) async throws in
            #expect(try await peer.client().send(Self.greet) == Self.expected)
            #expect(try await peer.client { $0.queries = .get }.send(Self.greet) == Self.expected)
        }
    }

    @Test("G3 a server without persisted queries gets texts", arguments: GraphQLPeer.Library.allCases)
    func unpersisted(library: GraphQLPeer.Library) async throws {
        try await GraphQLPeer.run(library) { (peer: GraphQLPeer) async throws in
            let graphQL = peer.client { $0.persistedQueries = .automatic }
            for _ in 0..<2 { #expect(try await graphQL.send(Self.greet) == Self.expected) }
        }
    }

    @Test("G3 partial data comes with errors by path, and send throws", arguments: GraphQLPeer.Library.allCases)
    func partial(library: GraphQLPeer.Library) async throws {
        try await GraphQLPeer.run(library) { (peer: GraphQLPeer) async throws in
            let graphQL = peer.client()
            let operation = GraphQLOperation<ArticleData>.query("{ article(id: 1) { title subtitle } }")
            let response = try await graphQL.response(for: operation)
            #expect(response.value.article?.title == "The bar-tailed godwit")
            #expect(response.error(at: "article", "subtitle")?.message == "no subtitle")
            let error = await #expect(throws: NetworkError.self) { try await graphQL.send(operation) }
            #expect(error?.kind == .operationFailed)
        }
    }

    @Test("G3 a code in the extensions decides the kind of the error", arguments: GraphQLPeer.Library.allCases)
    func codes(library: GraphQLPeer.Library) async throws {
        try await GraphQLPeer.run(library) { (peer: GraphQLPeer) async throws in
            let graphQL = peer.client()
            let operation = GraphQLOperation<JSONValue>.query("{ secret }")
            let error = await #expect(throws: NetworkError.self) { try await graphQL.send(operation) }
            #expect(error?.kind == .unauthorized)
            #expect(error?.graphQLErrors.first?.pathDescription == "secret")
        }
    }

    @Test("G3 an invalid query reports the server's message and place", arguments: GraphQLPeer.Library.allCases)
    func invalid(library: GraphQLPeer.Library) async throws {
        try await GraphQLPeer.run(library) { (peer: GraphQLPeer) async throws in
            let graphQL = peer.client()
            let error = await #expect(throws: NetworkError.self) {
                try await graphQL.send(GraphQLOperation<JSONValue>.query("{\n  nope\n}"))
            }
            #expect(error?.graphQLErrors.first?.locations == [.init(line: 2, column: 3)])
            #expect(error?.description.contains("Cannot query field") == true)
        }
    }

    @Test("G3 a file and a list of files are uploaded", arguments: GraphQLPeer.Library.allCases)
    func uploads(library: GraphQLPeer.Library) async throws {
        try await GraphQLPeer.run(library) { (peer: GraphQLPeer) async throws in
            struct One: Decodable, Sendable { var upload: FileInfo }
            struct Many: Decodable, Sendable { var uploads: [FileInfo] }
            let graphQL = peer.client()
            let note = GraphQLUpload(data: Data("godwit".utf8), fileName: "note ü.txt")
            let one = GraphQLOperation<One>.mutation(
                "mutation ($file: Upload!) { upload(file: $file) { name size text } }", variables: ["file": note])
            #expect(try await graphQL.send(one).upload == FileInfo(name: "note ü.txt", size: 6, text: "godwit"))
            let large = GraphQLUpload(data: Data(count: 3 << 20), fileName: "large.bin")
            let many = GraphQLOperation<Many>.mutation(
                "mutation ($files: [Upload!]!) { uploads(files: $files) { name size } }",
                variables: ["files": [note, large]])
            #expect(try await graphQL.send(many).uploads.map(\.size) == [6, 3 << 20])
        }
    }

    @Test("G3 strawberry answers a batch of queries")
    func batch() async throws {
        try await GraphQLPeer.run(.strawberry) { (peer: GraphQLPeer) async throws in
            let graphQL = peer.client { $0.batching = GraphQLBatching(window: .seconds(5), limit: 2) }
            async let first = graphQL.send(Self.greet)
            async let second = graphQL.send(Self.greet)
            #expect(try await [first, second] == [Self.expected, Self.expected])
        }
    }

    @Test("G3 strawberry's deferred fragment arrives as a second update")
    func deferred() async throws {
        try await GraphQLPeer.run(.strawberry) { (peer: GraphQLPeer) async throws in
            let graphQL = peer.client()
            let operation = GraphQLOperation<ArticleData>.query("{ article(id: 1) { title ... @defer { tags } } }")
            var updates: [(tags: [String]?, isComplete: Bool)] = []
            for try await update in graphQL.updates(for: operation) {
                updates.append((update.value.article?.tags, update.isComplete))
            }
            #expect(updates.map(\.isComplete) == [false, true])
            #expect(updates.map(\.tags) == [nil, ["bird", "long \"haul\""]])
        }
    }

    @Test("G3 the schema is printed as graphql-core prints it", arguments: GraphQLPeer.Library.allCases)
    func schema(library: GraphQLPeer.Library) async throws {
        try await GraphQLPeer.run(library) { (peer: GraphQLPeer) async throws in
            let expected = try await peer.api.send(HTTPRequest(url: HTTPURL("http://127.0.0.1:\(peer.port)/schema")))
            let text = String(decoding: try await expected.body.collect(upTo: 1 << 20), as: UTF8.self)
            let printed = try await peer.client().schema().definition
            let differences = printed.split(separator: "\n").difference(from: text.split(separator: "\n"))
            #expect(differences.isEmpty, "\(Array(differences))")
        }
    }
}
#endif
