#if canImport(SwiftUI)
import Godwit
import GodwitUI
import SwiftUI

/// The changes that the server hasn't confirmed.
struct ChangesView: View {
    private let reader: Reader

    init(_ reader: Reader) {
        self.reader = reader
    }

    var body: some View {
        VStack(spacing: 4) {
            if let failure = reader.failure { ErrorView(failure) { [reader] in await reader.openOutbox() } }
            ForEach(reader.changes) { change in
                HStack(spacing: 8) {
                    Button {
                        if let id = change.articleID { reader.open(id) }
                    } label: {
                        Text(change.needsDecision ? "A change was refused" : "A change isn't sent yet")
                    }
                    Button("Discard") { reader.discard(change.id) }.disabled(change.state == .sending)
                }
            }
        }
        .frame(maxWidth: .infinity)
        .background(.regularMaterial)
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
                Text("Somebody else has changed this article.").font(.headline)
                Text(verbatim: conflict.mine.title)
                Button("Keep mine") { reader.retry(change.id) }
                Text(verbatim: conflict.theirs.title)
                Button("Take theirs") { reader.discard(change.id) }
                Button("Merge both") { reader.edit() }
            } else {
                if let error = change.error { ErrorView(error) }
                Button("Correct") { reader.edit() }
                Button("Try again") { reader.retry(change.id) }
                Button("Discard") { reader.discard(change.id) }
            }
        }
        .padding()
        .background(.regularMaterial)
    }
}
#endif
