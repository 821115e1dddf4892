/// Knows the network path and tells of its changes.
///
/// ``SystemPathMonitor/shared`` watches this device. A ``PathFeed`` is one that a program or a test moves itself.
///
/// ```swift
/// func waitForNetwork(_ monitor: some PathMonitor) async {
///     for await path in monitor.paths where path.status == .satisfied { return }
/// }
/// ```
public protocol PathMonitor: Sendable {
    /// The path as it is now.
    var current: NetworkPath { get }

    /// The path as it is now, then each change.
    ///
    /// Any number of tasks may iterate at once; each has its own place. A reader that is slow gets the latest path and
    /// not those in between. Ends when the monitor stops or the reading task is cancelled.
    var paths: NetworkPaths { get }
}
