#if canImport(SwiftUI)
import Godwit
public import GodwitUI
public import SwiftUI

/// The whole reader, to put in a window.
///
///     WindowGroup { ContentReaderView(reader, pictures) }
public struct ContentReaderView: View {
    @Bindable private var reader: Reader
    private let pictures: ImageLoader<Image>
    @Environment(\.scenePhase) private var phase

    /// - Parameter pictures: The images of the reader's client. Make it once, not in `body`.
    public init(_ reader: Reader, _ pictures: ImageLoader<Image>) {
        _reader = Bindable(wrappedValue: reader)
        self.pictures = pictures
    }

    public var body: some View {
        ZStack {
            switch reader.account.isSignedIn {
            case true?: articles
            case false?: SignInView(reader.account)
            case nil:
                // The token can't be read, for example.
                if let failure = reader.failure {
                    ErrorView(failure) { [reader] in await reader.readAccount() }
                } else {
                    LoadingView()
                }
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
