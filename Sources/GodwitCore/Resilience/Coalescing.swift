/// Sends concurrent identical requests only once, and shares the response.
///
/// ```swift
/// let chain = Chain([Coalescing(), Retry()], over: transport)
/// ```
///
/// A request is shared if its method is safe, it has no body, its delivery is `.buffered`, and it has no closure:
/// ``RequestOptions/onEvent``, ``RequestOptions/onHeadSent``, or one for redirects. Two requests are identical if the
/// following are equal: method and URL; all header fields except those that identify the call (`X-Request-ID`, `traceparent`, `tracestate`);
/// the buffer limit; the options that affect the exchange; and `identity`.
///
/// Responses are not kept: a request after the end of the shared one is sent. A canceled caller immediately gets
/// `.cancelled`, without effect on the others; when the last one is canceled, so is the transfer. All callers get the
/// same response or error, with the request of the first caller.
///
/// Credentials that inner middlewares attach are not compared. A client shares calls only within one generation of its
/// ``AccountSession``. If a custom chain serves several accounts, distinguish them by `identity`.
public struct Coalescing: Middleware {
    private let transfers = SharedTasks<SharingKey, HTTPResponse, NetworkError>()
    private let identity: @Sendable (HTTPRequest) -> String

    /// The number of callers that wait for a shared transfer.
    package var waitingCount: Int { transfers.waitingCount }

    /// Creates a middleware that sends concurrent identical requests once.
    ///
    /// - Parameter identity: Identifies the account that a request is sent for. An empty string by default.
    public init(identity: @escaping @Sendable (HTTPRequest) -> String = { _ in "" }) {
        self.identity = identity
    }

    /// Sends the call, or waits for the response to an identical one in progress.
    ///
    /// - Throws: The error of the shared call, or `.cancelled` if the task is canceled.
    public func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        guard let key = SharingKey(call.request, call.account, identity: identity) else { return try await next(call) }
        return try await transfers.value(for: key, orThrow: .cancelled(call)) { () throws(NetworkError) in
            try await next(call)
        }
    }
}

/// Equal for requests that can share one transfer.
///
/// Every call makes a key, without copying; keys are compared only if the URLs are the same.
struct SharingKey: Sendable, Hashable {
    private let request: HTTPRequest
    private let identity: String
    /// The account of the call: accounts don't share transfers.
    private let account: AccountStamp?

    /// The key of a request; `nil` if it can't be shared.
    init?(_ request: HTTPRequest, _ account: AccountStamp?, identity: (HTTPRequest) -> String) {
        guard request.isShareable else { return nil }
        self.request = request
        self.account = account
        self.identity = identity(request)
    }

    static func == (left: SharingKey, right: SharingKey) -> Bool {
        // The lookup at the end of a transfer uses the same key as at the start.
        (left.request.isCopy(of: right.request) || left.request.isEquivalent(to: right.request))
            && left.identity == right.identity && left.account == right.account
    }

    /// Almost all different requests differ in the URL.
    func hash(into hasher: inout Hasher) {
        hasher.combine(request.url)
    }
}

extension HTTPRequest {
    fileprivate var isShareable: Bool {
        guard method.isSafe, body == nil, case .buffered = delivery, options.onEvent == nil,
            options.onHeadSent == nil, options.upgrade == nil, options[PartialBody.self] == nil
        else { return false }
        if case .decide = options.redirects { return false }
        return true
    }

    fileprivate func isEquivalent(to other: HTTPRequest) -> Bool {
        method == other.method && url == other.url && bufferLimit == other.bufferLimit
            && options.isEquivalent(to: other.options) && fields.relevant.elementsEqual(other.fields.relevant)
    }
}

extension RequestOptions {
    /// Whether both have the same effect on an exchange.
    fileprivate func isEquivalent(to other: RequestOptions) -> Bool {
        redirects.follows(like: other.redirects) && responseLimit == other.responseLimit
            && timeouts == other.timeouts && priority == other.priority
            && hasSameOptions(as: other, except: RedirectPolicy.self)
    }
}

extension RedirectPolicy {
    /// Whether both follow the same redirects. A closure differs from any other.
    fileprivate func follows(like other: RedirectPolicy) -> Bool {
        switch (self, other) {
        case (.follow, .follow), (.block, .block): true
        case (.followUp(let left), .followUp(let right)): left == right
        default: false
        }
    }
}

extension HTTPFields {
    /// Fields that identify a call and don't affect its response.
    private static let identifying: [HTTPField.Name] = [.requestID, .traceparent, .tracestate]

    /// All other fields.
    fileprivate var relevant: some Sequence<HTTPField> {
        lazy.filter { !Self.identifying.contains($0.name) }
    }
}
