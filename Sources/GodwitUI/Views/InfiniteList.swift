#if canImport(SwiftUI)
import GodwitCore
public import SwiftUI

/// A list that loads page by page while the user scrolls.
///
/// ```swift
/// InfiniteList(model.list) { article in Text(article.title) }
/// ```
///
/// Loads the first page when it appears and again on pull-to-refresh. Below the last row, it shows a spinner, or an
/// error with a retry button.
public struct InfiniteList<Item: Identifiable & Sendable, Row: View>: View {
    private let list: PageLoader<Item>
    private let row: (Item) -> Row

    /// Shows the elements of a loader.
    ///
    /// - Parameter list: The loader, held by the screen's model.
    public init(_ list: PageLoader<Item>, @ViewBuilder row: @escaping (Item) -> Row) {
        self.list = list
        self.row = row
    }

    /// The rows, and the view below the last one.
    public var body: some View {
        List {
            ForEach(list.items) { item in
                row(item).onAppear { list.itemAppeared(item) }
            }
            end
        }
        .task { [list] in await list.load() }
        .refreshable { [list] in await list.refresh() }
    }

    @ViewBuilder private var end: some View {
        switch list.state {
        case .loadingMore: ProgressView()
        case .failed(let error): ErrorView(error) { [list] in await list.retry() }
        case .idle, .refreshing, .complete: EmptyView()
        }
    }
}
#endif
