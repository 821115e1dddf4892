#if os(Linux)
package import GodwitCore
import GodwitSupport
package import GodwitTLS

/// The certificates that a loop trusts. Used in the loop's turn; files are read on another one.
///
/// The first exchanges with TLS wait until the certificates are parsed. Later the files are checked at intervals, and new
/// connections trust what changed in them.
package struct TrustLoader {
    private let source: TrustSource
    private let interval: Int64
    /// Called on another thread.
    private let onLoad: @Sendable (TrustStores) -> Void
    private var stores: TrustStores?
    private var isLoading = false
    private var nextCheck = LoopTime.zero

    package init(
        _ configuration: SocketConfiguration, _ rules: LoadedRules?, onLoad: @escaping @Sendable (TrustStores) -> Void
    ) {
        source = TrustSource(additional: configuration.additionalAuthorities, rules: rules)
        interval = TimeLimits.nanoseconds(configuration.trustCheckInterval)
        self.onLoad = onLoad
    }

    /// Whether exchanges have to wait for the certificates. Checks the files if that is due.
    package mutating func isMissing(at now: LoopTime) -> Bool {
        if nextCheck <= now, !isLoading { load() }
        return stores == nil
    }

    private mutating func load() {
        isLoading = true
        let work: @Sendable () -> Void = { [source, stores, onLoad] in onLoad(source.load(replacing: stores)) }
        if let thread = SystemThread(work) { thread.detach() } else { work() }
    }

    /// Takes what was loaded. Returns whether it is new.
    package mutating func loaded(_ new: TrustStores, at now: LoopTime) -> Bool {
        defer {
            isLoading = false
            stores = new
            nextCheck = now + interval
        }
        return new !== stores
    }

    /// The store of a rule's authorities; `nil` stands for the general one.
    package func store(for authorities: Int?) throws(NetworkError) -> TrustStore {
        guard let stores else {
            throw NetworkError(.insecure(.configuration("the trusted certificates are not loaded")), phase: .connecting)
        }
        return try stores.store(for: authorities)
    }
}
#endif
