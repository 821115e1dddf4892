#if canImport(SwiftUI)
import Godwit
import GodwitUI
import SwiftUI

/// Shows a ``SightingScreen``.
struct SightingView: View {
    @State private var screen: SightingScreen

    init(_ screen: SightingScreen) {
        _screen = State(wrappedValue: screen)
    }

    var body: some View {
        AsyncContentView(screen.detail) { value in
            List {
                row("Id", value.id)
                row("Species", value.species)
                row("Count", value.count)
                row("Status", value.status)
                row("Seen on", value.seenOn)
                row("Notes", value.notes)
            }
        }
        .navigationTitle("Sighting")
    }

    private func row(_ title: String, _ value: (some CustomStringConvertible)?) -> some View {
        VStack(alignment: .leading) {
            Text(title).font(.caption)
            Text(value?.description ?? "–")
        }
    }
}
#endif
