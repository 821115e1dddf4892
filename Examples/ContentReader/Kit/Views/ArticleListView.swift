#if canImport(SwiftUI)
import Godwit
import GodwitUI
import SwiftUI

/// All articles, or those that a text is found in.
struct ArticleListView: View {
    private let screen: ArticleListScreen
    @Bindable private var search: SearchModel<[Article]>

    private let reader: Reader

    init(_ reader: Reader) {
        screen = reader.list
        _search = Bindable(wrappedValue: reader.list.search)
        self.reader = reader
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
        .searchable(text: $search.text, prompt: "Title")
    }

    @ViewBuilder private var found: some View {
        if let error = search.state.error {
            ErrorView(error) { [search] in await search.retry() }
        } else if let message = screen.searchMessage {
            Text(message)
        } else {
            List {
                ForEach(screen.articles) { row($0) }
            }
        }
    }

    @ViewBuilder private func row(_ item: Article) -> some View {
        let article = reader.edits.applied(to: item)
        NavigationLink {
            ArticleView(reader, id: article.id)
        } label: {
            VStack(alignment: .leading) {
                Text(article.title).font(.headline)
                Text(article.tags.joined(separator: ", ")).foregroundStyle(.secondary)
            }
        }
    }
}
#endif
