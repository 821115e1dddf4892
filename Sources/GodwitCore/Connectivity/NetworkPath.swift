/// The state of this device's network: its status, interfaces and cost.
///
/// ```swift
/// for await path in SystemPathMonitor.shared.paths {
///     banner.isHidden = path.status == .satisfied
/// }
/// ```
///
/// A satisfied path means that there is a network, not that a specific server can be reached.
public struct NetworkPath: Sendable, Hashable, Nonisolated {
    /// Whether there is a network.
    public enum Status: String, Sendable, Hashable {
        /// An interface other than loopback is up and has a route.
        case satisfied
        /// Only this device itself can be reached.
        case unsatisfied
    }

    /// Whether there is a network.
    public var status: Status

    /// The kinds of the interfaces that are up and have a route, the preferred one first.
    public var interfaces: [InterfaceKind]

    /// Whether traffic costs by volume: a mobile network, or one that the system considers metered.
    public var isExpensive: Bool

    /// Whether the network is in low-data mode.
    public var isConstrained: Bool

    /// Creates a path from the status, the interfaces and the cost of a network.
    ///
    /// - Parameters:
    ///   - status: Whether there is a network.
    ///   - interfaces: The kinds of its interfaces, the preferred one first.
    ///   - isExpensive: Whether traffic costs by volume.
    ///   - isConstrained: Whether the network is in low-data mode.
    public init(
        status: Status, interfaces: [InterfaceKind] = [], isExpensive: Bool = false, isConstrained: Bool = false
    ) {
        self.status = status
        self.interfaces = interfaces
        self.isExpensive = isExpensive
        self.isConstrained = isConstrained
    }

    /// A path without a network.
    public static let unsatisfied = NetworkPath(status: .unsatisfied)

    /// Whether traffic uses a mobile network, directly or through a tunnel.
    public var isCellular: Bool {
        interfaces.first { $0 != .tunnel } == .cellular
    }

    /// Why a request can't use this path; `nil` if it can.
    ///
    /// - Parameter networks: The kinds of network that the request can use.
    public func refusal(of networks: NetworkAllowance) -> NetworkError.OfflineReason? {
        if status == .unsatisfied { return .noPath }
        if isCellular, !networks.contains(.cellular) { return .cellularNotAllowed }
        if isExpensive, !networks.contains(.expensive) { return .expensiveNotAllowed }
        if isConstrained, !networks.contains(.constrained) { return .constrainedNotAllowed }
        return nil
    }
}

extension NetworkPath: CustomStringConvertible {
    /// One line, such as `satisfied: wifi, cellular (expensive)`.
    public var description: String {
        var line = status.rawValue
        if !interfaces.isEmpty { line += ": " + interfaces.map(\.rawValue).joined(separator: ", ") }
        let costs = [isExpensive ? "expensive" : nil, isConstrained ? "constrained" : nil].compactMap(\.self)
        return costs.isEmpty ? line : "\(line) (\(costs.joined(separator: ", ")))"
    }
}

/// The kind of a network interface.
///
/// The raw value is the name of the case.
public enum InterfaceKind: String, Sendable, Hashable, CaseIterable {
    /// Wi-Fi.
    case wifi
    /// A mobile network.
    case cellular
    /// Ethernet, or a similar interface of a virtual machine or container.
    case wired
    /// A tunnel over other interfaces, such as a VPN. Apple platforms report one as ``other``.
    case tunnel
    /// This machine. Never part of a path.
    case loopback
    /// An interface of another kind, or of an unknown one.
    case other
}

/// The current ``NetworkPath``, then its changes.
///
/// The monitor runs as long as its sequence exists.
public struct NetworkPaths: AsyncSequence, Sendable {
    public typealias Element = NetworkPath
    public typealias Failure = Never

    private let feed: PathFeed
    private let monitor: (any AnyObject & Sendable)?

    /// - Parameter monitor: The monitor that updates the feed, which is retained.
    init(_ feed: PathFeed, of monitor: (any AnyObject & Sendable)? = nil) {
        self.feed = feed
        self.monitor = monitor
    }

    /// Starts with the current path.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(feed: feed, monitor: monitor)
    }

    /// Iterates over the paths.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let feed: PathFeed
        fileprivate let monitor: (any AnyObject & Sendable)?
        private var seen: UInt64?

        fileprivate init(feed: PathFeed, monitor: (any AnyObject & Sendable)?) {
            self.feed = feed
            self.monitor = monitor
        }

        /// The next path; `nil` when the monitor has stopped or the task is canceled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> NetworkPath? {
            guard let (path, version) = await feed.path(after: seen, isolation: actor) else { return nil }
            seen = version
            return path
        }

        public mutating func next() async -> NetworkPath? {
            await next(isolation: nil)
        }
    }
}
