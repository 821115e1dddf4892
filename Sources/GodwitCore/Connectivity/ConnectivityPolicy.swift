/// What happens to a request without a usable network.
///
/// ```swift
/// $0.connectivity = .wait(upTo: .seconds(30))
/// ```
public enum ConnectivityPolicy: Sendable, Hashable {
    /// Sends it anyway, as the system can be wrong about the network. If sending fails for lack of a network, throws
    /// `.offline(.noPath)`. If the only networks are ones that the request may not use
    /// (``RequestOptions/allowedNetworks``), throws `.offline` with the reason.
    case attempt
    /// Throws `.offline` with the reason immediately.
    case failFast
    /// Waits for a network, at most this long; `nil` waits until the task is canceled. After the limit, throws
    /// `.offline` with the reason of that moment.
    ///
    /// The wait doesn't count toward ``Timeouts``.
    case wait(upTo: Duration?)
}

/// The kinds of network that a request can use.
///
/// ```swift
/// Endpoint<Void>.post("backup").allowedNetworks([])        // no expensive, mobile or constrained network
/// ```
public struct NetworkAllowance: OptionSet, Sendable, Hashable {
    /// One bit for each kind of network.
    public let rawValue: UInt8

    /// Creates a set of bits; prefer the names.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Networks that cost by volume, such as a personal hotspot.
    public static let expensive = NetworkAllowance(rawValue: 1)
    /// Networks in low-data mode.
    public static let constrained = NetworkAllowance(rawValue: 2)
    /// Mobile networks.
    public static let cellular = NetworkAllowance(rawValue: 4)
    /// Every network.
    public static let all: NetworkAllowance = [.expensive, .constrained, .cellular]
}

extension ConnectivityPolicy: RequestOption {
    public static var defaultValue: ConnectivityPolicy? { nil }
}

extension NetworkAllowance: RequestOption {
    public static var defaultValue: NetworkAllowance { .all }
}

extension RequestOptions {
    /// The kinds of network that the request can use. All by default.
    ///
    /// The ``Connectivity`` middleware applies it. Requests to this machine itself use no network.
    public var allowedNetworks: NetworkAllowance {
        @inline(__always) get { self[NetworkAllowance.self] }
        set { self[NetworkAllowance.self] = newValue }
    }

    /// What happens without a network that the request can use; `nil` (the default) leaves it to the client.
    public var connectivity: ConnectivityPolicy? {
        @inline(__always) get { self[ConnectivityPolicy.self] }
        set { self[ConnectivityPolicy.self] = newValue }
    }
}
