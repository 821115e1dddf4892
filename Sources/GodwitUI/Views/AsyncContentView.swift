#if canImport(SwiftUI)
import GodwitCore
public import SwiftUI

/// Shows a loader's state: a spinner, the content, or an error with a retry button.
///
/// ```swift
/// AsyncContentView(model.article) { article in Text(article.title) }
/// ```
///
/// Loads when it appears, refreshes on pull-to-refresh (bypassing the HTTP cache), and cancels the request when it
/// disappears. The last content stays while newer content is loaded, and if that fails; then the error is shown below.
public struct AsyncContentView<Value: Sendable, Content: View>: View {
    private let id: AnyHashable
    private let state: @MainActor () -> LoadingState<Value>
    private let load: @MainActor @Sendable () async -> Void
    private let refresh: @MainActor @Sendable () async -> Void
    private let retry: @MainActor @Sendable () async -> Void
    private let content: (Value) -> Content

    /// Shows the value of a loader.
    ///
    /// - Parameter loader: The loader, held by the screen's model.
    public init(_ loader: Loader<Value>, @ViewBuilder content: @escaping (Value) -> Content) {
        id = ObjectIdentifier(loader)
        state = { loader.state }
        load = { await loader.load() }
        refresh = { await loader.refresh() }
        retry = { await loader.retry() }
        self.content = content
    }

    /// Shows the value of a key, and of another key as soon as it changes.
    public init<Key: Hashable & Sendable>(
        _ loader: KeyedLoader<Key, Value>, key: Key, @ViewBuilder content: @escaping (Value) -> Content
    ) {
        id = key
        // The task for a new key starts after its first frame.
        state = { loader.state(of: key) }
        load = { await loader.load(key) }
        refresh = { await loader.refresh() }
        retry = { await loader.retry() }
        self.content = content
    }

    /// The spinner, the content, or the error.
    public var body: some View {
        // Not a Group: each branch would have the task, which would restart when the state changes.
        ZStack {
            if let value = state().value {
                content(value).safeAreaInset(edge: .bottom) { [retry] in
                    if let error = state().error { ErrorView(error, retry: retry) }
                }
            } else if let error = state().error {
                ErrorView(error, retry: retry)
            } else {
                ProgressView()
            }
        }
        .task(id: id) { [load] in await load() }
        .refreshable { [refresh] in await refresh() }
    }
}
#endif
