#if canImport(SwiftUI)
import Godwit
import GodwitUI
import SwiftUI

/// The form of an article. Closes when it is saved; asks before it discards what was written.
struct EditorView: View {
    @Bindable private var screen: EditorScreen
    @State private var isAsking = false
    @Environment(\.dismiss) private var dismiss

    init(_ screen: EditorScreen) {
        _screen = Bindable(wrappedValue: screen)
    }

    var body: some View {
        Form {
            Section("Title") {
                TextField("Title", text: $screen.form.title)
                theirs(\.title, \.title)
                faults(of: .title)
            }
            Section("Text") {
                TextEditor(text: $screen.form.body)
                theirs(\.body, \.body)
                faults(of: .body)
            }
            Section("Tags") {
                TextField("Tags, with commas between them", text: $screen.form.tagLine)
                theirs(\.tagLine, \.tagLine)
                faults(of: .tags)
            }
            if let message = screen.message { Text(verbatim: message) }
            ForEach(screen.otherFaults, id: \.field) {
                Text(verbatim: "\($0.field): \($0.messages.joined(separator: ", "))")
            }
            Button("Save") { screen.save() }.disabled(screen.saving.isRunning)
            Button("Cancel") { if screen.isChanged { isAsking = true } else { dismiss() } }
        }
        .interactiveDismissDisabled(screen.isChanged)
        .confirmationDialog("Discard what you wrote?", isPresented: $isAsking) {
            Button("Discard") { dismiss() }
        }
        .onChange(of: screen.saved) { if screen.saved != nil { dismiss() } }
    }

    /// The other version of a field, to take it instead.
    @ViewBuilder private func theirs(
        _ field: WritableKeyPath<ArticleForm, String>, _ content: KeyPath<ArticleForm, String>
    ) -> some View {
        if let theirs = theirForm?[keyPath: content], theirs != screen.form[keyPath: field] {
            Text(verbatim: theirs).foregroundStyle(.secondary)
            Button("Take theirs") { screen.form[keyPath: field] = theirs }
        }
    }

    private var theirForm: ArticleForm? { screen.isMerging ? screen.article.map(ArticleForm.init) : nil }

    @ViewBuilder private func faults(of field: ArticleForm.Field) -> some View {
        if screen.missing.contains(field) { Text("This is required.").font(.caption) }
        let faults = screen.faults(of: field)
        if !faults.isEmpty { Text(verbatim: faults.joined(separator: "\n")).font(.caption) }
    }
}
#endif
