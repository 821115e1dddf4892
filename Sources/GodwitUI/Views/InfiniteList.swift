#if canImport(SwiftUI)
import GodwitCore
public import SwiftUI

/// A list that loads page by page while the user scrolls.
///
/// ```swift
/// InfiniteList(model.list) { article in Text(article.title) }
/// InfiniteList(model.list) { article in Row(article) } empty: { Text("No articles") }
/// ```
///
/// Loads the first page when it appears, and again after the account has changed. Keeps a list of a `QueryStore` fresh while
/// it is visible (``PageLoader/keepFresh()``), and loads again on pull-to-refresh, bypassing the HTTP cache. A spinner at the
/// end loads the next page while it is visible. If a refresh or a page fails, the rows stay, and the failure slot is shown
/// below them, with ``LoadFailure/Placement/nextToContent``.
public struct InfiniteList<Item: Identifiable & Sendable, Row: View, Loading: View, Empty: View, Failure: View>: View {
    private let list: PageLoader<Item>
    private let row: (Item) -> Row
    private let loading: () -> Loading
    private let empty: () -> Empty
    private let failure: (LoadFailure) -> Failure

    /// Shows the elements of a loader.
    ///
    /// - Parameters:
    ///   - list: The loader, held by the screen's model.
    ///   - row: An element.
    ///   - loading: Shown until the first page arrives.
    ///   - empty: Shown instead of a list without elements.
    ///   - failure: Shown if loading failed: alone, or next to the rows.
    public init(
        _ list: PageLoader<Item>, @ViewBuilder row: @escaping (Item) -> Row,
        @ViewBuilder loading: @escaping () -> Loading = { LoadingView() },
        @ViewBuilder empty: @escaping () -> Empty = { EmptyContentView() },
        @ViewBuilder failure: @escaping (LoadFailure) -> Failure = { ErrorView($0) }
    ) {
        self.list = list
        self.row = row
        self.loading = loading
        self.empty = empty
        self.failure = failure
    }

    /// The rows, and what is next to them or instead of them.
    public var body: some View {
        // The list is always there: without it, there is nothing to pull.
        List {
            ForEach(list.items) { item in
                row(item).onAppear { list.itemAppeared(item) }
            }
            if case .rows(.sentinel(let sentinel), _) = list.phase {
                LoadingView().task(id: sentinel) { [list] in list.sentinelAppeared() }
            }
        }
        .overlay { instead }
        .task(id: list.loadIdentity) { [list] in await list.keepFresh() }
        .safeAreaInset(edge: .bottom) { notice }
        .refreshable { [list] in await list.refresh() }
    }

    @ViewBuilder private var instead: some View {
        switch list.phase {
        case .loading: loading()
        case .empty: empty()
        case .failure(let error): failed(error, .alone)
        case .rows: EmptyView()
        }
    }

    @ViewBuilder private var notice: some View {
        switch list.phase {
        case .rows(_, let error?), .empty(let error?): failed(error, .nextToContent)
        default: EmptyView()
        }
    }

    private func failed(_ error: NetworkError, _ placement: LoadFailure.Placement) -> Failure {
        failure(LoadFailure(error, placement: placement) { [list] in await list.retry() })
    }
}
#endif
