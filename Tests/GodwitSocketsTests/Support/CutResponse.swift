import Godwit
import Testing

/// The bytes of a response, and what a client has to make of them when they end early. Stated by hand: it shares nothing with
/// the client's grammar.
struct CutResponse: Sendable, CustomTestStringConvertible {
    /// How a server ends what it sends.
    enum Ending: String, Sendable, CaseIterable {
        /// TCP's end of stream; over TLS without `close_notify`.
        case end
        /// `close_notify`, then TCP's end of stream.
        case closeNotify
        /// A fatal alert of TLS, then TCP's end of stream.
        case alert
        case reset
        /// Nothing, until the client leaves.
        case silence

        /// Whether it completes a body without a length (RFC 9112 sections 6.3 and 9.8).
        func completesBody(isSecure: Bool) -> Bool {
            self == .closeNotify || self == .end && !isSecure
        }
    }

    /// What a call comes to.
    struct Outcome: Sendable, Hashable {
        var status: Int?
        /// The whole body; `nil` if the call fails.
        var body: [UInt8]?
        var trailers: [String: String] = [:]
        /// The label of the error; `nil` if the call succeeds.
        var error: String?
    }

    let name: String
    let method: HTTPMethod
    let bytes: [UInt8]
    private let status: Int
    private let body: [UInt8]
    private let trailers: [String: String]
    /// The numbers of bytes after which the final head is complete, the response is, it is if the connection ends then or later,
    /// and it is known to be invalid. `nil` for never.
    private var headEnd: Int?
    private var completeEnd: Int?
    private var closableEnd: Int?
    private var faultEnd: Int?
    /// The numbers of bytes after which an end of the connection completes it, and none between them.
    private var closableEnds: Set<Int> = []

    /// - Parameter text: Latin-1, with marks: `▸` after the final head, `■` after the response, `◂` from where an orderly end of
    ///   the connection completes it, `●` where it does so, and `✗` after the byte that makes it invalid.
    init(
        _ name: String, _ text: String, to method: HTTPMethod = .get, status: Int = 200, body: String = "",
        trailers: [String: String] = [:]
    ) {
        (self.name, self.method, self.status, self.trailers) = (name, method, status, trailers)
        self.body = Array(body.utf8)
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            switch scalar {
            case "▸": headEnd = bytes.count
            case "■": completeEnd = bytes.count
            case "◂": closableEnd = bytes.count
            case "●": closableEnds.insert(bytes.count)
            case "✗": faultEnd = bytes.count
            default: bytes.append(UInt8(scalar.value))
            }
        }
        self.bytes = bytes
    }

    var testDescription: String { name }

    /// Whether bytes follow its end. If they arrive when the connection serves another exchange, they can't be told from its
    /// response.
    var hasSurplus: Bool { completeEnd.map { $0 < bytes.count } ?? false }

    /// Whether the end of the connection can complete it.
    var endsWithConnection: Bool { closableEnd != nil || !closableEnds.isEmpty }

    /// Whether so many bytes decide what the call comes to, whatever the ending.
    func isDecided(after count: Int) -> Bool { hasReached(completeEnd, count) || hasReached(faultEnd, count) }

    /// What a call comes to after so many bytes and this ending.
    func outcome(after count: Int, _ ending: Ending, isSecure: Bool) -> Outcome {
        let seen = hasReached(headEnd, count) ? status : nil
        if hasReached(faultEnd, count) { return Outcome(status: seen, error: "invalid_response") }
        if hasReached(completeEnd, count) { return Outcome(status: status, body: body, trailers: trailers) }
        if hasReached(closableEnd, count) || closableEnds.contains(count), ending.completesBody(isSecure: isSecure) {
            return Outcome(status: status, body: body.dropLast(bytes.count - count))
        }
        return Outcome(status: seen, error: ending == .silence ? "timed_out.inactivity" : "transport.connection_lost")
    }

    /// Whether bytes of a body that failed are the beginning of the right one.
    func begins(with part: [UInt8]) -> Bool { body.starts(with: part) }

    private func hasReached(_ end: Int?, _ count: Int) -> Bool { end.map { $0 <= count } ?? false }
}
