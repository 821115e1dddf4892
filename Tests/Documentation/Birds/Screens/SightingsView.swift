#if canImport(SwiftUI)
import Godwit
import GodwitUI
import SwiftUI

/// Shows a ``SightingsScreen``.
struct SightingsView: View {
    @State private var screen: SightingsScreen

    init(_ screen: SightingsScreen) {
        _screen = State(wrappedValue: screen)
    }

    var body: some View {
        InfiniteList(screen.list) { row($0) }
            .navigationTitle("Sightings")
    }

    private func row(_ item: Sighting) -> some View {
        Text(String(describing: item.id))
    }
}
#endif
