/// How this device reaches the network: whether at all, over what, and at what cost.
///
/// ```swift
/// for await path in SystemPathMonitor.shared.paths {
///     banner.isHidden = path.status == .satisfied
/// }
/// ```
///
/// A path says that a network is there, not that a certain server can be reached over it.
public struct NetworkPath: Sendable, Hashable, Nonisolated {
    /// Whether there is a network.
    public enum Status: String, Sendable, Hashable {
        /// An interface other than loopback is up and leads somewhere.
        case satisfied
        /// This device reaches nothing but itself.
        case unsatisfied
    }

    /// Whether there is a network.
    public var status: Status

    /// The kinds of interface that are up and lead somewhere, the one that traffic takes first.
    public var interfaces: [InterfaceKind]

    /// Whether traffic costs by volume: a mobile network, or one that the system knows to be metered.
    public var isExpensive: Bool

    /// Whether the network is in low-data mode.
    public var isConstrained: Bool

    /// Makes a path.
    ///
    /// - Parameters:
    ///   - status: Whether there is a network.
    ///   - interfaces: What it goes over, the preferred one first.
    ///   - isExpensive: Whether it costs by volume.
    ///   - isConstrained: Whether the person asked for little traffic.
    public init(
        status: Status, interfaces: [InterfaceKind] = [], isExpensive: Bool = false, isConstrained: Bool = false
    ) {
        self.status = status
        self.interfaces = interfaces
        self.isExpensive = isExpensive
        self.isConstrained = isConstrained
    }

    /// No network.
    public static let unsatisfied = NetworkPath(status: .unsatisfied)

    /// Whether traffic goes over a mobile network, also where a tunnel stands in front of it.
    public var isCellular: Bool {
        interfaces.first { $0 != .tunnel } == .cellular
    }

    /// Why a request that may use these kinds of network cannot go over this path; nil where it can.
    ///
    /// - Parameter networks: What the request may use, beside networks that are nothing special.
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

/// What a network interface is.
///
/// The raw value is the name of the case.
public enum InterfaceKind: String, Sendable, Hashable, CaseIterable {
    case wifi
    /// A mobile network.
    case cellular
    /// Ethernet, or what looks like it: a virtual machine's or container's interface.
    case wired
    /// A tunnel over other interfaces, such as a VPN. Apple's systems report one as ``other``.
    case tunnel
    /// This machine itself. Never part of a path.
    case loopback
    case other
}

/// The current ``NetworkPath``, then its changes.
///
/// Keeps its monitor running as long as it is held.
public struct NetworkPaths: AsyncSequence, Sendable {
    public typealias Element = NetworkPath
    public typealias Failure = Never

    private let feed: PathFeed
    private let monitor: (any AnyObject & Sendable)?

    /// - Parameter monitor: What the feed is fed by, and must not be let go of while it is read.
    init(_ feed: PathFeed, of monitor: (any AnyObject & Sendable)? = nil) {
        self.feed = feed
        self.monitor = monitor
    }

    /// Starts with the current path.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(feed: feed, monitor: monitor)
    }

    /// Reads the paths one by one.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let feed: PathFeed
        fileprivate let monitor: (any AnyObject & Sendable)?
        private var seen: UInt64?

        fileprivate init(feed: PathFeed, monitor: (any AnyObject & Sendable)?) {
            self.feed = feed
            self.monitor = monitor
        }

        /// The next path; nil once the monitor has stopped or the task is cancelled.
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
