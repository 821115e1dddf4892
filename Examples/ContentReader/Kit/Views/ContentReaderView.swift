#if canImport(SwiftUI)
public import Godwit
import GodwitUI
public import SwiftUI

/// The whole reader, to put in a window.
///
///     WindowGroup { ContentReaderView(api) }
public struct ContentReaderView: View {
    @State private var list: ArticleListScreen
    @State private var connectivity: ConnectivityModel

    private let api: APIClient

    public init(_ api: APIClient) {
        self.api = api
        _list = State(wrappedValue: ArticleListScreen(api, monitor: SystemPathMonitor.shared))
        _connectivity = State(wrappedValue: ConnectivityModel())
    }

    public var body: some View {
        NavigationStack {
            ArticleListView(list, api)
        }
        .safeAreaInset(edge: .bottom) { OfflineBanner(connectivity) }
    }
}
#endif
