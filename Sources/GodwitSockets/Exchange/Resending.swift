#if os(Linux)
import GodwitCore
import GodwitSupport

/// Decides whether a request that failed without a byte of a response is sent again, on another connection.
///
/// A request that the server did not process is sent again whatever its method (RFC 9113 sections 6.8 and 8.7, RFC 9112 section
/// 9.6). One that it may have processed is sent again only if its method is idempotent or it has an idempotency key.
package struct Resending {
    /// What is known about a sending that failed.
    package enum Evidence: Equatable {
        /// HTTP/2: the server refused the stream, by the GOAWAY or by REFUSED_STREAM.
        case refused(GoAway?)
        /// The server closed a kept connection before a byte of the request reached it.
        case unread
        /// The server answered `Expect: 100-continue` with 417 (RFC 9110 section 10.1.1).
        case expectationFailed
        /// The proxy asked for credentials, and passed nothing on. ``ProxyAttempt`` decides how often it gets them.
        case challenged
        /// The server may have processed the request.
        case unknown
    }

    /// The content of a GOAWAY frame.
    package struct GoAway: Equatable {
        /// The last stream the server may have processed.
        package var lastStream: Int32
        package var code: UInt32

        package init(lastStream: Int32, code: UInt32) {
            self.lastStream = lastStream
            self.code = code
        }

        package static let noError: UInt32 = 0
        package static let enhanceYourCalm: UInt32 = 0xB
    }

    package enum Decision: Equatable {
        case again
        case stop(reason: String)
    }

    /// How often the request was sent again.
    package private(set) var count = 0
    /// How often earlier attempts of the call sent it.
    private let earlier: Int

    /// - Parameter earlier: How often earlier attempts of the call sent the request: they count for the limits.
    package init(after earlier: Int = 0) {
        self.earlier = max(0, earlier)
    }

    /// Whether this was the first sending of the call.
    var isFirst: Bool { count == 0 && earlier == 0 }

    /// Decides about another sending, and counts it.
    ///
    /// - Parameters:
    ///   - evidence: What is known about the last sending.
    ///   - method: The request's method, for the reason.
    ///   - isRepeatable: Whether sending it twice does no harm.
    package mutating func decide(_ evidence: Evidence, method: String, isRepeatable: Bool) -> Decision {
        let decision = decision(evidence, method, isRepeatable)
        if decision == .again, evidence != .challenged { count += 1 }
        return decision
    }

    private func decision(_ evidence: Evidence, _ method: String, _ isRepeatable: Bool) -> Decision {
        switch evidence {
        case .refused(let goAway?) where goAway.code == GoAway.enhanceYourCalm:
            .stop(reason: "the server asked for fewer requests (ENHANCE_YOUR_CALM) and did not process this one")
        case .refused(let goAway) where count.saturatingAdding(earlier) >= Self.limit(for: goAway):
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
        case .refused, .unread, .expectationFailed, .challenged, .unknown: .again
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
        return "the server refused the request \(times == 1 ? "once" : "\(times) times") without processing it (\(how))"
    }
}
#endif
