#if canImport(SwiftUI)
import Godwit
import GodwitUI
import SwiftUI

/// The form of an article.
struct EditorView: View {
    @State private var screen: EditorScreen

    init(_ screen: EditorScreen) {
        _screen = State(wrappedValue: screen)
    }

    var body: some View {
        Form {
            Section("Title") {
                TextField("Title", text: $screen.form.title)
                faults(of: "title")
            }
            Section("Text") {
                TextEditor(text: $screen.form.body)
                faults(of: "body")
            }
            Section("Tags") {
                TextField("Tags, with commas between them", text: $screen.form.tagLine)
                faults(of: "tags")
            }
            Button("Save") { screen.save() }.disabled(!screen.canSave)
            if let message = screen.message { Text(message) }
            if screen.saved != nil { Text("Saved.") }
        }
    }

    @ViewBuilder private func faults(of field: String) -> some View {
        let faults = screen.faults(of: field)
        if !faults.isEmpty { Text(faults.joined(separator: "\n")).font(.caption) }
    }
}
#endif
