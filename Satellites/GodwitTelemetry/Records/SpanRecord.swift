import GodwitCore

/// A span that has ended, in a form that is cheap to make: the exporter makes its texts. It is moved under a lock that
/// every call takes, so it is a reference, and its size is known.
final class SpanRecord: Sendable {
    /// What the span is about.
    enum Scope: Sendable {
        /// A call of the client, with everything that it waited for.
        case call(source: String?, requests: Int)
        /// One request that was sent.
        case request(resendCount: Int)
    }

    let scope: Scope
    let trace: TraceContext
    let parent: TraceContext?
    let start: Moment
    let duration: Duration
    let method: HTTPMethod
    /// Whether it is one of ``TelemetryOptions/knownMethods``.
    let isKnownMethod: Bool
    let url: HTTPURL
    let template: String?
    /// Names of query items that are secret in this call.
    let secrets: Set<String>
    /// The URL of a redirect without secrets of the call, which the server may have put into it; `nil` for other URLs.
    let foreignURL: String?
    let outcome: Outcome
    /// About how many bytes it needs, here and in a message.
    let size: Int

    init(
        scope: Scope, trace: TraceContext, parent: TraceContext?, start: Moment, duration: Duration, method: HTTPMethod,
        isKnownMethod: Bool, url: HTTPURL, template: String?, secrets: Set<String>, foreignURL: String? = nil,
        outcome: Outcome
    ) {
        self.scope = scope
        self.trace = trace
        self.parent = parent
        self.start = start
        self.duration = duration
        self.method = method
        self.isKnownMethod = isKnownMethod
        self.url = url
        self.template = template
        self.secrets = secrets
        self.foreignURL = foreignURL
        self.outcome = outcome
        size =
            384 + url.absoluteString.utf8.count * 2 + (template?.utf8.count ?? 0) * 2
            + (outcome.message?.utf8.count ?? 0) + (trace.state?.utf8.count ?? 0)
    }
}

/// How a call or request ended.
struct Outcome: Sendable {
    var status: Int?
    /// Low-cardinality name of the failure: the status, or ``NetworkError/shortDescription``.
    var error: String?
    /// The failure in words, without secrets.
    var message: String?
    var version: HTTPVersion?
    var peer: String?
    var sentBytes: Int64?
    var receivedBytes: Int64?

    /// - Parameter fails: Whether a status is a failure; from 400 on by default.
    init(_ outcome: CallOutcome, fails: (HTTPStatus) -> Bool = { $0.code >= 400 }) {
        switch outcome {
        case .success(let response):
            status = response.head.status.code
            if fails(response.head.status) { error = "\(response.head.status.code)" }
            let metrics = response.metrics
            version = metrics.protocolVersion
            peer = metrics.remoteAddress
            if metrics.source == .network {
                sentBytes = metrics.bytesSent
                // The rest of a streamed body is still to come.
                if case .streamed = response.request.delivery {} else { receivedBytes = metrics.bytesReceived }
            }
        case .failure(let failure):
            status = failure.response?.status.code
            error = failure.shortDescription
            message = String(failure.description.prefix(Self.messageLimit))
        }
    }

    private static let messageLimit = 300
}

/// A point in time by both clocks: a wall clock for the start, a steady one for durations.
struct Moment: Sendable {
    /// Since 1970.
    let nanoseconds: UInt64
    let steady: Duration

    init(_ date: Date, _ steady: Duration) {
        let seconds = max(0, min(date.timeIntervalSince1970, 9e9))
        nanoseconds = UInt64(seconds * 1e9)
        self.steady = steady
    }
}

extension Duration {
    /// Zero if negative; 292 years at most.
    var nanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0, seconds < 9_000_000_000 else {
            return seconds < 0 ? 0 : UInt64(Int64.max)
        }
        return UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    }
}
