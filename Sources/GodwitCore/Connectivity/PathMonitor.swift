/// Provides the network path and its changes.
///
/// ``SystemPathMonitor/shared`` monitors this device. A program or a test updates a ``PathFeed`` itself.
///
/// ```swift
/// func waitForNetwork(_ monitor: some PathMonitor) async {
///     for await path in monitor.paths where path.status == .satisfied { return }
/// }
/// ```
public protocol PathMonitor: Sendable {
    /// The current path.
    var current: NetworkPath { get }

    /// The current path, then each change.
    ///
    /// Several tasks can iterate independently. A slow reader gets only the latest path. Ends when the monitor stops or
    /// the reading task is canceled.
    var paths: NetworkPaths { get }
}
