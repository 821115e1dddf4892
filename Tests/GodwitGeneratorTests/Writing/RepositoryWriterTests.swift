@testable import GodwitGenerator
import Testing

@Suite("G2 Repositories as Swift")
struct RepositoryWriterTests {
    @Test("G2 a repository has a method for each operation, and for all elements of a list")
    func repository() {
        #expect(
            LibraryPlan.text(of: "Sources/Library/LibraryRepository.swift") == ##"""
                public import Godwit

                /// The operations of Library.
                ///
                /// Features depend on this protocol; tests and previews give them a ``MockLibraryRepository``.
                nonisolated public protocol LibraryRepository: Sendable {
                    /// All books.
                    func listBooks(page: Int?, in: String?) async throws(NetworkError) -> [Book]

                    /// All elements of `listBooks`, loaded page by page.
                    func allBooks(in: String?) -> any AsyncSequence<Book, NetworkError> & Sendable

                    /// `GET /books/{id}`
                    func book(id: Int) async throws(NetworkError) -> Book

                    /// `POST /books`
                    func create(_ book: Book) async throws(NetworkError)

                    /// `POST /session/refresh`
                    func refresh(_ request: RefreshRequest) async throws(NetworkError) -> Tokens

                    /// `GET /events`
                    func events() -> any AsyncSequence<Book, NetworkError> & Sendable
                }

                // The same, with defaults for all optional arguments.
                nonisolated extension LibraryRepository {
                    /// All books.
                    public func listBooks() async throws(NetworkError) -> [Book] {
                        try await listBooks(page: nil, in: nil)
                    }

                    /// All books.
                    public func allBooks() -> any AsyncSequence<Book, NetworkError> & Sendable {
                        allBooks(in: nil)
                    }
                }

                /// Calls the API.
                nonisolated public struct LiveLibraryRepository: LibraryRepository {
                    private let api: APIClient

                    public init(_ api: APIClient) {
                        self.api = api
                    }

                    public func listBooks(page: Int?, in: String?) async throws(NetworkError) -> [Book] {
                        try await api.send(.listBooks(page: page, in: `in`))
                    }

                    public func allBooks(in: String?) -> any AsyncSequence<Book, NetworkError> & Sendable {
                        api.listBooksPages(in: `in`).elements
                    }

                    public func book(id: Int) async throws(NetworkError) -> Book {
                        try await api.send(.book(id: id))
                    }

                    public func create(_ book: Book) async throws(NetworkError) {
                        try await api.send(.create(book))
                    }

                    public func refresh(_ request: RefreshRequest) async throws(NetworkError) -> Tokens {
                        try await api.send(.refresh(request))
                    }

                    public func events() -> any AsyncSequence<Book, NetworkError> & Sendable {
                        api.events(.events).decoded(as: Book.self, until: "[DONE]")
                    }
                }

                """##)
    }

    @Test("G2 a mock answers with closures")
    func mock() {
        #expect(
            LibraryPlan.text(of: "Sources/Library/MockLibraryRepository.swift") == ##"""
                public import Godwit

                /// Answers with closures, for tests and previews. A closure that isn't set throws `.invalidRequest`.
                ///
                /// ```swift
                /// var repository = MockLibraryRepository()
                /// repository.onListBooks = { … }
                /// ```
                nonisolated public struct MockLibraryRepository: LibraryRepository {
                    public var onListBooks: (@Sendable (_ page: Int?, _ in: String?) async throws(NetworkError) -> [Book])?
                    public var onAllBooks: (@Sendable (_ in: String?) -> any AsyncSequence<Book, NetworkError> & Sendable)?
                    public var onBook: (@Sendable (_ id: Int) async throws(NetworkError) -> Book)?
                    public var onCreate: (@Sendable (_ book: Book) async throws(NetworkError) -> Void)?
                    public var onRefresh: (@Sendable (_ request: RefreshRequest) async throws(NetworkError) -> Tokens)?
                    public var onEvents: (@Sendable () -> any AsyncSequence<Book, NetworkError> & Sendable)?

                    public init() {}

                    public func listBooks(page: Int?, in: String?) async throws(NetworkError) -> [Book] {
                        guard let onListBooks else { throw Self.unset("onListBooks") }
                        return try await onListBooks(page, `in`)
                    }

                    public func allBooks(in: String?) -> any AsyncSequence<Book, NetworkError> & Sendable {
                        guard let onAllBooks else { return LibrarySequence<Book>([], error: Self.unset("onAllBooks")) }
                        return onAllBooks(`in`)
                    }

                    public func book(id: Int) async throws(NetworkError) -> Book {
                        guard let onBook else { throw Self.unset("onBook") }
                        return try await onBook(id)
                    }

                    public func create(_ book: Book) async throws(NetworkError) {
                        guard let onCreate else { throw Self.unset("onCreate") }
                        return try await onCreate(book)
                    }

                    public func refresh(_ request: RefreshRequest) async throws(NetworkError) -> Tokens {
                        guard let onRefresh else { throw Self.unset("onRefresh") }
                        return try await onRefresh(request)
                    }

                    public func events() -> any AsyncSequence<Book, NetworkError> & Sendable {
                        guard let onEvents else { return LibrarySequence<Book>([], error: Self.unset("onEvents")) }
                        return onEvents()
                    }

                    private static func unset(_ closure: String) -> NetworkError {
                        NetworkError(.invalidRequest(reason: "MockLibraryRepository.\(closure) isn't set"), phase: .building)
                    }
                }

                """##)
    }

    @Test("G2 lists are sequences of pages, and keywords are arguments")
    func pages() {
        #expect(
            LibraryPlan.text(of: "Sources/Library/APIClient+Pages.swift") == ##"""
                public import Godwit

                // Lists as sequences, which load a page when a loop needs it.
                nonisolated extension APIClient {
                    /// All books.
                    public func listBooksPages(in: String? = nil) -> Pages<[Book]> {
                        pages(
                            .numbers { page in
                                .listBooks(page: page, in: `in`)
                            })
                    }
                }

                """##)
    }
}
