#if canImport(SwiftUI)
public import Godwit
import GodwitUI
public import SwiftUI

/// The whole reader, to put in a window.
///
///     WindowGroup { ContentReaderView(api) }
public struct ContentReaderView: View {
    @State private var reader: Reader

    /// - Parameter api: A client with ``ClientConfiguration/reader(tokens:)``.
    public init(_ api: APIClient) {
        _reader = State(wrappedValue: Reader(api))
    }

    public var body: some View {
        ZStack {
            if reader.account.isSignedIn {
                NavigationStack {
                    ArticleListView(reader)
                }
                .task { [news = reader.news] in await news.run() }
            } else {
                SignInView(reader.account)
            }
        }
        .safeAreaInset(edge: .bottom) { OfflineBanner(reader.connectivity) }
    }
}
#endif
