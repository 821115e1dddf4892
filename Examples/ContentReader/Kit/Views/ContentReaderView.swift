#if canImport(SwiftUI)
import Godwit
import GodwitUI
public import SwiftUI

/// The whole reader, to put in a window.
///
///     WindowGroup { ContentReaderView(reader) }
public struct ContentReaderView: View {
    @Bindable private var reader: Reader
    @State private var pictures: ImageLoader<Image>
    @Environment(\.scenePhase) private var phase

    public init(_ reader: Reader) {
        _reader = Bindable(wrappedValue: reader)
        _pictures = State(wrappedValue: ImageLoader(reader.queries.api))
    }

    public var body: some View {
        ZStack {
            switch reader.account.isSignedIn {
            case true?: articles
            case false?: SignInView(reader.account)
            case nil: LoadingView()
            }
        }
        .safeAreaInset(edge: .bottom) { OfflineBanner(reader.connectivity) }
        .onChange(of: phase) { reader.queries.hasFocus = phase == .active }
    }

    private var articles: some View {
        NavigationStack(path: $reader.path) {
            ArticleListView(reader, pictures)
                .navigationDestination(for: ArticleScreen.self) { ArticleView($0, reader, pictures) }
        }
        .sheet(item: $reader.form) { EditorView($0) }
        .task { [news = reader.news] in await news.run() }
    }
}
#endif
