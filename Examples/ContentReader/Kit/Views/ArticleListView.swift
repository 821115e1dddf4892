#if canImport(SwiftUI)
import Godwit
import GodwitUI
import SwiftUI

/// All articles, or those with a searched tag.
struct ArticleListView: View {
    private let screen: ArticleListScreen
    @Bindable private var search: SearchModel<[Article]>

    private let api: APIClient

    init(_ screen: ArticleListScreen, _ api: APIClient) {
        self.screen = screen
        _search = Bindable(wrappedValue: screen.search)
        self.api = api
    }

    var body: some View {
        ZStack {
            if screen.isSearching {
                found
            } else {
                InfiniteList(screen.list) { row($0) }
            }
        }
        .navigationTitle("Articles")
        .searchable(text: $search.text, prompt: "Tag")
    }

    @ViewBuilder private var found: some View {
        if let error = search.state.error {
            ErrorView(error) { [search] in await search.retry() }
        } else if let message = screen.searchMessage {
            Text(message)
        } else {
            List {
                ForEach(search.value ?? []) { row($0) }
            }
        }
    }

    private func row(_ article: Article) -> some View {
        NavigationLink {
            ArticleView(ArticleScreen(api, id: article.id, monitor: SystemPathMonitor.shared))
        } label: {
            VStack(alignment: .leading) {
                Text(article.title).font(.headline)
                Text(article.tags.joined(separator: ", ")).foregroundStyle(.secondary)
            }
        }
    }
}
#endif
