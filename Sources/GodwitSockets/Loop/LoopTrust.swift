#if os(Linux)
import GodwitCore
import GodwitTLS

/// What a loop's TLS connections are made with, and the sessions they resume. Used in the loop's turn.
struct LoopTrust {
    private var loader: TrustLoader
    private let rules: HostRules
    /// A session depends on the trust it was made with, so new stores start without sessions.
    private var tickets = TLSTickets()
    private var contexts: [ContextKey: TLSContext] = [:]
    private struct ContextKey: Hashable {
        let authorities: Int?
        let identity: ObjectIdentifier?
        let protocols: [String]
    }

    init(_ settings: LoopSettings, onLoad: @escaping @Sendable (TrustStores) -> Void) {
        loader = TrustLoader(settings.configuration, settings.rules, onLoad: onLoad)
        rules = HostRules(settings.rules)
    }

    /// Whether exchanges have to wait for the certificates.
    mutating func isMissing(at now: LoopTime) -> Bool { loader.isMissing(at: now) }

    /// Takes certificates that were loaded.
    mutating func loaded(_ new: TrustStores, at now: LoopTime) {
        guard loader.loaded(new, at: now) else { return }
        tickets = TLSTickets()
        contexts = [:]
    }

    /// What TLS with a URL's host is made with.
    mutating func plan(for url: HTTPURL, _ protocols: [String]) throws(NetworkError) -> TLSPlan {
        let rule = rules.rule(for: url)
        let context = try context(rule.authorities, rule.identity, protocols)
        let key = "\(url.host):\(url.port) \(protocols.first ?? "")"
        return TLSPlan(context: context, host: url.host, pins: rule.pins, tickets: tickets, ticketKey: key)
    }

    /// What TLS with a proxy is made with: no rule applies to it.
    mutating func proxyPlan(for place: HostAndPort) throws(NetworkError) -> TLSPlan {
        TLSPlan(
            context: try context(nil, nil, ["http/1.1"]), host: place.host, pins: nil, tickets: tickets,
            ticketKey: "proxy \(place.host):\(place.port)")
    }

    private mutating func context(
        _ authorities: Int?, _ identity: TLSIdentity?, _ protocols: [String]
    ) throws(NetworkError) -> TLSContext {
        let key = ContextKey(
            authorities: authorities, identity: identity.map { ObjectIdentifier($0) }, protocols: protocols)
        if let known = contexts[key] { return known }
        let context = try TLSContext(
            store: try loader.store(for: authorities), identity: identity, protocols: protocols)
        contexts[key] = context
        return context
    }
}
#endif
