import GodwitSupport

/// Sends requests over HTTPS if the host demands it (HTTP Strict Transport Security, RFC 6797).
///
/// ```swift
/// let store = HSTSStore()
/// let chain = Chain([Redirects(hsts: store), HSTS(store), HTTPSOnly()], over: transport)
/// ```
///
/// An `http` URL of a known host becomes `https`, before anything is sent; ``TransferMetrics/upgradeCount`` tells. Hosts are
/// learned from the `Strict-Transport-Security` field of responses over HTTPS. Fields of plain HTTP, of stored responses, of
/// addresses and of this machine's names such as `localhost` are ignored.
///
/// Place it inside ``Redirects``, so that it sees every hop, and outside ``HTTPSOnly``, which would refuse the `http` URL.
public struct HSTS: ReviewingMiddleware {
    private let store: HSTSStore

    /// Creates the middleware with a store, which several can share.
    public init(_ store: HSTSStore) {
        self.store = store
    }

    /// Whether the host may be known, or may be learned.
    public func handles(_ call: Call) -> Bool { call.request.url.scheme == .https || !store.isEmpty }

    /// Changes the scheme of a known host's URL.
    public func prepare(_ call: inout Call) { call.upgrade(by: store) }

    /// Learns from the response, even if its body fails.
    public func review(_ outcome: CallOutcome, of call: Call, sendings: Int) -> Review {
        switch outcome {
        case .success(let response):
            // The head of a stored response that a 304 confirmed is as old as a stored one.
            let isConfirmed = response.metrics.cacheStatus?.forwardStatus == .notModified
            if !isConfirmed, let head = response.headFromServer { learn(head, from: response.request.url) }
        case .failure(let error):
            if let head = error.response { learn(head, from: error.request?.url ?? call.request.url) }
        }
        return .finish(outcome)
    }

    private func learn(_ head: HTTPResponseHead, from url: HTTPURL) {
        guard url.scheme == .https, head.fields.contains(.strictTransportSecurity),
            let policy = StrictTransportPolicy(head.fields)
        else { return }
        store.learn(policy, from: url.host)
    }
}

/// Changes the URL that the caller asked for, where nothing can be learned yet.
struct HSTSUpgrade: RequestMiddleware {
    let store: HSTSStore

    func handles(_ call: Call) -> Bool { call.request.url.scheme == .http && !store.isEmpty }

    func prepare(_ call: inout Call) { call.upgrade(by: store) }
}

extension Call {
    /// Changes the URL to HTTPS if its host is known to demand it.
    mutating func upgrade(by store: HSTSStore) {
        guard let url = store.upgraded(request.url) else { return }
        request.url = url
        noteUpgrade()
    }

    /// Counts an upgrade. A middleware may have set any number.
    mutating func noteUpgrade() { upgradeCount = upgradeCount.saturatingAdding(1) }
}

/// Where a client keeps the hosts that demand HTTPS; see ``HSTS``.
///
/// ```swift
/// let store = try HSTSStore(file: folder.appending(path: "hsts.txt"))
/// let api = APIClient(baseURL: "https://api.example.com/v1") { $0.hsts = .store(store) }
/// ```
public enum HSTSSetting: Sendable, Nonisolated {
    /// Learns nothing, and changes no URL.
    case off

    /// Keeps them in memory, as long as the client lives.
    case memory

    /// Uses a store, which several clients can share.
    case store(HSTSStore)

    /// The setting with a store, once a client has it.
    var withStore: HSTSSetting {
        if case .memory = self { .store(HSTSStore()) } else { self }
    }

    var store: HSTSStore? {
        if case .store(let store) = self { store } else { nil }
    }
}
