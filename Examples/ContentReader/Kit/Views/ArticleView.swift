#if canImport(SwiftUI)
import Godwit
import GodwitUI
import SwiftUI

/// An article with its comments.
struct ArticleView: View {
    @State private var screen: ArticleScreen

    init(_ screen: ArticleScreen) {
        _screen = State(wrappedValue: screen)
    }

    var body: some View {
        AsyncContentView(screen.reading) { reading in
            ScrollView {
                VStack(alignment: .leading, spacing: 12) {
                    Text(reading.article.title).font(.headline)
                    Text(reading.author.name).foregroundStyle(.secondary)
                    Text(reading.article.body)
                    ForEach(reading.comments) { Text($0.text).padding(4) }
                    actions
                }
                .padding()
            }
        }
        .navigationTitle("Article")
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
#endif
