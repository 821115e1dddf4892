#if canImport(SwiftUI)
import Godwit
import GodwitUI
import SwiftUI

/// The form of an article. Closes when it is saved.
struct EditorView: View {
    @Bindable private var screen: EditorScreen
    @Environment(\.dismiss) private var dismiss

    init(_ screen: EditorScreen) {
        _screen = Bindable(wrappedValue: screen)
    }

    var body: some View {
        Form {
            Section("Title") {
                TextField("Title", text: $screen.form.title)
                theirs(\.title, \.title)
                faults(of: "title")
            }
            Section("Text") {
                TextEditor(text: $screen.form.body)
                theirs(\.body, \.body)
                faults(of: "body")
            }
            Section("Tags") {
                TextField("Tags, with commas between them", text: $screen.form.tagLine)
                faults(of: "tags")
            }
            if let message = screen.message { Text(verbatim: message) }
            Button("Save") { screen.save() }.disabled(!screen.canSave)
            Button("Cancel") { dismiss() }
        }
        .onChange(of: screen.saved) { dismiss() }
    }

    /// The other version of a field, to take it instead.
    @ViewBuilder private func theirs(
        _ field: WritableKeyPath<ArticleForm, String>, _ content: KeyPath<Article, String>
    ) -> some View {
        if screen.isMerging, let theirs = screen.article?[keyPath: content], theirs != screen.form[keyPath: field] {
            Text(verbatim: theirs).foregroundStyle(.secondary)
            Button("Take theirs") { screen.form[keyPath: field] = theirs }
        }
    }

    @ViewBuilder private func faults(of field: String) -> some View {
        let faults = screen.faults(of: field)
        if !faults.isEmpty { Text(verbatim: faults.joined(separator: "\n")).font(.caption) }
    }
}
#endif
