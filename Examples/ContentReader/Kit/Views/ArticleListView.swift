#if canImport(SwiftUI)
import Godwit
import GodwitUI
import SwiftUI

/// All articles, or those that a text is found in.
struct ArticleListView: View {
    private let reader: Reader
    private let pictures: ImageLoader<Image>
    @Bindable private var search: SearchModel<[Article]>

    init(_ reader: Reader, _ pictures: ImageLoader<Image>) {
        (self.reader, self.pictures) = (reader, pictures)
        _search = Bindable(wrappedValue: reader.list.search)
    }

    var body: some View {
        ZStack {
            if reader.list.isSearching {
                found
            } else {
                InfiniteList(reader.list.list) { row($0) }
            }
        }
        .navigationTitle("Articles")
        .searchable(text: $search.text, prompt: "Words of titles, or tags")
        .safeAreaInset(edge: .bottom) { ChangesView(reader) }
        .toolbar {
            NavigationLink("Live") { NewsView(reader.news) }
            NavigationLink("Account") { AccountView(reader) }
            Button("New article") { reader.write() }
        }
    }

    @ViewBuilder private var found: some View {
        if let error = search.state.error {
            ErrorView(error) { [search] in await search.retry() }
        } else if let text = reader.list.nothingFound {
            Text("No articles about “\(text)”")
        } else {
            List {
                ForEach(reader.list.articles) { row($0) }
            }
        }
    }

    private func row(_ article: Article) -> some View {
        Button {
            reader.open(article.id)
        } label: {
            HStack(spacing: 12) {
                PictureView(reader.picture(of: article.id), pictures, width: 80, height: 45)
                VStack(alignment: .leading) {
                    Text(verbatim: article.title).font(.headline)
                    Text(verbatim: article.tags.joined(separator: ", ")).foregroundStyle(.secondary)
                }
            }
        }
    }
}
#endif
