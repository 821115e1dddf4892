#if os(Linux)
import GodwitCore
import GodwitSupport
import GodwitTLS

/// What a loop's TLS connections trust, and the sessions they resume. Used on the loop's thread; files are read on another one.
///
/// The first exchanges with TLS wait until the certificates are parsed. Later the files are checked at intervals, and new
/// connections trust what changed in them.
struct LoopTrust {
    private var stores: TrustStores?
    private let rules: HostRules?
    /// A session depends on the trust it was made with, so new stores start without sessions.
    private var tickets = TLSTickets()
    private var contexts: [ContextKey: TLSContext] = [:]
    private let source: TrustSource
    /// Called on another thread.
    private let onLoad: @Sendable (TrustStores) -> Void
    private let interval: Int64
    private var isLoading = false
    /// When the files are checked again; `nil` before the first time.
    private var nextCheck: LoopTime?

    private struct ContextKey: Hashable {
        let authorities: Int?
        let identity: ObjectIdentifier?
        let protocols: [String]
    }

    init(_ settings: LoopSettings, onLoad: @escaping @Sendable (TrustStores) -> Void) {
        source = TrustSource(additional: settings.configuration.additionalAuthorities, rules: settings.rules)
        rules = settings.rules.map { HostRules($0) }
        interval = TimeLimits.nanoseconds(settings.configuration.trustCheckInterval)
        self.onLoad = onLoad
    }

    /// Whether exchanges have to wait for the certificates. Checks the files if that is due.
    mutating func isMissing(at now: LoopTime) -> Bool {
        if let nextCheck, now < nextCheck { return false }
        if !isLoading { load() }
        return nextCheck == nil
    }

    /// Takes what was loaded.
    mutating func loaded(_ new: TrustStores, at now: LoopTime) {
        isLoading = false
        if new !== stores {
            if nextCheck != nil { tickets = TLSTickets() }
            stores = new
            contexts = [:]
        }
        nextCheck = now + interval
    }

    private mutating func load() {
        isLoading = true
        let work: @Sendable () -> Void = { [source, stores, onLoad] in onLoad(source.load(replacing: stores)) }
        if let thread = SystemThread(work) { thread.detach() } else { work() }
    }

    /// What TLS with a URL's host is made with.
    mutating func plan(for url: HTTPURL, _ protocols: [String]) throws(NetworkError) -> TLSPlan {
        let rule = rules?.rule(for: url)
        let context = try context(rule?.authorities, rule?.identity, protocols)
        let key = "\(url.host):\(url.port) \(protocols.first ?? "")"
        return TLSPlan(context: context, host: url.host, pins: rule?.pins, tickets: tickets, ticketKey: key)
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
        guard let stores else {
            throw NetworkError(.insecure(.configuration("the trusted certificates are not loaded")), phase: .connecting)
        }
        let context = try TLSContext(
            store: try stores.store(for: authorities), identity: identity, protocols: protocols)
        contexts[key] = context
        return context
    }
}
#endif
