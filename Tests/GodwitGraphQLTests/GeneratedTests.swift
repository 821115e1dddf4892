#if canImport(Glibc)
import Godwit
import GodwitGraphQL
import Testing

/// The operations in Generated, which `godwit generate --graphql` wrote from Peers.
@Suite("G2 G3 generated operations", .enabled(if: GraphQLPeer.isAvailable, GraphQLPeer.hint), .timeLimit(.minutes(15)))
struct GeneratedTests {
    @Test("G2 generated queries decode what a server sends", arguments: GraphQLPeer.Library.allCases)
    func queries(library: GraphQLPeer.Library) async throws {
        try await GraphQLPeer.run(library) { (peer: GraphQLPeer) async throws in
            let graphQL = peer.client()
            let response = try await graphQL.response(for: .article(id: "1", withTags: false))
            let article = try #require(response.value.article)
            #expect(article.headline == "The bar-tailed godwit" && article.status == .published)
            #expect(article.published == Date(timeIntervalSince1970: 1_795_460_400))
            #expect(article.tags == nil && article.subtitle == nil && article.author?.`self` == "Limosa")
            let found = try await graphQL.send(.search(text: "o")).search
            #expect(found.map(\.id) == ["1", "7"])
            #expect(found.compactMap(\.asArticle?.title) == ["The bar-tailed godwit"])
            #expect(found.compactMap(\.asAuthor?.name) == ["Limosa"])
        }
    }

    @Test("G2 operations share the type of a fragment, alone or with other fields")
    func fragments() async throws {
        try await GraphQLPeer.run(.ariadne) { (peer: GraphQLPeer) async throws in
            let graphQL = peer.client()
            func name(of writer: Writer) -> String { writer.name }
            let article = try #require(try await graphQL.response(for: .article(id: "1")).value.article)
            let author = try #require(article.author)
            #expect(name(of: author.writer) == "Limosa" && author.name == "Limosa" && author.`self` == "Limosa")
            #expect(article.articleParts.subtitled.subtitle == nil && article.headline == article.articleParts.headline)
            let found = try await graphQL.send(.search(text: "o")).search
            #expect(found.compactMap(\.asAuthor?.writer).map(name) == ["Limosa"])
            #expect(found.compactMap(\.asArticle?.author?.writer).map(name) == ["Limosa"])
            let writers = try await graphQL.send(.writers()).search
            #expect(writers.compactMap(\.asArticle?.author).map(name) == ["Limosa"])
        }
    }

    @Test("G2 an input type that contains itself is sent")
    func recursive() async throws {
        try await GraphQLPeer.run(.ariadne) { (peer: GraphQLPeer) async throws in
            let nested = OddNested(again: OddNested(again: OddNested(numbers: [1])))
            #expect(try await peer.client().send(.odd(input: .nested(nested))).odd?.name == "3")
        }
    }

    @Test("G3 G2 a nil is omitted, so that the default applies, unless it is named as null: in variables and in inputs")
    func nulls() async throws {
        try await GraphQLPeer.run(.ariadne) { (peer: GraphQLPeer) async throws in
            let graphQL = peer.client()
            let input = ArticleInput(title: "a")
            let absent = try await graphQL.send(.presence(input: input)).presence
            #expect(
                absent == #"{"input": {"status": "DRAFT", "tags": ["new"], "title": "a"}, "note": "document"}"#)
            let nulled = ArticleInput(title: "a", note: "kept", nulls: [.status, .note])
            let null = try await graphQL.send(.presence(input: nulled, nulls: [.note])).presence
            #expect(
                null == #"{"input": {"note": "kept", "status": null, "tags": ["new"], "title": "a"}, "note": null}"#)
            let all = PresenceQuery.Nullable.allCases
            #expect(
                try await graphQL.send(.presence(note: "b", nulls: Set(all))).presence
                    == #"{"input": null, "note": "b"}"#)
        }
    }

    @Test("G2 generated mutations and subscriptions are accepted by a server", arguments: GraphQLPeer.Library.allCases)
    func others(library: GraphQLPeer.Library) async throws {
        try await GraphQLPeer.run(library) { (peer: GraphQLPeer) async throws in
            let graphQL = peer.client()
            let created = try await graphQL.send(.create(input: ArticleInput(title: "Tides", status: .draft))).create
            #expect(created.title == "Tides" && created.tags == ["new"] && created.status == .draft)
            let file = GraphQLUpload(data: Data("godwit".utf8), fileName: "a.txt")
            #expect(try await graphQL.send(.upload(files: [file])).uploads.map(\.size) == [6])
            var counts: [Int] = []
            for try await event in graphQL.subscribe(.count(to: 3)) { counts.append(event.count) }
            #expect(counts == [1, 2, 3])
        }
    }
}
#endif
