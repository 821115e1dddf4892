#if canImport(SwiftUI)
import Godwit
import GodwitUI
import SwiftUI

/// An article with its author and comments.
struct ArticleView: View {
    private let screen: ArticleScreen
    private let reader: Reader
    private let pictures: ImageLoader<Image>

    init(_ screen: ArticleScreen, _ reader: Reader, _ pictures: ImageLoader<Image>) {
        (self.screen, self.reader, self.pictures) = (screen, reader, pictures)
    }

    var body: some View {
        ZStack {
            if let removal = screen.removal {
                VStack {
                    Text("This article is being deleted.")
                    Button("Keep it") { Task { await reader.discard(removal.id) } }
                        .disabled(removal.state == .sending)
                }
            } else if let article = screen.shown {
                content(article)
            } else {
                AsyncContentView(screen.article) { _ in EmptyView() }
            }
        }
        .task { [screen] in await screen.keepFresh() }
        .navigationTitle("Article")
        .toolbar {
            Button("Edit") { reader.edit() }.disabled(!screen.canEdit || screen.conflict != nil)
            Button("Delete") { Task { await screen.remove() } }
        }
    }

    private func content(_ article: Article) -> some View {
        ScrollView {
            VStack(alignment: .leading, spacing: 12) {
                if let refused = screen.refused { RefusedChangeView(refused, screen.conflict, reader) }
                if let error = screen.article.error { ErrorView(error) { [screen] in await screen.retry() } }
                PictureView(reader.picture(of: article.id), pictures, width: 640, height: 240)
                Text(verbatim: article.title).font(.headline)
                AsyncContentView(screen.author, key: article.authorId) { Text(verbatim: $0.name) }
                if screen.changes.contains(where: { !$0.needsDecision }) { Text("Not sent yet").font(.caption) }
                Text(verbatim: article.body)
                comments
            }
            .padding()
        }
    }

    @ViewBuilder private var comments: some View {
        ForEach(screen.comments.items) { Text(verbatim: $0.text).padding(4) }
        if let error = screen.comments.error {
            ErrorView(error) { [comments = screen.comments] in await comments.retry() }
        } else if screen.comments.isLoading {
            ProgressView()
        } else if screen.comments.hasMore {
            Button("More comments") { Task { await screen.comments.loadMore() } }
        }
    }
}
#endif
