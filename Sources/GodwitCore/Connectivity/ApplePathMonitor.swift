#if canImport(Network)
import Dispatch
import Network

/// The path as `NWPathMonitor` tells it.
public final class ApplePathMonitor: PathMonitor {
    private let monitor = NWPathMonitor()
    private let feed: PathFeed

    /// Starts watching; lasts as long as the monitor, or a sequence of it, is held.
    ///
    /// Until the system has said something, a few milliseconds later, the path counts as satisfied: the first call of a
    /// program should not fail for what nobody knows yet.
    ///
    /// - Parameter adjust: Changes each path before it is told, where the program knows better than the system.
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

    /// The path as it is now.
    public var current: NetworkPath { feed.current }

    /// The path as it is now, then each change.
    public var paths: NetworkPaths { NetworkPaths(feed, of: self) }
}

extension NetworkPath {
    fileprivate init(_ path: NWPath) {
        var kinds: [InterfaceKind] = []
        for interface in path.availableInterfaces {
            let kind = InterfaceKind(interface.type)
            if kind != .loopback, !kinds.contains(kind) { kinds.append(kind) }
        }
        // A path that requires a connection, such as a VPN on demand, comes about when something is sent over it.
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
