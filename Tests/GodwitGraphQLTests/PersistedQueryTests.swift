import Godwit
import GodwitGraphQL
import GodwitTesting
import TestSupport
import Testing

@Suite("G3 persisted queries", .timeLimit(.minutes(15)))
struct PersistedQueryTests {
    private static let answer = #"{"data":{"viewer":{"name":"Ann"}}}"#

    @Test("G3 only the hash is sent, and the text once if the server doesn't know it")
    func persisted() async throws {
        let fixture = try await Fixture(options: { $0.persistedQueries = .automatic }) { request in
            let json = try request.json()
            guard json["query"] != nil else {
                return .graphQL(
                    #"{"errors":[{"message":"PersistedQueryNotFound","extensions":{"code":"PERSISTED_QUERY_NOT_FOUND"}}]}"#
                )
            }
            return .graphQL(Self.answer)
        }
        #expect(try await fixture.graphQL.send(.viewer()).viewer?.name == "Ann")
        let bodies = try fixture.server.requests.map { try $0.json() }
        #expect(bodies.count == 2)
        #expect(bodies[0]["query"] == nil)
        #expect(bodies[1]["query"] != nil)
        let hash = bodies[1]["extensions"]?["persistedQuery"]?["sha256Hash"]?.string
        #expect(hash == "ec87099fa4ddcd29a970a8d49c78a2753d8e11d31b0c17a43e788d7100d8eb84")
        #expect(bodies[0]["extensions"] == bodies[1]["extensions"])
        #expect(bodies[0]["extensions"]?["persistedQuery"]?["version"] == 1)
    }

    @Test(
        "G3 a server without persisted queries is asked once, also if it answers 400 with json",
        arguments: [HTTPStatus.ok, .badRequest])
    func notSupported(status: HTTPStatus) async throws {
        let fixture = try await Fixture(options: { $0.persistedQueries = .automatic }) { request in
            guard try request.json()["extensions"] == nil else {
                return .graphQL(
                    #"{"errors":[{"message":"PersistedQueryNotSupported"}]}"#, status: status,
                    type: "application/json")
            }
            return .graphQL(Self.answer)
        }
        for _ in 0..<3 { _ = try await fixture.graphQL.send(.viewer()) }
        #expect(fixture.server.requestCount == 4)
    }

    @Test(
        "G3 any answer to a hash without data is followed by the text, and hashes are given up",
        arguments: [
            (200, #"{"errors":[{"message":"Must provide query string."}]}"#),
            (500, #"{"errors":[{"message":"Must provide query string."}]}"#),
            (200, #"{"data":null,"errors":[{"message":"query: missing"}]}"#), (404, "not here"), (415, "what?"),
        ])
    func refusedInAnyWords(status: Int, body: String) async throws {
        let fixture = try await Fixture(options: { $0.persistedQueries = .automatic }) { request in
            guard try request.json()["query"] == nil else { return .graphQL(Self.answer) }
            return .graphQL(body, status: HTTPStatus(status) ?? .ok, type: "application/json")
        }
        for _ in 0..<2 { #expect(try await fixture.graphQL.send(.viewer()).viewer?.name == "Ann") }
        let haveText = try fixture.server.requests.map { try $0.json()["query"] != nil }
        // A status of 500 is retried.
        #expect(Array(haveText.drop { !$0 }) == [true, true] && haveText.first == false)
    }

    @Test("G3 what has nothing to do with the text is not sent again with it", arguments: [401, 403])
    func unrelated(status: Int) async throws {
        let fixture = try await Fixture(options: { $0.persistedQueries = .automatic }) { _ in
            .graphQL(#"{"errors":[{"message":"no"}]}"#, status: HTTPStatus(status) ?? .ok, type: "application/json")
        }
        let error = await failure { () throws(NetworkError) in
            try await fixture.graphQL.send(.viewer())
        }
        #expect(error?.response?.status.code == status)
        #expect(fixture.server.requestCount == 1)
    }

    @Test("G3 a mutation runs once, also if the server that knows its hash answers 400 for what failed in it")
    func mutationOnce() async throws {
        for body in [
            #"{"data":{"viewer":null},"errors":[{"message":"declined","path":["viewer"]}]}"#,
            #"{"data":null,"errors":[{"message":"declined"}]}"#, #"{"errors":[{"message":"declined"}]}"#, "oops",
        ] {
            let fixture = try await Fixture(options: { $0.persistedQueries = .automatic }) { request in
                let isMutation = try request.json()["operationName"] == "Rename"
                return isMutation
                    ? .graphQL(body, status: .badRequest, type: "application/json") : .graphQL(Self.answer)
            }
            _ = try await fixture.graphQL.send(.viewer())
            let error = await failure { () throws(NetworkError) in
                try await fixture.graphQL.send(.rename(to: "B"))
            }
            #expect(error?.response?.status == .badRequest)
            #expect(fixture.server.requestCount == 2, "\(body)")
            #expect(try fixture.server.requests[1].json()["query"] == nil)
        }
    }

    @Test("G3 a mutation is sent again with its text only if the server says that it doesn't know the hash")
    func mutationAgain() async throws {
        let fixture = try await Fixture(options: { $0.persistedQueries = .automatic }) { request in
            let json = try request.json()
            guard json["operationName"] == "Rename", json["query"] == nil else { return .graphQL(Self.answer) }
            let body = #"{"errors":[{"message":"?","extensions":{"code":"PERSISTED_QUERY_NOT_FOUND"}}]}"#
            return .graphQL(body, status: .badRequest, type: "application/json")
        }
        _ = try await fixture.graphQL.send(.viewer())
        #expect(try await fixture.graphQL.send(.rename(to: "B")).viewer?.name == "Ann")
        #expect(fixture.server.requestCount == 3)
    }

    @Test("G3 until a query has shown that the server knows hashes, a mutation is sent with its text")
    func firstMutation() async throws {
        let fixture = try await Fixture(options: { $0.persistedQueries = .automatic }) { _ in .graphQL(Self.answer) }
        _ = try await fixture.graphQL.send(.rename(to: "B"))
        #expect(try fixture.server.requests.map { try $0.json()["query"] != nil } == [true])
    }

    @Test(
        "G3 a server that misses the text is asked once, in either media type",
        arguments: ["application/json", "application/graphql-response+json", "text/plain"])
    func missingText(type: String) async throws {
        let fixture = try await Fixture(options: { $0.persistedQueries = .automatic }) { request in
            guard try request.json()["query"] == nil else { return .graphQL(Self.answer) }
            return .graphQL(#"{"errors":[{"message":"Missing query"}]}"#, status: .badRequest, type: type)
        }
        for _ in 0..<3 { #expect(try await fixture.graphQL.send(.viewer()).viewer?.name == "Ann") }
        #expect(fixture.server.requestCount == 4)
    }

    @Test("G3 with GET, the hash is in the URL, and the code alone says that the server doesn't know it")
    func get() async throws {
        let fixture = try await Fixture(options: {
            $0.persistedQueries = .automatic
            $0.queries = .get
        }) { request in
            guard request.queryValue("query") == nil else { return .graphQL(Self.answer) }
            return .graphQL(#"{"errors":[{"message":"?","extensions":{"code":"PERSISTED_QUERY_NOT_FOUND"}}]}"#)
        }
        #expect(try await fixture.graphQL.send(.viewer()).viewer?.name == "Ann")
        let requests = fixture.server.requests
        #expect(requests.map(\.method) == [.get, .get])
        #expect(requests[0].queryValue("extensions")?.contains("sha256Hash") == true)
        #expect(requests[0].queryValue("extensions") == requests[1].queryValue("extensions"))
        #expect(requests[0].queryValue("variables") == #"{"first":2}"#)
    }

    @Test("G3 the second request isn't sent for another account")
    func account() async throws {
        let signOut = Watched<(@Sendable () async throws -> Void)?>(nil)
        let fixture = try await Fixture(options: { $0.persistedQueries = .automatic }) { _ in
            try await signOut.value?()
            return .graphQL(#"{"errors":[{"message":"PersistedQueryNotFound"}]}"#)
        }
        let api = fixture.graphQL.api
        signOut.update { $0 = { try await api.signOut() } }
        let error = await failure { () throws(NetworkError) in
            try await fixture.graphQL.send(.viewer())
        }
        #expect(error?.underlying is AccountChanged, "\(error as Any)")
        #expect(fixture.server.requestCount == 1)
    }

    @Test("G3 a trusted document is sent by its ID")
    func trusted() async throws {
        let fixture = try await Fixture(options: { $0.persistedQueries = .automatic }) { _ in .graphQL(Self.answer) }
        _ = try await fixture.graphQL.send(
            GraphQLOperation<ViewerData>.query(GraphQLDocument(id: "doc:1", name: "Viewer")))
        #expect(try fixture.server.requests[0].json() == ["documentId": "doc:1", "operationName": "Viewer"])
    }
}
