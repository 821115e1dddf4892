#if canImport(Network)
import Dispatch
import Network

/// The path as `NWPathMonitor` tells it.
public final class ApplePathMonitor: PathMonitor {
    private let monitor = NWPathMonitor()
    private let feed = PathFeed(.unsatisfied)

    /// Starts watching; lasts as long as the monitor, or a sequence of it, is held.
    ///
    /// - Parameter adjust: Changes each path before it is told, where the program knows better than the system.
    public init(adjust: @escaping @Sendable (inout NetworkPath) -> Void = { _ in }) {
        monitor.pathUpdateHandler = { [feed] path in
            var known = NetworkPath(path)
            adjust(&known)
            feed.update(known)
        }
        feed.update(NetworkPath(monitor.currentPath))
        monitor.start(queue: DispatchQueue(label: "godwit.path"))
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
        self.init(
            status: path.status == .satisfied ? .satisfied : .unsatisfied, interfaces: kinds,
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
