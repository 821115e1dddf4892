#if canImport(SwiftUI)
import GodwitCore
public import SwiftUI

/// Shows what a loader loads: a spinner, the content, or what went wrong with a button to try again.
///
/// ```swift
/// AsyncContentView(model.article) { article in Text(article.title) }
/// ```
///
/// It loads when it appears, refreshes when it is pulled (past the HTTP cache), and gives the request up when it goes. The
/// last content stays while newer content is loaded, and when that fails: then the error is shown below it.
public struct AsyncContentView<Value: Sendable, Content: View>: View {
    private let id: AnyHashable
    private let state: @MainActor () -> LoadingState<Value>
    private let load: @MainActor @Sendable () async -> Void
    private let refresh: @MainActor @Sendable () async -> Void
    private let retry: @MainActor @Sendable () async -> Void
    private let content: (Value) -> Content

    /// Shows the value of a loader.
    ///
    /// - Parameters:
    ///   - loader: What is shown; the screen's model holds it.
    ///   - content: Shows a value.
    public init(_ loader: Loader<Value>, @ViewBuilder content: @escaping (Value) -> Content) {
        id = ObjectIdentifier(loader)
        state = { loader.state }
        load = { await loader.load() }
        refresh = { await loader.refresh() }
        retry = { await loader.retry() }
        self.content = content
    }

    /// Shows the value of a key, and another one's as soon as the key is another.
    ///
    /// - Parameters:
    ///   - loader: What is shown.
    ///   - key: Whose value it is.
    ///   - content: Shows a value.
    public init<Key: Hashable & Sendable>(
        _ loader: KeyedLoader<Key, Value>, key: Key, @ViewBuilder content: @escaping (Value) -> Content
    ) {
        id = key
        // The task that loads another key begins after the first frame with it.
        state = { loader.state(of: key) }
        load = { await loader.load(key) }
        refresh = { await loader.refresh() }
        retry = { await loader.retry() }
        self.content = content
    }

    /// The spinner, the content, or the error.
    public var body: some View {
        // Not a Group: its task would belong to each branch, and begin anew with each change of the state.
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
