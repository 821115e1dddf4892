@testable import GodwitGenerator
import Testing

@Suite("G2 Tests of clients as Swift")
struct TestWriterTests {
    @Test("G2 examples of types are literals, complete and minimal")
    func examples() {
        #expect(
            LibraryPlan.text(of: "Tests/LibraryTests/Examples/LibraryExamples+Models.swift") == ##"""
                // JSON of types.
                nonisolated extension LibraryExamples {
                    static let book = #"""
                        {
                          "id": 1,
                          "title": "title",
                          "genre": "novel",
                          "published": "2026-03-01"
                        }
                        """#

                    static let bookMinimal = #"""
                        {
                          "id": 1,
                          "title": "title",
                          "genre": "novel"
                        }
                        """#

                    static let problem = #"""
                        {
                          "message": "message"
                        }
                        """#

                    static let problemMinimal = #"""
                        {}
                        """#

                    static let refreshRequest = #"""
                        {
                          "refreshToken": "refreshToken"
                        }
                        """#

                    static let tokens = #"""
                        {
                          "accessToken": "accessToken",
                          "refreshToken": "refreshToken",
                          "expiresIn": 1
                        }
                        """#

                    static let tokensMinimal = #"""
                        {
                          "accessToken": "accessToken",
                          "refreshToken": "refreshToken"
                        }
                        """#
                }

                """##)
    }

    @Test("G2 the mock server answers each operation with an example")
    func server() {
        #expect(
            LibraryPlan.text(of: "Tests/LibraryTests/LibraryServer.swift") == ##"""
                import Godwit
                import GodwitTesting
                import Library

                /// Answers all operations with examples: for tests, demos and previews.
                ///
                /// ```swift
                /// let server = try await LibraryServer.start()
                /// let environment = APIEnvironment(name: "mock", baseURL: server.url.absoluteString)
                /// let api = LibraryAPI.client(environment)
                /// ```
                nonisolated enum LibraryServer {
                    /// The base URL of ``client(over:)``. Nothing is sent there.
                    static let environment = APIEnvironment(name: "mock", baseURL: "https://mock.example.com")

                    /// A server on this machine.
                    static func start() async throws(NetworkError) -> MockServer {
                        try await MockServer { routes($0) }
                    }

                    /// A transport without a network, and its requests.
                    static func transport() -> MockTransport {
                        MockTransport { routes($0) }
                    }

                    /// A client that tries each call once.
                    static func client(over transport: some HTTPTransport, credential: LibraryCredential? = nil) -> APIClient {
                        LibraryAPI.client(environment, credential: credential, transport: transport) {
                            $0.retry.maximumAttempts = 1
                        }
                    }

                    private static func routes(_ route: MockRoutes) {
                        routes1(route)
                    }

                    private static func routes1(_ route: MockRoutes) {
                        route.get("/events")
                            .reply(.events([ServerSentEvent(data: LibraryExamples.book), "[DONE]"]))
                        route.get("/books")
                            .reply(json(LibraryExamples.listBooksResponse))
                        route.post("/books")
                            .reply(.status(204))
                        route.post("/session/refresh")
                            .reply(json(LibraryExamples.tokens))
                        route.get("/books/:id")
                            .reply(json(LibraryExamples.book))
                    }

                    private static func json(_ text: String, status: Int = 200) -> MockResponse {
                        .bytes(Data(text.utf8), contentType: "application/json", status: HTTPStatus(status) ?? .ok)
                    }
                }

                """##)
    }

    @Test("G2 types are tested with their examples")
    func models() {
        #expect(
            LibraryPlan.text(of: "Tests/LibraryTests/ModelTests.swift") == ##"""
                import Godwit
                import Library
                import Testing

                @Suite("Types are read and written without a loss")
                struct ModelTests {
                    @Test("Book, also without optional members")
                    func book() throws {
                        try LibraryExamples.roundTrip(LibraryExamples.book, as: Book.self)
                        try LibraryExamples.roundTrip(LibraryExamples.bookMinimal, as: Book.self)
                    }

                    @Test("Problem, also without optional members")
                    func problem() throws {
                        try LibraryExamples.roundTrip(LibraryExamples.problem, as: Problem.self)
                        try LibraryExamples.roundTrip(LibraryExamples.problemMinimal, as: Problem.self)
                    }

                    @Test("RefreshRequest")
                    func refreshRequest() throws {
                        try LibraryExamples.roundTrip(LibraryExamples.refreshRequest, as: RefreshRequest.self)
                    }

                    @Test("Tokens, also without optional members")
                    func tokens() throws {
                        try LibraryExamples.roundTrip(LibraryExamples.tokens, as: Tokens.self)
                        try LibraryExamples.roundTrip(LibraryExamples.tokensMinimal, as: Tokens.self)
                    }
                }

                """##)
    }

    @Test("G2 enums are tested with a value that no one knows")
    func unknown() {
        #expect(
            LibraryPlan.text(of: "Tests/LibraryTests/UnknownValueTests.swift") == ##"""
                import Godwit
                import Library
                import Testing

                @Suite("Values that the server adds later are kept")
                struct UnknownValueTests {
                    @Test("Genre")
                    func genre() throws {
                        let json = #"["added later"]"#
                        let values: [Open<Genre>] = try LibraryExamples.value(json)
                        #expect(values == [.unknown("added later")])
                    }
                }

                """##)
    }

    @Test("G2 endpoints are tested with what they send")
    func endpoints() {
        #expect(
            LibraryPlan.text(of: "Tests/LibraryTests/Endpoints/BooksEndpointTests.swift") == ##"""
                import Godwit
                import GodwitTesting
                import Library
                import Testing

                @Suite("Endpoints about Books")
                struct BooksEndpointTests {
                    @Test("listBooks: GET /books")
                    func listBooks() async throws {
                        let mock = LibraryServer.transport()
                        let api = LibraryServer.client(over: mock)
                        _ = try await api.send(.listBooks())
                        let request = try #require(mock.requests.first)
                        #expect(request.method == .get)
                        #expect(request.path == "/books")
                    }

                    @Test("book: GET /books/{id}")
                    func book() async throws {
                        let mock = LibraryServer.transport()
                        let api = LibraryServer.client(over: mock)
                        _ = try await api.send(.book(id: 1))
                        let request = try #require(mock.requests.first)
                        #expect(request.method == .get)
                        #expect(request.path == "/books/1")
                    }

                    @Test("create: POST /books")
                    func create() async throws {
                        let mock = LibraryServer.transport()
                        let api = LibraryServer.client(over: mock)
                        let book: Book = try LibraryExamples.value(LibraryExamples.book)
                        try await api.send(.create(book))
                        let request = try #require(mock.requests.first)
                        #expect(request.method == .post)
                        #expect(request.path == "/books")
                        #expect(request.fields[.contentType] == "application/json")
                        #expect(try request.decoded(as: Book.self, coding: LibraryAPI.coding) == book)
                    }
                }

                """##)
    }

    @Test("G2 events are tested with their first element")
    func session() {
        #expect(
            LibraryPlan.text(of: "Tests/LibraryTests/Endpoints/SessionEndpointTests.swift") == ##"""
                import Godwit
                import GodwitTesting
                import Library
                import Testing

                @Suite("Endpoints about Session")
                struct SessionEndpointTests {
                    @Test("refresh: POST /session/refresh")
                    func refresh() async throws {
                        let mock = LibraryServer.transport()
                        let api = LibraryServer.client(over: mock)
                        let requestValue: RefreshRequest = try LibraryExamples.value(LibraryExamples.refreshRequest)
                        _ = try await api.send(.refresh(requestValue))
                        let request = try #require(mock.requests.first)
                        #expect(request.method == .post)
                        #expect(request.path == "/session/refresh")
                        #expect(request.fields[.contentType] == "application/json")
                        #expect(try request.decoded(as: RefreshRequest.self, coding: LibraryAPI.coding) == requestValue)
                    }

                    @Test("events: GET /events")
                    func events() async throws {
                        let mock = LibraryServer.transport()
                        let api = LibraryServer.client(over: mock)
                        let elements = api.events(.events).decoded(as: Book.self, until: "[DONE]")
                        for try await _ in elements { break }
                        let request = try #require(mock.requests.first)
                        #expect(request.method == .get)
                        #expect(request.path == "/events")
                    }
                }

                """##)
    }
}
