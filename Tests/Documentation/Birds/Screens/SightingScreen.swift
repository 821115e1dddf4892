import Godwit
import GodwitUI
import Observation

/// One sighting.
@Observable @MainActor
final class SightingScreen {
    /// Loads when the screen appears, and again when a network is available after a failure.
    let detail: Loader<Sighting>

    /// - Parameter monitor: Reports when the network is available again.
    init(_ api: APIClient, id: Int, monitor: (any PathMonitor)? = nil) {
        detail = Loader(api, .sighting(id: id), retryingWith: monitor)
    }
}
