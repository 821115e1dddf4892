import Godwit
import GodwitUI
import Observation

/// The latest sightings, newest first.
@Observable @MainActor
final class SightingsScreen {
    /// Loads when the screen appears, and again when a network is available after a failure.
    let list: PageLoader<Sighting>

    /// - Parameter monitor: Reports when the network is available again.
    init(_ api: APIClient, species: String? = nil, monitor: (any PathMonitor)? = nil) {
        list = PageLoader(api.sightingsPages(species: species), retryingWith: monitor)
    }
}
