@testable import GodwitGenerator
import Testing

@Suite("G2 Screens as Swift")
struct ScreenWriterTests {
    @Test("G2 a list of pages has a page loader")
    func list() {
        #expect(
            LibraryPlan.text(of: "Sources/Library/Screens/BooksScreen.swift") == ##"""
                public import Godwit
                public import GodwitUI
                public import Observation

                /// All books.
                @Observable @MainActor
                public final class BooksScreen {
                    /// Loads when the screen appears, and again when a network is available after a failure.
                    public let list: PageLoader<Book>

                    /// - Parameter monitor: Reports when the network is available again.
                    public init(_ api: APIClient, in: String? = nil, monitor: (any PathMonitor)? = nil) {
                        list = PageLoader(api.listBooksPages(in: `in`), retryingWith: monitor)
                    }
                }

                """##)
    }

    @Test("G2 a list is shown with a row for each element")
    func listView() {
        #expect(
            LibraryPlan.text(of: "Sources/Library/Screens/BooksView.swift") == ##"""
                #if canImport(SwiftUI)
                import Godwit
                import GodwitUI
                public import SwiftUI

                /// Shows a ``BooksScreen``.
                public struct BooksView: View {
                    @State private var screen: BooksScreen

                    public init(_ screen: BooksScreen) {
                        _screen = State(wrappedValue: screen)
                    }

                    public var body: some View {
                        InfiniteList(screen.list) { row($0) }
                            .navigationTitle("Books")
                    }

                    private func row(_ item: Book) -> some View {
                        Text(item.title)
                    }
                }
                #endif

                """##)
    }

    @Test("G2 a detail has a loader")
    func detail() {
        #expect(
            LibraryPlan.text(of: "Sources/Library/Screens/BookScreen.swift") == ##"""
                public import Godwit
                public import GodwitUI
                public import Observation

                /// The result of `book`.
                @Observable @MainActor
                public final class BookScreen {
                    /// Loads when the screen appears, and again when a network is available after a failure.
                    public let detail: Loader<Book>

                    /// - Parameter monitor: Reports when the network is available again.
                    public init(_ api: APIClient, id: Int, monitor: (any PathMonitor)? = nil) {
                        detail = Loader(api, .book(id: id), retryingWith: monitor)
                    }
                }

                """##)
    }

    @Test("G2 a detail is shown with its values")
    func detailView() {
        #expect(
            LibraryPlan.text(of: "Sources/Library/Screens/BookView.swift") == ##"""
                #if canImport(SwiftUI)
                import Godwit
                import GodwitUI
                public import SwiftUI

                /// Shows a ``BookScreen``.
                public struct BookView: View {
                    @State private var screen: BookScreen

                    public init(_ screen: BookScreen) {
                        _screen = State(wrappedValue: screen)
                    }

                    public var body: some View {
                        AsyncContentView(screen.detail) { value in
                            List {
                                row("Id", value.id)
                                row("Title", value.title)
                                row("Genre", value.genre)
                                row("Published", value.published)
                            }
                        }
                        .navigationTitle("Book")
                    }

                    private func row(_ title: String, _ value: (some CustomStringConvertible)?) -> some View {
                        VStack(alignment: .leading) {
                            Text(title).font(.caption)
                            Text(value?.description ?? "–")
                        }
                    }
                }
                #endif

                """##)
    }
}
