#if os(Linux)
import GodwitCore
import GodwitTLS

/// What the event loops of one transport are made with.
struct LoopSettings: Sendable {
    let configuration: SocketConfiguration
    let proxies: ProxyRules
    /// `nil` if no host has a rule.
    let rules: LoadedRules?
    let overrides: [HostAndPort: [SocketAddress]]
    let targets: [String: HostAndPort]

    init(_ configuration: SocketConfiguration, _ proxies: ProxyRules, _ rules: LoadedRules?) {
        self.configuration = configuration
        self.proxies = proxies
        self.rules = rules
        overrides = Self.overrides(configuration.addressOverrides)
        targets = configuration.connectionTargets.compactMapValues { place in
            (try? HTTPURL("http://\(place)/")).map { HostAndPort(host: $0.host, port: $0.port) }
        }
    }

    private static func overrides(_ overrides: [String: [String]]) -> [HostAndPort: [SocketAddress]] {
        var table: [HostAndPort: [SocketAddress]] = [:]
        for (name, addresses) in overrides {
            guard let url = try? HTTPURL("http://\(name)/") else { continue }
            table[HostAndPort(host: url.host, port: url.port)] = addresses.compactMap {
                SocketAddress($0, port: url.port)
            }
        }
        return table
    }

    /// Where connections for an origin go to, before proxies.
    func target(of origin: Origin) -> HostAndPort {
        (targets.isEmpty ? nil : targets["\(origin.host):\(origin.port)"])
            ?? HostAndPort(host: origin.host, port: origin.port)
    }
}

/// The routes of a loop: one for each origin, and one more for requests that need HTTP/1.1.
struct Routes {
    private struct Key: Hashable {
        let origin: Origin
        let needsHTTP1: Bool
    }

    private let settings: LoopSettings
    private var known: [Key: Route] = [:]
    /// What each proxy gets of its URL's user.
    private var authentications: [ProxyAddress: ProxyAuthentication] = [:]
    /// The route that was used last: most calls go to one origin.
    private var last: (origin: Origin, route: Route)?

    init(_ settings: LoopSettings) {
        self.settings = settings
    }

    /// The route of a request; or why it has none.
    mutating func route(for exchange: Exchange, in pool: inout Pool) -> Result<Route, NetworkError> {
        let origin = exchange.request.url.origin
        let needsHTTP1 = exchange.isUpgrade
        if !needsHTTP1, let last, last.origin == origin { return .success(last.route) }
        let key = Key(origin: origin, needsHTTP1: needsHTTP1)
        if let route = known[key] { return .success(route) }
        return makeRoute(for: exchange, needsHTTP1, in: &pool).map { route in
            known[key] = route
            if !needsHTTP1 { last = (origin, route) }
            return route
        }
    }

    private mutating func authentication(for proxy: ProxyAddress) -> ProxyAuthentication? {
        if let known = authentications[proxy] { return known }
        authentications[proxy] = ProxyAuthentication(proxy)
        return authentications[proxy]
    }

    private mutating func makeRoute(for exchange: Exchange, _ needsHTTP1: Bool, in pool: inout Pool) -> Result<
        Route, NetworkError
    > {
        let url = exchange.request.url
        let origin = url.origin
        let configuration = settings.configuration
        var proxy: ProxyAddress?
        if configuration.unixSocketPath == nil, let text = settings.proxies.proxy(for: origin) {
            guard let address = ProxyAddress(text) else {
                let reason = "\(Proxy.shown(text)) is not the URL of an http, https, socks5 or socks5h proxy"
                return .failure(exchange.error(.transport(.proxy(reason)), .connecting))
            }
            proxy = address
        }
        let target = settings.target(of: origin)
        let isSecure = origin.scheme == .https
        let isForwarded = proxy?.forwardsRequests == true && !isSecure && !needsHTTP1
        var plan = DialPlan(place: proxy?.place ?? target, unixSocketPath: configuration.unixSocketPath)
        plan.proxy = proxy
        plan.authentication = proxy.flatMap { authentication(for: $0) }
        plan.tunnel = proxy == nil || isForwarded ? nil : target
        plan.secureHost = isSecure ? url : nil
        plan.protocols = configuration.protocols.offered(needsHTTP1: needsHTTP1)
        let host = configuration.hostFields["\(origin.host):\(origin.port)"] ?? origin.hostAndPort
        return .success(
            Route(
                origin, plan, group: pool.addGroup(), forwarder: isForwarded ? proxy : nil, host: host,
                mayShare: !needsHTTP1 && configuration.protocols.mayShare(origin.scheme)))
    }
}

extension ProtocolPreference {
    /// What ALPN offers.
    func offered(needsHTTP1: Bool) -> [String] {
        if needsHTTP1 { return ["http/1.1"] }
        return switch self {
        case .http1: ["http/1.1"]
        case .http2WhereSecure: ["h2", "http/1.1"]
        case .http2PriorKnowledge: ["h2"]
        }
    }

    /// Whether a connection for this scheme may turn out to be shared by many requests.
    func mayShare(_ scheme: HTTPURL.Scheme) -> Bool {
        switch self {
        case .http1: false
        case .http2PriorKnowledge: true
        case .http2WhereSecure: scheme == .https
        }
    }

    /// The names of the offered versions.
    var names: [HTTPVersion.RawValue] {
        switch self {
        case .http1: [HTTPVersion.http1_1.rawValue]
        case .http2PriorKnowledge: [HTTPVersion.http2.rawValue]
        case .http2WhereSecure: [.http2, .http1_1].map(\HTTPVersion.rawValue)
        }
    }
}
#endif
