/// An HTTP archive as the HAR 1.2 specification writes it.
///
/// Every member that the specification requires is there; what is not known is -1 or empty.
struct HAR: Encodable {
    struct Log: Encodable {
        let version = "1.2"
        let creator = Creator()
        let entries: [Entry]
    }

    struct Creator: Encodable {
        let name = "Godwit"
        let version = "0.1"
    }

    struct Entry: Encodable, Sendable {
        let startedDateTime: String
        var time: Double
        var request: Request
        var response: Response
        let cache = Cache()
        var timings: Timings
        var serverIPAddress: String?
        var comment: String?
        /// Why there is no response; a member of the browsers' own.
        var _error: String?
        /// Whether the transport has said what the exchange cost.
        var isMeasured = false

        private enum CodingKeys: String, CodingKey {
            case startedDateTime, time, request, response, cache, timings, serverIPAddress, comment, _error
        }
    }

    /// Empty: nothing is known of a cache here.
    struct Cache: Encodable, Sendable {}

    struct Request: Encodable, Sendable {
        let method: String
        let url: String
        var httpVersion: String
        let cookies: [Cookie]
        let headers: [Pair]
        let queryString: [Pair]
        let postData: PostData?
        let headersSize = -1
        var bodySize: Int64
    }

    struct Response: Encodable, Sendable {
        let status: Int
        let statusText: String
        var httpVersion: String
        let cookies: [Cookie]
        let headers: [Pair]
        var content: Content
        let redirectURL: String
        let headersSize = -1
        var bodySize: Int64
    }

    struct Cookie: Encodable, Sendable {
        let name: String
        let value: String
        var path: String?
        var domain: String?
        var expires: String?
        var httpOnly: Bool?
        var secure: Bool?
    }

    struct Pair: Encodable, Sendable {
        let name: String
        let value: String
    }

    struct PostData: Encodable, Sendable {
        let mimeType: String
        let params: [Pair]
        let text: String
        var comment: String?
    }

    struct Content: Encodable, Sendable {
        var size: Int64
        let mimeType: String
        var text: String?
        var encoding: String?
        var comment: String?
    }

    /// Milliseconds; -1 for a phase that did not happen or is not known.
    struct Timings: Encodable, Sendable {
        var blocked: Double = -1
        var dns: Double = -1
        var connect: Double = -1
        var send: Double = 0
        var wait: Double = 0
        var receive: Double = 0
        var ssl: Double = -1
    }

    let log: Log

    init(entries: [Entry]) {
        log = Log(entries: entries)
    }

    /// The archive as a file holds it.
    func encoded() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }
}
