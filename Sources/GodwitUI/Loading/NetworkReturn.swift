import GodwitCore

/// Waits for a network that was away, or for another one.
@MainActor
final class NetworkReturn {
    private let monitor: any PathMonitor
    /// The path that was tried.
    private var tried: NetworkPath?
    private var task: Task<Void, Never>?

    init(_ monitor: any PathMonitor) {
        self.monitor = monitor
    }

    deinit {
        task?.cancel()
    }

    /// Something is tried over the path as it is now.
    func begin() {
        stop()
        tried = monitor.current
    }

    /// Calls once there is a network, and not the one that was tried: trying in vain must not go round and round.
    func wait(then call: @escaping @MainActor () -> Void) {
        stop()
        task = Task { [tried, paths = monitor.paths] in
            var tried = tried
            for await path in paths {
                let isNews = path != tried
                // Once it has changed, also the former path is worth a try.
                tried = nil
                if isNews, path.status == .satisfied { return call() }
            }
        }
    }

    func stop() {
        task?.cancel()
        task = nil
    }
}
