public import GodwitCore
public import Observation

/// The network path as a screen sees it.
///
/// ```swift
/// let connectivity = ConnectivityModel()
/// if !connectivity.isOnline { showBanner() }
/// ```
///
/// A path says that a network is there, not that a certain server can be reached over it.
@Observable @MainActor
public final class ConnectivityModel {
    /// The path as it is now.
    public private(set) var path: NetworkPath

    @ObservationIgnored private var task: Task<Void, Never>?

    /// Begins to watch, for as long as the model is held.
    ///
    /// - Parameter monitor: Knows the path; the system's by default, a `PathFeed` in previews and tests.
    public init(_ monitor: any PathMonitor = SystemPathMonitor.shared) {
        path = monitor.current
        task = Task { [weak self, paths = monitor.paths] in
            for await path in paths {
                guard let self else { return }
                if path != self.path { self.path = path }
            }
        }
    }

    deinit {
        task?.cancel()
    }

    /// Whether there is a network.
    public var isOnline: Bool { path.status == .satisfied }
}
