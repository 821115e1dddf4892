#if os(Linux)
import GodwitCore
import GodwitSockets
import GodwitSupport

/// What an engine's TLS connections trust, and the sessions they resume. Used on the engine's thread; files are read on
/// another one.
///
/// The first exchanges with TLS wait until the certificates are parsed. Later the files are checked at intervals, and new
/// connections trust what changed in them.
struct EngineTrust {
    /// Nil if libcurl reads the certificates itself.
    private(set) var stores: TrustStores?
    /// A session depends on the trust it was made with, so new stores start without sessions.
    private(set) var sessions = TLSSessions()
    private let source: TrustSource
    /// Called on another thread.
    private let onLoad: @Sendable (TrustStores?) -> Void
    private let interval: Int64
    private var isLoading = false
    /// When the files are checked again; nil before the first time.
    private var nextCheck: LoopTime?

    init(_ configuration: CurlConfiguration, _ rules: LoadedRules?, onLoad: @escaping @Sendable (TrustStores?) -> Void)
    {
        source = TrustSource(configuration, rules)
        interval = configuration.trustCheckInterval.nanoseconds
        self.onLoad = onLoad
    }

    /// Whether exchanges have to wait for the certificates. Checks the files if that is due.
    mutating func isMissing(at now: LoopTime) -> Bool {
        if let nextCheck, now < nextCheck { return false }
        if !isLoading { load() }
        return nextCheck == nil
    }

    /// Takes what was loaded.
    mutating func loaded(_ new: TrustStores?, at now: LoopTime) {
        isLoading = false
        // Files that became unreadable are most likely being replaced.
        if let new, new !== stores {
            if nextCheck != nil { sessions = TLSSessions() }
            stores = new
        }
        nextCheck = now + interval
    }

    private mutating func load() {
        isLoading = true
        let work: @Sendable () -> Void = { [source, stores, onLoad] in onLoad(source.load(replacing: stores)) }
        if let thread = SystemThread(work) { thread.detach() } else { work() }
    }
}

extension Duration {
    fileprivate var nanoseconds: Int64 {
        components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }
}
#endif
