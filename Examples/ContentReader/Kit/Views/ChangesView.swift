#if canImport(SwiftUI)
import Godwit
import GodwitUI
import SwiftUI

/// One row for the changes that the server hasn't confirmed, which opens their list.
struct ChangesView: View {
    private let reader: Reader

    init(_ reader: Reader) {
        self.reader = reader
    }

    var body: some View {
        VStack(spacing: 4) {
            if let failure = reader.failure {
                ErrorView(failure) { [reader] in _ = try? await reader.openOutbox() }
            }
            if !reader.changes.isEmpty {
                NavigationLink("Changes: \(reader.changes.count)") { ChangeListView(reader) }
            }
        }
        .frame(maxWidth: .infinity)
        .background(.regularMaterial)
    }
}

/// The changes that the server hasn't confirmed.
struct ChangeListView: View {
    private let reader: Reader

    init(_ reader: Reader) {
        self.reader = reader
    }

    var body: some View {
        List {
            ForEach(reader.changes) { change in
                VStack(alignment: .leading) {
                    Button {
                        if let id = change.articleID { reader.open(id) }
                    } label: {
                        title(of: change)
                    }
                    Text(change.needsDecision ? "Refused" : "Not sent yet").font(.caption)
                    Button("Discard") { Task { await reader.discard(change.id) } }
                        .disabled(change.state == .sending)
                }
            }
        }
        .navigationTitle("Changes")
    }

    private func title(of change: OutboxItem) -> Text {
        switch change.mutation {
        case let edit as EditArticle: Text(verbatim: edit.form.title)
        case let deletion as DeleteArticle: Text("Deletion of article \(deletion.id)")
        default: Text("A change that can't be read")
        }
    }
}

/// A change that the server refused: both versions after a conflict, otherwise the error.
struct RefusedChangeView: View {
    private let change: OutboxItem
    private let conflict: (mine: Article, theirs: Article)?
    private let reader: Reader

    init(_ change: OutboxItem, _ conflict: (mine: Article, theirs: Article)?, _ reader: Reader) {
        (self.change, self.conflict, self.reader) = (change, conflict, reader)
    }

    var body: some View {
        VStack(alignment: .leading, spacing: 8) {
            if let conflict {
                Text("Another user has changed this article.").font(.headline)
                Text("Your version").font(.caption)
                version(conflict.mine)
                Button("Keep mine") { Task { await reader.retry(change.id) } }
                Text("The saved version").font(.caption)
                version(conflict.theirs)
                Button("Take theirs") { Task { await reader.discard(change.id) } }
                Button("Merge both") { reader.edit() }
            } else {
                if let error = change.error { ErrorView(error) }
                if !change.isDeletion { Button("Correct") { reader.edit() } }
                Button("Try again") { Task { await reader.retry(change.id) } }
                Button("Discard") { Task { await reader.discard(change.id) } }
            }
        }
        .padding()
        .background(.regularMaterial)
    }

    @ViewBuilder private func version(_ article: Article) -> some View {
        Text(verbatim: article.title).font(.headline)
        Text(verbatim: article.body)
        Text(verbatim: article.tags.joined(separator: ", ")).foregroundStyle(.secondary)
    }
}
#endif
