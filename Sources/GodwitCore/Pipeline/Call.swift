import GodwitSupport
import Synchronization

/// A call on its way through the middlewares: the request and the call's history.
///
/// ```swift
/// func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
///     var call = call
///     call.request.fields["X-Tenant"] = tenant
///     return try await next(call)
/// }
/// ```
public struct Call: Sendable, Nonisolated {
    /// The request to send.
    public var request: HTTPRequest

    /// The number of this attempt, from 1.
    ///
    /// A middleware that sends the call again must first call ``startAttempt(after:)-(HTTPResponse)`` or
    /// ``startAttempt(after:)-(NetworkError)``. The number continues from the attempts of inner middlewares.
    public var attempt: Int { box.value.attempt }

    /// Makes this call the next attempt, after a response.
    ///
    /// - Parameter response: The response to the last attempt.
    public mutating func startAttempt(after response: HTTPResponse) {
        startAttempt(after: response.metrics.attempt)
    }

    /// Makes this call the next attempt, after a failure.
    ///
    /// - Parameter error: The error of the last attempt.
    public mutating func startAttempt(after error: NetworkError) {
        startAttempt(after: error.attempt)
    }

    /// Makes this call the next attempt, after its current number or `last`, whichever is greater.
    mutating func startAttempt(after last: Int) {
        let number = max(attempt, last).saturatingAdding(1)
        box.value.attempt = number
    }

    /// The number of redirects so far. ``Redirects`` increases it; the response's metrics report it.
    public var redirectCount: Int {
        get { box.value.redirectCount }
        _modify { yield &box.value.redirectCount }
    }

    /// The number of requests so far whose URL was changed from `http` to `https`. ``HSTS`` and ``Redirects`` increase it; the
    /// response's metrics report it.
    public var upgradeCount: Int {
        get { box.value.upgradeCount }
        _modify { yield &box.value.upgradeCount }
    }

    /// The URL of the original request, before any redirect.
    public var originalURL: HTTPURL { box.value.originalURL }

    /// Header fields that a redirect to another origin must drop, in addition to those whose name implies it
    /// (``HTTPField/Name/isSensitive``).
    public var originBoundFields: Set<HTTPField.Name> {
        get { box.value.originBoundFields }
        _modify { yield &box.value.originBoundFields }
    }

    /// Names of query items that logs and recordings redact, in addition to those that look secret (such as
    /// `access_token`).
    public var secretQueryItems: Set<String> {
        get { box.value.secretQueryItems }
        _modify { yield &box.value.secretQueryItems }
    }

    /// The call's number, unique in this process. Starts at 1; log lines show it as `#7`.
    public var id: UInt64 { box.value.id }

    /// The account that the call belongs to, if a client made it.
    package var account: AccountStamp? { box.value.account }

    /// Whether the network can't read the request: it is sent with TLS, or stays on this machine.
    ///
    /// Check it before you add a secret. A request to this machine that goes through a proxy doesn't stay on it. A call
    /// outside of a chain has no proxy.
    public var isConfidential: Bool {
        let origin = request.url.origin
        return box.value.links?.transport.isConfidential(origin) ?? origin.isConfidential
    }

    /// Assigns the session's current account, unless the call already has one.
    mutating func adopt(_ session: AccountSession) {
        if account == nil { box.value.account = session.stamp }
    }

    /// Everything but the request, boxed to keep the frames of middlewares small.
    private struct Rest: Sendable {
        var attempt = 1
        var redirectCount = 0
        var upgradeCount = 0
        let originalURL: HTTPURL
        var originBoundFields: Set<HTTPField.Name> = []
        var secretQueryItems: Set<String> = []
        let id: UInt64
        var account: AccountStamp?
        let links: ChainLinks?
    }

    private var box: Box<Rest>

    /// Creates a call with a new ID.
    ///
    /// - Parameter request: The request to send.
    public init(_ request: HTTPRequest) {
        self.init(request, nil, in: nil)
    }

    init(_ request: HTTPRequest, _ account: AccountStamp?, in links: ChainLinks?) {
        self.request = request
        box = Box(
            Rest(
                originalURL: request.url, id: Self.lastID.wrappingAdd(1, ordering: .relaxed).newValue,
                account: account, links: links))
    }

    private static let lastID = Atomic<UInt64>(0)
}

extension Call: CustomStringConvertible, CustomReflectable {
    /// The call's number and request, with secrets redacted.
    public var description: String { "#\(id) \(request)" }

    /// The request, with secrets redacted, and the call's history.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "id": id, "request": request, "attempt": attempt, "redirectCount": redirectCount,
                "upgradeCount": upgradeCount,
            ])
    }
}

extension AccountSession {
    /// The call's stamp from this session, or the current stamp if the call has none from it.
    func stamp(of call: Call) -> AccountStamp {
        guard let own = call.account, gave(own) else { return stamp }
        return own
    }

    /// The error of a request that belongs to a former account. `nil` if the request can be sent.
    ///
    /// This is the last check before the transport: it stops calls that waited, or got a credential, while the account
    /// changed.
    func refusal(of call: Call) -> NetworkError? {
        guard let stamp = call.account, !isCurrent(stamp) else { return nil }
        let request = call.request
        let isAnonymous =
            request.options.authentication == .none && !request.fields.contains(.cookie)
            && !request.fields.contains(.authorization)
        return isAnonymous ? nil : changed(request)
    }

    /// The account whose token the task is refreshing, if it belongs to this session.
    var ownerOfTask: AccountStamp? { Self.ownerOfTask.flatMap { gave($0) ? $0 : nil } }
}

extension Redaction {
    /// Also redacts the header fields and query items of a call's credentials, whatever their names, and its secrets,
    /// wherever they are repeated.
    package func adding(_ call: Call) -> Redaction {
        adding(call.originBoundFields, call.secretQueryItems).adding(call.request)
    }
}

extension NetworkError {
    /// The error of a call that was canceled in a middleware.
    static func cancelled(_ call: Call) -> NetworkError {
        NetworkError(.cancelled, phase: .middleware, request: call.request)
    }
}
