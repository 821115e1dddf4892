/// What makes two requests identical enough to share one transfer.
///
/// Keys are made for every call, and compared only where two have the same URL at once: making one copies nothing.
struct FlightKey: Sendable, Hashable {
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

    static func == (left: FlightKey, right: FlightKey) -> Bool {
        // A flight is looked up again with the key it was entered under.
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
            && timeouts == other.timeouts && cachePolicy == other.cachePolicy && cookies == other.cookies
            && authentication == other.authentication && retry == other.retry
            && allowedNetworks == other.allowedNetworks && connectivity == other.connectivity
            && priority == other.priority && idempotencyKey == other.idempotencyKey
            && compression == other.compression
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
