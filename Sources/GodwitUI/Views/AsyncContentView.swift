#if canImport(SwiftUI)
import GodwitCore
public import SwiftUI

/// Shows a loader's state: a spinner, the content, a sentence if there is nothing, or an error with a retry button.
///
/// ```swift
/// AsyncContentView(model.article) { article in Text(article.title) }
/// AsyncContentView(model.articles) { articles in Rows(articles) } loading: { Skeleton() } empty: { Text("No articles") }
/// ```
///
/// Loads when it appears, and again after the account has changed. Keeps a value of a `QueryStore` fresh while it is
/// visible (``Loader/keepFresh()``), refreshes on pull-to-refresh (bypassing the HTTP cache), and cancels the request when it
/// disappears. The last content stays while newer content is loaded, and if that fails; then the failure slot is shown below
/// it, with ``LoadFailure/Placement/nextToContent``.
public struct AsyncContentView<Value: Sendable, Content: View, Loading: View, Empty: View, Failure: View>: View {
    private let identity: @MainActor () -> LoadIdentity
    private let state: @MainActor () -> LoadingState<Value>
    private let load: @MainActor @Sendable () async -> Void
    private let refresh: @MainActor @Sendable () async -> Void
    private let retry: @MainActor @Sendable () async -> Void
    private let content: (Value) -> Content
    private let loading: () -> Loading
    private let empty: () -> Empty
    private let failure: (LoadFailure) -> Failure

    /// Shows the value of a loader.
    ///
    /// - Parameters:
    ///   - loader: The loader, held by the screen's model.
    ///   - content: The value.
    ///   - loading: Shown until the first value arrives.
    ///   - empty: Shown instead of a collection without elements.
    ///   - failure: Shown if loading failed: alone, or next to the last value.
    public init(
        _ loader: Loader<Value>, @ViewBuilder content: @escaping (Value) -> Content,
        @ViewBuilder loading: @escaping () -> Loading = { LoadingView() },
        @ViewBuilder empty: @escaping () -> Empty = { EmptyContentView() },
        @ViewBuilder failure: @escaping (LoadFailure) -> Failure = { ErrorView($0) }
    ) {
        identity = { loader.loadIdentity }
        state = { loader.state }
        load = { await loader.keepFresh() }
        refresh = { await loader.refresh() }
        retry = { await loader.retry() }
        self.content = content
        self.loading = loading
        self.empty = empty
        self.failure = failure
    }

    /// Shows the value of a key, and of another key as soon as it changes.
    public init<Key: Hashable & Sendable>(
        _ loader: KeyedLoader<Key, Value>, key: Key, @ViewBuilder content: @escaping (Value) -> Content,
        @ViewBuilder loading: @escaping () -> Loading = { LoadingView() },
        @ViewBuilder empty: @escaping () -> Empty = { EmptyContentView() },
        @ViewBuilder failure: @escaping (LoadFailure) -> Failure = { ErrorView($0) }
    ) {
        identity = { loader.loadIdentity(of: key) }
        // The task for a new key starts after its first frame.
        state = { loader.state(of: key) }
        load = { await loader.keepFresh(key) }
        refresh = { await loader.refresh() }
        retry = { await loader.retry() }
        self.content = content
        self.loading = loading
        self.empty = empty
        self.failure = failure
    }

    /// The slot for the state.
    public var body: some View {
        // Not a Group: each branch would have the task, which would restart when the state changes.
        ZStack {
            switch ContentPhase(state(), isEmpty: { isEmptyCollection($0) }) {
            case .loading: loading()
            case .content(let value, let notice):
                content(value).safeAreaInset(edge: .bottom) { failed(notice, .nextToContent) }
            case .empty(let notice):
                empty().safeAreaInset(edge: .bottom) { failed(notice, .nextToContent) }
            case .failure(let error): failed(error, .alone)
            }
        }
        .task(id: identity()) { [load] in await load() }
        .refreshable { [refresh] in await refresh() }
    }

    @ViewBuilder private func failed(_ error: NetworkError?, _ placement: LoadFailure.Placement) -> some View {
        if let error { failure(LoadFailure(error, placement: placement, retry: retry)) }
    }
}
#endif
