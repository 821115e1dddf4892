import GodwitCore

/// Waits for the network to return, or for another one.
@MainActor
final class NetworkReturn {
    private let monitor: any PathMonitor
    /// The path used by the last attempt.
    private var tried: NetworkPath?
    private var task: Task<Void, Never>?

    init(_ monitor: any PathMonitor) {
        self.monitor = monitor
    }

    deinit {
        task?.cancel()
    }

    /// Records the path of an attempt.
    func begin() {
        stop()
        tried = monitor.current
    }

    /// Calls once there is a network other than the one that was tried, which avoids endless retries. If there is one
    /// already, calls at once, so that screens don't show the failure in between.
    func wait(then call: @escaping @MainActor () -> Void) {
        stop()
        let current = monitor.current
        if current != tried, current.status == .satisfied { return call() }
        task = Task { [tried, paths = monitor.paths] in
            var tried = tried
            for await path in paths {
                let isNews = path != tried
                // After a change, the former path is worth another try.
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
