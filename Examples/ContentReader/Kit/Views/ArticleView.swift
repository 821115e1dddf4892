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
        AsyncContentView(screen.article) { article in
            ScrollView {
                VStack(alignment: .leading, spacing: 12) {
                    if let refused = screen.refused { RefusedChangeView(refused, screen.conflict, reader) }
                    PictureView(reader.picture(of: article.id), pictures, width: 640, height: 240)
                    Text(verbatim: article.title).font(.headline)
                    AsyncContentView(screen.author, key: article.authorId) { Text(verbatim: $0.name) }
                    if !screen.changes.isEmpty { Text("Not sent yet").font(.caption) }
                    Text(verbatim: article.body)
                    AsyncContentView(screen.comments) { comments in
                        VStack(alignment: .leading) {
                            ForEach(comments) { Text(verbatim: $0.text).padding(4) }
                        }
                    }
                }
                .padding()
            }
        }
        .navigationTitle("Article")
        .toolbar {
            Button("Edit") { reader.edit() }.disabled(screen.conflict != nil)
            Button("Remove") { screen.remove() }
        }
    }
}
#endif
