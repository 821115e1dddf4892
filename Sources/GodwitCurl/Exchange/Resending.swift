import CGodwitCurl
import Glibc

/// Decides whether a request that failed without a byte of a response is sent again, on another connection.
///
/// What the server did not process is sent again whatever its method (RFC 9113 sections 6.8 and 8.7, RFC 9112 section
/// 9.6); what it may have processed, only if its method is idempotent or it has an idempotency key.
struct Resending {
    /// What is known about a sending that failed.
    enum Evidence: Equatable {
        /// HTTP/2: the server refused the stream; with the GOAWAY that did it, if one did.
        case refused(GoAway?)
        /// The server closed a kept connection before a byte of the request reached it.
        case unread
        /// The server answered `Expect: 100-continue` with 417 (RFC 9110 section 10.1.1).
        case expectationFailed
        /// The server may have processed the request.
        case unknown
    }

    /// What a GOAWAY frame said.
    struct GoAway: Equatable {
        /// The last stream the server may have processed.
        var lastStream: Int32
        var code: UInt32

        static let noError: UInt32 = 0
        static let enhanceYourCalm: UInt32 = 0xB
    }

    enum Decision: Equatable {
        case again
        case stop(reason: String)
    }

    /// How often the request was sent again.
    private(set) var count = 0

    /// Decides about one more sending, and counts it.
    ///
    /// - Parameters:
    ///   - evidence: What is known about the last one.
    ///   - method: The request's method, for the reason.
    ///   - isRepeatable: Whether sending it twice does no harm.
    mutating func decide(_ evidence: Evidence, method: String, isRepeatable: Bool) -> Decision {
        let decision = decision(evidence, method, isRepeatable)
        if decision == .again { count += 1 }
        return decision
    }

    private func decision(_ evidence: Evidence, _ method: String, _ isRepeatable: Bool) -> Decision {
        switch evidence {
        case .refused(let goAway?) where goAway.code == GoAway.enhanceYourCalm:
            .stop(reason: "the server asked for fewer requests (ENHANCE_YOUR_CALM) and did not process this one")
        case .refused(let goAway) where count >= Self.limit(for: goAway):
            .stop(reason: Self.refusal(by: goAway, times: count + 1))
        case .unread where count >= Self.staleLimit:
            .stop(reason: "\(count + 1) connections closed before they read the request")
        case .expectationFailed where count > 0:
            .stop(reason: "the server failed the expectation twice")
        case .unknown where !isRepeatable:
            .stop(
                reason:
                    "the connection closed before an answer came, and sending a \(method) again could repeat its effect"
            )
        case .refused, .unread, .expectationFailed, .unknown: .again
        }
    }

    /// Each kept connection may turn out to be closed; after this many it is not by accident.
    private static let staleLimit = 6

    /// A server that recycles its connections refuses what does not fit, and makes progress with each; one that serves
    /// nothing on a connection is asked once more. A single refused stream is sent again on a shared connection, and then
    /// on one of its own.
    private static func limit(for goAway: GoAway?) -> Int {
        guard let goAway else { return 2 }
        return goAway.code == GoAway.noError && goAway.lastStream > 0 ? 100 : 1
    }

    private static func refusal(by goAway: GoAway?, times: Int) -> String {
        let how = goAway.map { "GOAWAY, error \($0.code), last stream \($0.lastStream)" } ?? "REFUSED_STREAM"
        return "the server refused the request \(times) times without processing it (\(how))"
    }
}

/// What the kernel knew about a connection when it was closed.
///
/// libcurl closes a connection that turned out to be dead before it says so, and what the kernel knows then is gone. It tells
/// whether the server can have read anything.
struct ClosedConnection: Equatable {
    /// Whether the peer ended its side, and did not merely reset the connection.
    var isEndedByPeer: Bool
    /// Whether it was reset, and only libcurl knows whether the peer had ended its side before.
    var isReset = false
    /// Bytes that the peer never acknowledged.
    var unacknowledged: UInt64
    /// Whether it served one exchange after the other, so that the last bytes are those of one request.
    var isSerial: Bool

    /// Whether the peer closed the connection before the head of the request that was sent last had reached it.
    ///
    /// The peer's end of stream acknowledges all that has reached it. If a byte of the head is missing there, it was sent
    /// before the head was whole. TLS adds up to 29 bytes to each record, and an alert at the end.
    ///
    /// - Parameters:
    ///   - body: The bytes of the request's body that were sent after the head.
    ///   - pieces: In how many pieces, each at most one record of 16 KiB long.
    ///   - isEncrypted: Whether the connection used TLS.
    ///   - error: libcurl's first words about what failed. After the peer's end of stream, reading brings no error and
    ///     writing a broken pipe; after a mere reset, the first of either names it.
    func leftUnread(body: UInt64, pieces: UInt64, isEncrypted: Bool, error: String) -> Bool {
        let isEnded = isEndedByPeer || isReset && !Self.namesReset(error)
        guard isEnded, isSerial else { return false }
        return unacknowledged > body + (isEncrypted ? pieces * 29 + 31 : 0)
    }

    private static func namesReset(_ error: String) -> Bool {
        error.contains(resetText) || error.contains("errno \(ECONNRESET)")
    }

    /// In the words of the system, as libcurl quotes them.
    private static let resetText = String(cString: strerror(ECONNRESET))
}
