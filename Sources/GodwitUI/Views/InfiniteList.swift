#if canImport(SwiftUI)
import GodwitCore
public import SwiftUI

/// A list that grows page by page while it is scrolled.
///
/// ```swift
/// InfiniteList(model.list) { article in Text(article.title) }
/// ```
///
/// It loads its first page when it appears, begins anew when it is pulled, and shows at its end that more is on the way,
/// or what went wrong with a button to try again.
public struct InfiniteList<Item: Identifiable & Sendable, Row: View>: View {
    private let list: PageLoader<Item>
    private let row: (Item) -> Row

    /// Shows the elements of a loader.
    ///
    /// - Parameters:
    ///   - list: What is shown; the screen's model holds it.
    ///   - row: Shows one element.
    public init(_ list: PageLoader<Item>, @ViewBuilder row: @escaping (Item) -> Row) {
        self.list = list
        self.row = row
    }

    /// The rows, and what stands below the last.
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
