#if os(Linux)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif
import CGodwitCurl

/// Decides whether a request that failed without a byte of a response is sent again, on another connection.
///
/// A request that the server did not process is sent again whatever its method (RFC 9113 sections 6.8 and 8.7, RFC 9112 section
/// 9.6). One that it may have processed is sent again only if its method is idempotent or it has an idempotency key.
struct Resending {
    /// What is known about a sending that failed.
    enum Evidence: Equatable {
        /// HTTP/2: the server refused the stream, by the GOAWAY or by REFUSED_STREAM.
        case refused(GoAway?)
        /// The server closed a kept connection before a byte of the request reached it.
        case unread
        /// The server answered `Expect: 100-continue` with 417 (RFC 9110 section 10.1.1).
        case expectationFailed
        /// The server may have processed the request.
        case unknown
    }

    /// The content of a GOAWAY frame.
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

    /// Decides about another sending, and counts it.
    ///
    /// - Parameters:
    ///   - evidence: What is known about the last sending.
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

    /// Each kept connection may turn out to be closed, but so many in a row are not a coincidence.
    private static let staleLimit = 6

    /// A server that recycles its connections makes progress with each (decision 024). One that served nothing on a connection
    /// gets the request once more, and one that refused a single stream twice more.
    private static func limit(for goAway: GoAway?) -> Int {
        guard let goAway else { return 2 }
        return goAway.code == GoAway.noError && goAway.lastStream > 0 ? 100 : 1
    }

    private static func refusal(by goAway: GoAway?, times: Int) -> String {
        let how = goAway.map { "GOAWAY, error \($0.code), last stream \($0.lastStream)" } ?? "REFUSED_STREAM"
        return "the server refused the request \(times) times without processing it (\(how))"
    }
}

/// The kernel's figures of a connection when it was closed. They tell whether the server can have read the request.
///
/// libcurl closes a dead connection before it reports the failure, and then the figures are gone (decision 023).
struct ClosedConnection: Equatable {
    var end: godwit_peer_end
    /// Bytes that the peer never acknowledged.
    var unacknowledged: UInt64
    /// The bytes of the request's body that were sent after the head. Only known while the connection closes: libcurl counts from
    /// zero when it sends the request again by itself.
    var body: UInt64
    /// The number of records, of at most 16 KiB, that they were sent in.
    var pieces: UInt64

    /// Whether the peer closed the connection before the head of the request that was sent last had reached it.
    ///
    /// The peer's end of stream acknowledges all that has reached it. If it doesn't acknowledge a byte of the head, it was sent
    /// before the head was complete. TLS adds up to 29 bytes to each record, and an alert at the end.
    ///
    /// - Parameters:
    ///   - isEncrypted: Whether the connection used TLS.
    ///   - message: libcurl's first message about the failure; empty if there is none, or it may be about another connection.
    ///     After the peer's end of stream, reading returns no error and writing a broken pipe; after a mere reset, the first
    ///     error of either names the reset.
    func leftUnread(isEncrypted: Bool, message: String) -> Bool {
        let isEnded =
            end == godwit_end_of_stream
            || end == godwit_end_untold && !message.isEmpty && !Self.namesReset(message)
        return isEnded && unacknowledged > body + (isEncrypted ? pieces * 29 + 31 : 0)
    }

    private static func namesReset(_ message: String) -> Bool {
        message.contains(resetText) || message.contains("errno \(ECONNRESET)")
    }

    /// The system's text, which libcurl quotes.
    private static let resetText = String(cString: strerror(ECONNRESET))
}
#endif
