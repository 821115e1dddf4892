public import GodwitCore
public import Observation

/// The network path for a screen.
///
/// ```swift
/// let connectivity = ConnectivityModel()
/// if !connectivity.isOnline { showBanner() }
/// ```
///
/// A satisfied path means that a network exists, not that a certain server is reachable.
@Observable @MainActor
public final class ConnectivityModel {
    /// The current path.
    public private(set) var path: NetworkPath

    @ObservationIgnored private var task: Task<Void, Never>?

    /// Observes the path for the lifetime of the model.
    ///
    /// - Parameter monitor: The path monitor; by default the system's. Use a `PathFeed` in previews and tests.
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
