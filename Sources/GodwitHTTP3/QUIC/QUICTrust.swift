#if os(Linux)
import GodwitCore
import GodwitSockets
import GodwitTLS

/// What QUIC's connections trust. Used on the loop's thread.
struct QUICTrust {
    var loader: TrustLoader
    private let rules: HostRules

    init(_ settings: QUICSettings, onLoad: @escaping @Sendable (TrustStores) -> Void) {
        loader = TrustLoader(settings.configuration, settings.rules, onLoad: onLoad)
        rules = HostRules(settings.rules)
    }

    /// What holds for a URL's host.
    func rules(for url: HTTPURL) throws(NetworkError) -> TLSRules {
        let rule = rules.rule(for: url)
        return TLSRules(store: try loader.store(for: rule.authorities), pins: rule.pins, identity: rule.identity)
    }
}
#endif
