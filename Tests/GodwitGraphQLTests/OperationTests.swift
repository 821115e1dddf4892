import Godwit
import GodwitGraphQL
import GodwitTesting
import TestSupport
import Testing

@Suite("G3 GraphQL operations", .timeLimit(.minutes(15)))
struct OperationTests {
    @Test("G3 a query is a POST with text, name and variables, and its data is a value")
    func query() async throws {
        let fixture = try await Fixture { _ in
            .graphQL(#"{"data":{"viewer":{"name":"Ann","articles":[{"title":"Tides"}]}}}"#)
        }
        let data = try await fixture.graphQL.send(.viewer(first: 1))
        #expect(data.viewer == .init(name: "Ann", articles: [.init(title: "Tides")]))
        let request = try #require(fixture.server.requests.first)
        #expect(request.method == .post)
        #expect(request.path == "/graphql")
        #expect(request.fields[.accept] == "application/graphql-response+json, application/json;q=0.9")
        let json = try request.json()
        #expect(json["operationName"] == "Viewer")
        #expect(json["variables"] == ["first": 1])
        #expect(json["query"]?.string?.hasPrefix("query Viewer(") == true)
    }

    @Test("G3 names and keys stay as written, as the schema fixes them, while dates follow the client's JSON settings")
    func variableNames() async throws {
        struct Filter: Encodable, Sendable { let publishedAfter: Date }
        let fixture = try await Fixture {
            $0.json = JSONCoding(keys: .snakeCase, dates: .epochSeconds)
        } answer: { _ in
            .graphQL(#"{"data":{"viewer":null}}"#)
        }
        let filter = Filter(publishedAfter: Date(timeIntervalSince1970: 5))
        let none: Int? = nil
        let operation = GraphQLOperation<ViewerData>.query(
            "query ($theFilter: F, $n: Int, $z: Int) { viewer { name } }",
            variables: ["theFilter": filter, "n": none, "z": JSONValue.null])
        _ = try await fixture.graphQL.send(operation)
        let json = try #require(fixture.server.requests.first).json()
        #expect(json["variables"] == ["theFilter": ["publishedAfter": 5], "z": nil])
        #expect(json["operationName"] == nil)
    }

    @Test("G3 results have the keys of the types also with a client that converts keys, as generated types require")
    func resultKeys() async throws {
        struct Dates: Decodable, Sendable {
            enum CodingKeys: String, CodingKey {
                case publishedAt = "published_at"
                case readAt
            }
            let publishedAt: Int
            let readAt: Int
        }
        let fixture = try await Fixture {
            $0.json = JSONCoding(keys: .snakeCase)
        } answer: { _ in
            .graphQL(#"{"data":{"published_at":1,"readAt":2}}"#)
        }
        let operation = GraphQLOperation<Dates>.query("{ published_at readAt }")
        #expect(try await fixture.graphQL.send(operation).publishedAt == 1)
        let endpoint = try fixture.graphQL.endpoint(for: operation)
        #expect(try await fixture.graphQL.api.send(endpoint).readAt == 2)
    }

    @Test("G3 by hand, a variable is absent, null or a value: by Patch, or by the names whose nil is null")
    func patches() async throws {
        let fixture = try await Fixture { _ in .graphQL(#"{"data":{"viewer":null}}"#) }
        let (name, note) = (String?.none, String?.none)
        let text: GraphQLDocument = "query Q($a: I) { viewer { name } }"
        for variables: GraphQLVariables in [
            ["a": Patch<String>.absent, "b": Patch(note), "c": Patch.value("x"), "d": name],
            GraphQLVariables(["a": name, "b": note, "c": "x"], nulls: ["b", "c", "other"]),
        ] {
            _ = try await fixture.graphQL.send(GraphQLOperation<ViewerData>.query(text, variables: variables))
        }
        let sent = try fixture.server.requests.map { try $0.json()["variables"] }
        #expect(sent == [["b": nil, "c": "x"], ["b": nil, "c": "x"]])
    }

    @Test("G3 partial data comes with the errors of its fields, by path")
    func partialData() async throws {
        let fixture = try await Fixture { _ in
            .graphQL(
                #"{"data":{"viewer":{"name":"Ann","articles":[{"title":"Tides"},null]}},"errors":[{"message":"No such article","#
                    + #""locations":[{"line":1,"column":36}],"path":["viewer","articles",1],"extensions":{"code":"NOT_FOUND","id":7}}],"#
                    + #""extensions":{"cost":3}}"#)
        }
        let response = try await fixture.graphQL.response(for: .viewer())
        #expect(response.value.viewer?.articles?.count == 2)
        let error = try #require(response.error(at: "viewer", "articles", 1))
        #expect(error.message == "No such article")
        #expect(error.code == "NOT_FOUND")
        #expect(error.extensions["id"] == 7)
        #expect(error.locations == [.init(line: 1, column: 36)])
        #expect(error.description == "viewer.articles[1]: No such article")
        #expect(response.extensions == ["cost": 3])

        let thrown = await failure { () throws(NetworkError) in try await fixture.graphQL.send(.viewer()) }
        #expect(thrown?.kind == .notFound)
        #expect(thrown?.graphQLErrors.count == 1)
    }

    @Test("G3 without data, all errors are in the NetworkError, and its texts name the first")
    func noData() async throws {
        let fixture = try await Fixture { _ in
            .graphQL(#"{"data":null,"errors":[{"message":"The sea is closed"},{"message":"Later"}]}"#)
        }
        let error = try #require(
            await failure { () throws(NetworkError) in try await fixture.graphQL.send(.viewer()) })
        #expect(error.kind == .operationFailed)
        #expect(error.graphQLErrors.map(\.message) == ["The sea is closed", "Later"])
        #expect(error.userMessage == "The sea is closed")
        #expect(error.description.contains("the operation failed [POST "))
        #expect(error.description.contains("/graphql]: The sea is closed"))
        #expect(error.shortDescription == "operation_failed")
        #expect(error.response?.status == .ok)
    }

    @Test("G3 a null that the type doesn't allow is the field's error, not a decoding error")
    func nullByError() async throws {
        struct Strict: Decodable, Sendable { let viewer: ViewerData.Viewer }
        let fixture = try await Fixture { _ in
            .graphQL(
                #"{"data":{"viewer":null},"errors":[{"message":"sign in","extensions":{"code":"UNAUTHENTICATED"}}]}"#)
        }
        let operation = GraphQLOperation<Strict>.query("{ viewer { name } }")
        let error = await failure { () throws(NetworkError) in
            try await fixture.graphQL.response(for: operation)
        }
        #expect(error?.kind == .unauthorized)
        #expect(error?.graphQLErrors.first?.message == "sign in")
        let failure = try #require(error?.underlying as? GraphQLFailure)
        #expect(failure.data == ["viewer": nil])
    }

    @Test("G3 data of another type is a decoding error with the path from the root")
    func wrongData() async throws {
        let fixture = try await Fixture { _ in .graphQL(#"{"data":{"viewer":{"name":5}}}"#) }
        let error = await failure { () throws(NetworkError) in try await fixture.graphQL.send(.viewer()) }
        guard case .decoding(let failure)? = error?.kind else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(failure.path == "data.viewer.name")
    }

    @Test(
        "G3 a 400 of type graphql-response+json is a GraphQL error; of type json, it is an HTTP failure that keeps them"
    )
    func mediaTypes() async throws {
        let body = #"{"errors":[{"message":"Unknown field","extensions":{"code":"GRAPHQL_VALIDATION_FAILED"}}]}"#
        for type in ["application/graphql-response+json; charset=utf-8", "application/json"] {
            let fixture = try await Fixture { _ in .graphQL(body, status: .badRequest, type: type) }
            let error = await failure { () throws(NetworkError) in
                try await fixture.graphQL.send(.viewer())
            }
            #expect(error?.response?.status == .badRequest)
            #expect(error?.graphQLErrors.first?.code == "GRAPHQL_VALIDATION_FAILED", "\(type)")
            #expect(error?.kind.isClientError == true, "\(type): \(error as Any)")
            #expect(error?.description.contains("Unknown field") == true, "\(error as Any)")
        }
    }

    @Test("G3 a well-formed response with data counts whatever its status, and a page or another JSON doesn't")
    func oddResponses() async throws {
        let partial = try await Fixture { _ in
            .graphQL(#"{"data":{"viewer":{"name":"A"}}}"#, status: .internalServerError)
        }
        #expect(try await partial.graphQL.send(.rename(to: "A")).viewer?.name == "A")
        let page = try await Fixture { _ in .graphQL("<html>", type: "text/html") }
        let error = await failure { () throws(NetworkError) in try await page.graphQL.send(.viewer()) }
        #expect(error?.kind == .unexpectedContentType("text/html"))
        for body in ["[]", "{}", "5", "", #"{"data":null}"#, "{\"data\":"] {
            let odd = try await Fixture { _ in .graphQL(body) }
            let error = await failure { () throws(NetworkError) in try await odd.graphQL.send(.viewer()) }
            guard case .decoding? = error?.kind else {
                Issue.record("\(body): \(error as Any)")
                continue
            }
        }
        let noErrors = try await Fixture { _ in .graphQL(#"{"data":null,"errors":[5,{"path":[{}]}]}"#) }
        let refused = await failure { () throws(NetworkError) in try await noErrors.graphQL.send(.viewer()) }
        #expect(refused?.graphQLErrors.count == 2)
    }

    @Test("G3 a query is retried even as POST, and a mutation isn't")
    func retries() async throws {
        let fixture = try await Fixture { _ in .status(.serviceUnavailable) }
        let query = await failure { () throws(NetworkError) in try await fixture.graphQL.send(.viewer()) }
        #expect(query?.kind == .server(status: 503))
        #expect(fixture.server.requestCount == 3)
        _ = await failure { () throws(NetworkError) in try await fixture.graphQL.send(.rename(to: "B")) }
        #expect(fixture.server.requestCount == 4)
    }

    @Test("G3 queries by GET are stored by the client's cache; mutations stay POST")
    func cache() async throws {
        let fixture = try await Fixture {
            $0.cache = .memory(limit: 1 << 20)
        } options: {
            $0.queries = .get
        } answer: { request in
            var response = MockResponse.graphQL(#"{"data":{"viewer":{"name":"Ann"}}}"#)
            if request.method == .get { response.fields[.cacheControl] = "max-age=60" }
            return response
        }
        for _ in 0..<3 { _ = try await fixture.graphQL.send(.viewer()) }
        _ = try await fixture.graphQL.send(.viewer(first: 9))
        #expect(fixture.server.requests.map(\.method) == [.get, .get])
        let request = fixture.server.requests[0]
        #expect(request.queryValue("variables") == #"{"first":2}"#)
        #expect(request.queryValue("operationName") == "Viewer")
        #expect(request.queryValue("query")?.hasPrefix("query Viewer($first") == true)
        _ = try await fixture.graphQL.send(.rename(to: "B"))
        #expect(fixture.server.requests.last?.method == .post)
        let long = GraphQLOperation<ViewerData>.query(
            GraphQLDocument("{ viewer { name } } #" + String(repeating: "x", count: 9000)))
        _ = try await fixture.graphQL.send(long)
        #expect(fixture.server.requests.last?.method == .post)
    }

    @Test("G3 an operation as an endpoint sends the same request, and throws the server's errors")
    func endpoint() async throws {
        let fixture = try await Fixture { request in
            request.text.contains("Viewer")
                ? .graphQL(#"{"data":{"viewer":{"name":"Ann"}}}"#)
                : .graphQL(#"{"data":{"viewer":null},"errors":[{"message":"no","extensions":{"code":"FORBIDDEN"}}]}"#)
        }
        let data = try await fixture.graphQL.api.send(fixture.graphQL.endpoint(for: .viewer()))
        #expect(data.viewer?.name == "Ann")
        _ = try await fixture.graphQL.send(.viewer())
        #expect(fixture.server.requests[0].text == fixture.server.requests[1].text)
        let rename = try fixture.graphQL.endpoint(for: .rename(to: "B"))
        let error = await failure { () throws(NetworkError) in try await fixture.graphQL.api.send(rename) }
        #expect(error?.kind == .forbidden && error?.graphQLErrors.first?.message == "no")
    }

    @Test("G3 an endpoint follows the rules of media types: a refused operation has its errors, whatever the status")
    func endpointRules() async throws {
        let body = #"{"errors":[{"message":"sign in","extensions":{"code":"UNAUTHENTICATED"}}]}"#
        let fixture = try await Fixture { _ in .graphQL(body, status: .badRequest) }
        let endpoint = try fixture.graphQL.endpoint(for: .viewer())
        let error = await failure { () throws(NetworkError) in
            try await fixture.graphQL.api.send(endpoint)
        }
        #expect(error?.kind == .unauthorized && error?.graphQLErrors.first?.message == "sign in")
        #expect(error?.request?.method == .post && error?.response?.status == .badRequest)
        let partial = try await Fixture { _ in
            .graphQL(#"{"data":{"viewer":{"name":"A"}}}"#, status: .internalServerError)
        }
        let data = try await partial.graphQL.api.send(partial.graphQL.endpoint(for: .rename(to: "A")))
        #expect(data.viewer?.name == "A")
        let proxy = try await Fixture { _ in .graphQL(body, status: .badGateway, type: "application/json") }
        let other = try proxy.graphQL.endpoint(for: .rename(to: "A"))
        let refusal = await failure { () throws(NetworkError) in try await proxy.graphQL.api.send(other) }
        #expect(refusal?.kind == .server(status: 502) && refusal?.graphQLErrors.count == 1)
    }

    @Test(
        "G3 messages for people and logs don't repeat a password that the server quotes, and are bounded",
        arguments: ["application/json", "application/graphql-response+json"])
    func quotedSecrets(type: String) async throws {
        let message = #"Variable \"$password\" got invalid value \"curlew-and-godwit\"; too short"#
        let list = Array(repeating: #"{"message":"\#(message)"}"#, count: 1000).joined(separator: ",")
        for method in [GraphQLOptions.QueryMethod.post, .get] {
            let fixture = try await Fixture(options: { $0.queries = method }) { _ in
                .graphQL(#"{"errors":[\#(list)]}"#, status: .badRequest, type: type)
            }
            let operation = GraphQLOperation<ViewerData>.query(
                "query ($password: String!) { viewer(password: $password) { name } }",
                variables: ["password": "curlew-and-godwit"])
            let error = try #require(
                await failure { () throws(NetworkError) in try await fixture.graphQL.send(operation) })
            let texts = [error.userMessage ?? "", error.localizedDescription, error.description, "\(error)"]
            #expect(texts.allSatisfy { !$0.contains("curlew") && $0.utf8.count < 2000 }, "\(type) \(texts)")
            #expect(error.graphQLErrors.count == 1000)
            #expect(fixture.server.requests.first?.method == (method == .get ? .get : .post))
        }
    }

    @Test("G3 null is a value of an optional type, and its errors are in the response")
    func optionalData() async throws {
        let fixture = try await Fixture { _ in .graphQL(#"{"data":null,"errors":[{"message":"no"}]}"#) }
        let response = try await fixture.graphQL.response(
            for: GraphQLOperation<ViewerData?>.query("{ viewer { name } }"))
        #expect(response.value == nil && response.errors.map(\.message) == ["no"])
    }

    @Test("G3 the kind of a document is that of its named operation, or of its first")
    func kinds() {
        #expect(GraphQLDocument("{ mutation }").kind == .query)
        #expect(GraphQLDocument("# mutation\nsubscription { a }").kind == .subscription)
        #expect(GraphQLDocument("query A { a } mutation B { b }", name: "B").kind == .mutation)
        #expect(GraphQLDocument("fragment mutation on Q { a } query C { ...mutation }").kind == .query)
        #expect(GraphQLDocument(id: "1").kind == .query)
    }

    @Test("G3 the first operation's name is found in any document")
    func names() {
        #expect(GraphQLDocument("{ query }").name == nil)
        #expect(GraphQLDocument("# query No\nquery\n Yes { a }").name == "Yes")
        #expect(GraphQLDocument("query ($a: S = \"}\") { a }").name == nil)
        #expect(GraphQLDocument("fragment query on Q { b } subscription S1 { a }").name == "S1")
        #expect(GraphQLDocument("query { a(b: \"\"\"} query X \\\"\"\" \"\"\") } mutation M { c }").name == nil)
    }
}

extension NetworkError.Kind {
    fileprivate var isClientError: Bool {
        switch self {
        case .client(400), .validationFailed: true
        default: false
        }
    }
}
