#if canImport(SwiftUI)
import Godwit
import GodwitUI
import SwiftUI

/// An article with its comments.
struct ArticleView: View {
    @State private var screen: ArticleScreen?

    private let reader: Reader
    private let id: Int

    init(_ reader: Reader, id: Int) {
        (self.reader, self.id) = (reader, id)
    }

    var body: some View {
        ZStack {
            if let screen { LoadedArticleView(screen) }
        }
        // Not in the initializer, which runs for each row of the list.
        .task { [reader, id, $screen] in
            if $screen.wrappedValue == nil { $screen.wrappedValue = reader.article(id) }
        }
        .navigationTitle("Article")
    }
}

/// The article of a screen.
private struct LoadedArticleView: View {
    private let screen: ArticleScreen

    init(_ screen: ArticleScreen) {
        self.screen = screen
    }

    var body: some View {
        AsyncContentView(screen.reading) { reading in
            ScrollView {
                VStack(alignment: .leading, spacing: 12) {
                    if let conflict = screen.conflict { ConflictView(screen, conflict) }
                    Text(verbatim: screen.article?.title ?? reading.article.title).font(.headline)
                    Text(verbatim: reading.author.name).foregroundStyle(.secondary)
                    if screen.isWaiting { Text("Not sent yet").font(.caption) }
                    Text(verbatim: screen.article?.body ?? reading.article.body)
                    ForEach(reading.comments) { Text($0.text).padding(4) }
                    actions
                }
                .padding()
            }
        }
    }

    @ViewBuilder private var actions: some View {
        if let editor = screen.editor() {
            NavigationLink {
                EditorView(editor)
            } label: {
                Text("Edit")
            }
        }
        Button("Remove") { screen.removal.start() }
            .disabled(screen.removal.isRunning || screen.isRemoved)
        if let error = screen.removal.error { ErrorView(error) }
    }
}

/// The user's version and somebody else's, to choose from.
private struct ConflictView: View {
    private let screen: ArticleScreen
    private let conflict: ArticleConflict

    init(_ screen: ArticleScreen, _ conflict: ArticleConflict) {
        (self.screen, self.conflict) = (screen, conflict)
    }

    var body: some View {
        VStack(alignment: .leading, spacing: 8) {
            Text("Somebody else has changed this article.").font(.headline)
            Text(verbatim: conflict.mine.form.title)
            Button("Keep mine") { Task { [screen] in await screen.resolve(.mine) } }
            Text(verbatim: conflict.theirs.title)
            Button("Take theirs") { Task { [screen] in await screen.resolve(.theirs) } }
        }
    }
}
#endif
