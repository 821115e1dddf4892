import Synchronization

/// One call on its way through the middlewares: the request, and what has happened to it so far.
///
/// ```swift
/// func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
///     var call = call
///     call.request.fields["X-Tenant"] = tenant
///     return try await next(call)
/// }
/// ```
public struct Call: Sendable, Nonisolated {
    /// The request as it would be sent.
    public var request: HTTPRequest

    /// Which attempt this is, from 1.
    ///
    /// The chain counts: a middleware that sends the call again says so by ``startAttempt(after:)-(HTTPResponse)`` or
    /// ``startAttempt(after:)-(NetworkError)``, and the number continues from whatever was sent further in.
    public var attempt: Int { box.value.attempt }

    /// Makes this call the next attempt, after the answer to the one before.
    ///
    /// - Parameter response: What the last attempt was answered.
    public mutating func startAttempt(after response: HTTPResponse) {
        startAttempt(after: response.metrics.attempt)
    }

    /// Makes this call the next attempt, after one that failed.
    ///
    /// - Parameter error: How the last attempt failed.
    public mutating func startAttempt(after error: NetworkError) {
        startAttempt(after: error.attempt)
    }

    /// Makes this call the next attempt, after one with this number or after its own, whichever is later.
    mutating func startAttempt(after last: Int) {
        let number = max(attempt, last).saturatingAdding(1)
        box.change { $0.attempt = number }
    }

    /// How many redirects led here.
    ///
    /// Raised by ``Redirects``; the response's metrics repeat it.
    public var redirectCount: Int {
        get { box.value.redirectCount }
        set { box.change { $0.redirectCount = newValue } }
    }

    /// The URL that was called, before any redirect.
    public var originalURL: HTTPURL { box.value.originalURL }

    /// Fields that are for the request's origin alone, beside those whose name says so
    /// (``HTTPField/Name/isSensitive``): a redirect to another origin leaves them behind.
    public var originBoundFields: Set<HTTPField.Name> {
        get { box.value.originBoundFields }
        set { box.change { $0.originBoundFields = newValue } }
    }

    /// Names of query items whose values are secret, beside those that look like it (`access_token`): logs and
    /// recordings leave them out.
    public var secretQueryItems: Set<String> {
        get { box.value.secretQueryItems }
        set { box.change { $0.secretQueryItems = newValue } }
    }

    /// The same for everything that happens on behalf of one call, and for no other call of this process.
    ///
    /// Counted from 1; log lines show it as `#7`.
    public var id: UInt64 { box.value.id }

    /// What the log of this call has shown, if a client logs fields.
    var logRecord: LogRecord? {
        get { box.value.logRecord }
        set { box.change { $0.logRecord = newValue } }
    }

    /// The account that the call belongs to, if a client made it.
    package var account: AccountStamp? { box.value.account }

    /// Gives a call that belongs to no account to the current one of a session.
    mutating func adopt(_ session: AccountSession) {
        if account == nil { box.change { $0.account = session.stamp } }
    }

    /// All but the request. Calls live in the frames of every middleware, which this keeps small.
    private struct Rest: Sendable {
        var attempt = 1
        var redirectCount = 0
        let originalURL: HTTPURL
        var originBoundFields: Set<HTTPField.Name> = []
        var secretQueryItems: Set<String> = []
        let id: UInt64
        var account: AccountStamp?
        var logRecord: LogRecord?
    }

    private var box: Box<Rest>

    /// Makes a call for a request, with an id of its own.
    ///
    /// - Parameter request: The request as it would be sent.
    public init(_ request: HTTPRequest) {
        self.init(request, nil)
    }

    init(_ request: HTTPRequest, _ account: AccountStamp?) {
        self.request = request
        box = Box(
            Rest(
                originalURL: request.url, id: Self.lastID.wrappingAdd(1, ordering: .relaxed).newValue,
                account: account))
    }

    private static let lastID = Atomic<UInt64>(0)
}

extension Call: CustomStringConvertible, CustomReflectable {
    /// The number of the call and its request, without values that may hold secrets.
    public var description: String { "#\(id) \(request)" }

    /// The request without values that may hold secrets, and what has happened to it.
    public var customMirror: Mirror {
        Mirror(
            self, children: ["id": id, "request": request, "attempt": attempt, "redirectCount": redirectCount])
    }
}

extension AccountSession {
    /// The stamp that a call has from this session; the current one for a call that came by another way.
    func stamp(of call: Call) -> AccountStamp {
        guard let own = call.account, gave(own) else { return stamp }
        return own
    }

    /// The error of a request that belongs to a former account; `nil` lets it out.
    ///
    /// This is the last check before the transport: whatever waited, and whatever attached a credential meanwhile, ends
    /// here if the account changed.
    func refusal(of call: Call) -> NetworkError? {
        guard let stamp = call.account, !isCurrent(stamp) else { return nil }
        let request = call.request
        let isAnonymous =
            request.options.authentication == .none && !request.fields.contains(.cookie)
            && !request.fields.contains(.authorization)
        return isAnonymous ? nil : changed(request)
    }

    /// The account that the task refreshes the token of, if it is one of this session.
    var ownerOfTask: AccountStamp? { Self.ownerOfTask.flatMap { gave($0) ? $0 : nil } }
}

extension Redaction {
    /// Leaves out the fields and query items of a call's credentials, whatever their names.
    package func adding(_ call: Call) -> Redaction {
        adding(call.originBoundFields, call.secretQueryItems)
    }
}

/// What the log of a call has shown of the requests it led to.
final class LogRecord: Sendable {
    /// How the latest request ended.
    enum Outcome: Sendable, Equatable {
        case status(Int)
        case failure
    }

    private struct State {
        var requests = 0
        var latest: Outcome?
    }

    /// The content as the caller gave it, to show in place of one that was compressed on the way.
    let content: (type: String?, body: HTTPBody?)
    private let state = Mutex(State())

    init(_ request: HTTPRequest) {
        content = (request.fields[.contentType], request.body)
    }

    /// The number of the next request, from 1.
    func nextNumber() -> Int {
        state.withLock { state in
            state.requests += 1
            return state.requests
        }
    }

    func note(_ outcome: Outcome) {
        state.withLock { $0.latest = outcome }
    }

    /// How many requests were shown, and how the latest ended.
    var shown: (requests: Int, latest: Outcome?) {
        state.withLock { ($0.requests, $0.latest) }
    }
}

extension NetworkError {
    /// A call that was cancelled while a middleware had it.
    static func cancelled(_ call: Call) -> NetworkError {
        NetworkError(.cancelled, phase: .middleware, request: call.request)
    }
}
