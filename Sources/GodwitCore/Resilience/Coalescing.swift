/// Lets concurrent identical requests share one transfer.
///
/// ```swift
/// let chain = Chain([Coalescing(), Retry()], over: transport)
/// ```
///
/// **Which requests**: safe methods without content, `.buffered`, without an ``RequestOptions/onEvent`` or a redirect
/// closure of their own. **What is identical**: method and URL; every field but those that only name the call
/// (`X-Request-ID`, `traceparent`, `tracestate`), so that nothing a server may vary its answer by is lost; the buffer
/// limit; the options that change what is sent or accepted; and `identity`.
///
/// Nothing is kept: a request that comes when the shared one is over is sent. A caller that is cancelled gets
/// `.cancelled` at once and the others do not notice; when the last one goes, the transfer is cancelled. All get the same
/// response or error, whose request is the one that was sent: the first caller's.
///
/// Credentials that a middleware further in attaches are not seen here. A client's calls are shared only within one
/// generation of its ``AccountSession``. Elsewhere, if one chain serves several accounts, give `identity` what tells
/// them apart.
public struct Coalescing: Middleware {
    private let transfers = SharedTasks<SharingKey, HTTPResponse, NetworkError>()
    private let identity: @Sendable (HTTPRequest) -> String

    /// How many callers wait for a shared transfer.
    package var waitingCount: Int { transfers.waitingCount }

    /// Makes the middleware.
    ///
    /// - Parameter identity: On whose behalf a request is sent, where its fields do not tell.
    public init(identity: @escaping @Sendable (HTTPRequest) -> String = { _ in "" }) {
        self.identity = identity
    }

    /// Sends the call, or waits for the response of one like it that is under way.
    ///
    /// - Parameters:
    ///   - call: The call so far.
    ///   - next: The rest of the chain.
    ///
    /// Throws what the shared call throws, and `.cancelled` at once for a caller that is cancelled.
    public func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        guard let key = SharingKey(call.request, call.account, identity: identity) else { return try await next(call) }
        return try await transfers.value(for: key, orThrow: .cancelled(call)) { () throws(NetworkError) in
            try await next(call)
        }
    }
}

/// What makes two requests identical enough to share one transfer.
///
/// Keys are made for every call, and compared only where two have the same URL at once: making one copies nothing.
struct SharingKey: Sendable, Hashable {
    private let request: HTTPRequest
    private let identity: String
    /// Whose call it is: no account joins the transfer of another.
    private let account: AccountStamp?

    /// The key of a request, or nil where it cannot be shared.
    init?(_ request: HTTPRequest, _ account: AccountStamp?, identity: (HTTPRequest) -> String) {
        guard request.isShareable else { return nil }
        self.request = request
        self.account = account
        self.identity = identity(request)
    }

    static func == (left: SharingKey, right: SharingKey) -> Bool {
        // A shared transfer is looked up again with the key that it was entered under.
        (left.request.isCopy(of: right.request) || left.request.asksTheSame(as: right.request))
            && left.identity == right.identity && left.account == right.account
    }

    /// Nearly all that differ do so in this.
    func hash(into hasher: inout Hasher) {
        hasher.combine(request.url)
    }
}

extension HTTPRequest {
    fileprivate var isShareable: Bool {
        guard method.isSafe, body == nil, case .buffered = delivery, options.onEvent == nil,
            options.upgrade == nil
        else { return false }
        if case .decide = options.redirects { return false }
        return true
    }

    fileprivate func asksTheSame(as other: HTTPRequest) -> Bool {
        method == other.method && url == other.url && bufferLimit == other.bufferLimit
            && options.asksTheSame(as: other.options) && fields.telling.elementsEqual(other.fields.telling)
    }
}

extension RequestOptions {
    /// Whether the same is sent and accepted with both.
    fileprivate func asksTheSame(as other: RequestOptions) -> Bool {
        redirects.follows(like: other.redirects) && responseLimit == other.responseLimit
            && timeouts == other.timeouts && priority == other.priority
            && hasSameOptions(as: other, except: RedirectPolicy.self)
    }
}

extension RedirectPolicy {
    /// Whether the same redirects are followed; a closure is like no other.
    fileprivate func follows(like other: RedirectPolicy) -> Bool {
        switch (self, other) {
        case (.follow, .follow), (.block, .block): true
        case (.followUp(let left), .followUp(let right)): left == right
        default: false
        }
    }
}

extension HTTPFields {
    /// Fields that name a call and say nothing about what it asks for.
    private static let naming: [HTTPField.Name] = [.requestID, .traceparent, .tracestate]

    /// The others.
    fileprivate var telling: some Sequence<HTTPField> {
        lazy.filter { !Self.naming.contains($0.name) }
    }
}
