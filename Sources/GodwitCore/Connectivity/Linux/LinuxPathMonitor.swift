#if os(Linux)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The network path of a Linux machine, as the kernel's routing tables tell it.
///
/// The path is satisfied where an interface other than loopback is up, has a carrier, and has a default route or a
/// global address. What an interface is comes from its driver and from sysfs. ``NetworkPath/isExpensive`` is true of
/// mobile networks, and of what NetworkManager calls metered, where it runs; ``NetworkPath/isConstrained`` is known
/// to nobody on Linux and false. A program that knows more says so:
///
/// ```swift
/// let monitor = try LinuxPathMonitor { path in path.isConstrained = settings.savesData }
/// ```
///
/// It sees the network namespace of the thread that makes it. One thread watches, asleep until something changes.
public final class LinuxPathMonitor: PathMonitor {
    private let feed: PathFeed
    private let stop: StopSignal

    /// Starts watching; lasts as long as the monitor, or a sequence of it, is held. The current path is known at once,
    /// its cost a moment later.
    ///
    /// Throws `.unsupported` where the system does not allow it, as in some sandboxes.
    ///
    /// - Parameter adjust: Changes each path before it is told; called on the watching thread.
    public init(adjust: @escaping @Sendable (inout NetworkPath) -> Void = { _ in }) throws(NetworkError) {
        guard let stop = StopSignal(), let socket = NetlinkSocket(.listening), let table = NetlinkSocket.table() else {
            throw NetworkError(.unsupported(feature: "watching the network path", on: "this system"), phase: .building)
        }
        var path = PathWatch.path(table)
        adjust(&path)
        let feed = PathFeed(path)
        (self.feed, self.stop) = (feed, stop)
        let watch = PathWatch(socket, table, feed: feed, stop: stop, adjust: adjust)
        guard Self.startThread(watch) else {
            throw NetworkError(
                .unsupported(feature: "a thread for the network path", on: "this system"), phase: .building)
        }
    }

    deinit {
        stop.raise()
    }

    /// The path as it is now.
    public var current: NetworkPath { feed.current }

    /// The path as it is now, then each change.
    public var paths: NetworkPaths { NetworkPaths(feed, of: self) }

    private static func startThread(_ watch: sending PathWatch) -> Bool {
        let argument = Unmanaged.passRetained(watch)
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { context in
                if let context { Unmanaged<PathWatch>.fromOpaque(context).takeRetainedValue().run() }
                return nil
            }, argument.toOpaque())
        guard code == 0 else {
            argument.release()
            return false
        }
        pthread_detach(thread)
        return true
    }
}
#endif
