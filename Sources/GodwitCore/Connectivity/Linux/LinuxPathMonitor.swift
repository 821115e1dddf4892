#if os(Linux)
import GodwitSupport

/// The network path of a Linux machine, from the kernel's routing tables.
///
/// The path is satisfied if an interface other than loopback is up, has a carrier, and has a default route or a global
/// address. The kind of an interface comes from its driver and sysfs. ``NetworkPath/isExpensive`` is true for mobile
/// networks, and for networks that NetworkManager considers metered. ``NetworkPath/isConstrained`` is false, as Linux
/// has no low-data mode; your program can set it:
///
/// ```swift
/// let monitor = try LinuxPathMonitor { path in path.isConstrained = settings.savesData }
/// ```
///
/// Monitors the network namespace of the creating thread, with one thread that sleeps until a change.
public final class LinuxPathMonitor: PathMonitor {
    private let feed: PathFeed
    private let stop: StopSignal

    /// Starts the monitor, which runs as long as it or one of its sequences exists. The first path lacks the cost.
    ///
    /// - Parameter adjust: Changes each path before it is published; called on the monitor's thread.
    /// - Throws: `.unsupported` if the system doesn't allow it, as in some sandboxes.
    public init(adjust: @escaping @Sendable (inout NetworkPath) -> Void = { _ in }) throws(NetworkError) {
        guard let stop = StopSignal(), let socket = NetlinkSocket(.announcements), let table = NetlinkSocket.table()
        else {
            throw NetworkError(.unsupported(feature: "watching the network path", on: "this system"), phase: .building)
        }
        var path = PathWatch.path(table)
        adjust(&path)
        let feed = PathFeed(path)
        self.feed = feed
        self.stop = stop
        let thread = SystemThread { PathWatch(socket, table, feed: feed, stop: stop, adjust: adjust).run() }
        guard let thread else {
            throw NetworkError(
                .unsupported(feature: "a thread for the network path", on: "this system"), phase: .building)
        }
        thread.detach()
    }

    deinit {
        stop.raise()
    }

    /// The current path.
    public var current: NetworkPath { feed.current }

    /// The current path, then each change.
    public var paths: NetworkPaths { NetworkPaths(feed, of: self) }
}
#endif
