#if canImport(Network)
import Dispatch
import Network

/// The path from `NWPathMonitor`.
public final class ApplePathMonitor: PathMonitor {
    private let monitor = NWPathMonitor()
    private let feed: PathFeed

    /// Starts the monitor, which runs as long as it or one of its sequences exists.
    ///
    /// Until the first report of the system, a few milliseconds later, the path is satisfied, so that a program's first
    /// call doesn't fail.
    ///
    /// - Parameter adjust: Changes each path before it is published.
    public init(adjust: @escaping @Sendable (inout NetworkPath) -> Void = { _ in }) {
        var unknown = NetworkPath(status: .satisfied, interfaces: [.other])
        adjust(&unknown)
        feed = PathFeed(unknown)
        monitor.pathUpdateHandler = { [feed] path in
            var known = NetworkPath(path)
            adjust(&known)
            feed.update(known)
        }
        monitor.start(queue: DispatchQueue(label: "godwit.path", qos: .utility))
    }

    deinit {
        monitor.cancel()
        feed.finish()
    }

    /// The current path.
    public var current: NetworkPath { feed.current }

    /// The current path, then each change.
    public var paths: NetworkPaths { NetworkPaths(feed, of: self) }
}

extension NetworkPath {
    fileprivate init(_ path: NWPath) {
        var kinds: [InterfaceKind] = []
        for interface in path.availableInterfaces {
            let kind = InterfaceKind(interface.type)
            if kind != .loopback, !kinds.contains(kind) { kinds.append(kind) }
        }
        // A path that requires a connection, such as a VPN on demand, is established by sending.
        self.init(
            status: path.status == .unsatisfied ? .unsatisfied : .satisfied, interfaces: kinds,
            isExpensive: path.isExpensive, isConstrained: path.isConstrained)
    }
}

extension InterfaceKind {
    fileprivate init(_ type: NWInterface.InterfaceType) {
        self =
            switch type {
            case .wifi: .wifi
            case .cellular: .cellular
            case .wiredEthernet: .wired
            case .loopback: .loopback
            default: .other
            }
    }
}
#endif
