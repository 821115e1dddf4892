#if os(Linux)
import GodwitCore
import GodwitSockets
import GodwitSupport
import GodwitTLS

/// What QUIC's connections trust. Used on the loop's thread; files are read on another one, at intervals.
struct QUICTrust {
    private let source: TrustSource
    private let rules: HostRules
    private let interval: Int64
    /// Called on another thread.
    private let onLoad: @Sendable (TrustStores) -> Void
    private var stores: TrustStores?
    private var isLoading = false
    private var nextCheck = LoopTime.zero

    init(_ settings: QUICSettings, onLoad: @escaping @Sendable (TrustStores) -> Void) {
        source = TrustSource(additional: settings.configuration.additionalAuthorities, rules: settings.rules)
        rules = HostRules(settings.rules)
        interval = TimeLimits.nanoseconds(settings.configuration.trustCheckInterval)
        self.onLoad = onLoad
    }

    /// Whether exchanges have to wait for the certificates. Checks the files if that is due.
    mutating func isMissing(at now: LoopTime) -> Bool {
        if nextCheck <= now, !isLoading {
            isLoading = true
            let work: @Sendable () -> Void = { [source, stores, onLoad] in onLoad(source.load(replacing: stores)) }
            if let thread = SystemThread(work) { thread.detach() } else { work() }
        }
        return stores == nil
    }

    mutating func loaded(_ new: TrustStores, at now: LoopTime) {
        (isLoading, stores, nextCheck) = (false, new, now + interval)
    }

    /// What holds for a URL's host.
    func rules(for url: HTTPURL) throws(NetworkError) -> TLSRules {
        let rule = rules.rule(for: url)
        guard let stores else {
            throw NetworkError(.insecure(.configuration("the trusted certificates are not loaded")), phase: .connecting)
        }
        return TLSRules(store: try stores.store(for: rule.authorities), pins: rule.pins, identity: rule.identity)
    }
}
#endif
