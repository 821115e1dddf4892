/// An HTTP archive as the HAR 1.2 specification writes it.
///
/// Every member that the specification requires is there; what is not known is -1 or empty.
struct HAR: Encodable {
    /// The root of an archive.
    struct Log: Encodable {
        let version = "1.2"
        let creator = Creator()
        let entries: [Entry]
    }

    /// What wrote it.
    struct Creator: Encodable {
        let name = "Godwit"
        let version = "0.1"
    }

    /// One exchange.
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

    /// What was sent. Sizes are bytes, -1 where they are not known.
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

    /// What came back; status 0 where nothing did.
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

    /// A cookie that was sent or set, its value left out.
    struct Cookie: Encodable, Sendable {
        let name: String
        let value: String
        var path: String?
        var domain: String?
        var expires: String?
        var httpOnly: Bool?
        var secure: Bool?
    }

    /// A field, or an item of a query or form.
    struct Pair: Encodable, Sendable {
        let name: String
        let value: String
    }

    /// The content of a request, as far as it is kept.
    struct PostData: Encodable, Sendable {
        let mimeType: String
        let params: [Pair]
        let text: String
        var comment: String?
    }

    /// The content of a response, as far as it is kept; `encoding` is `base64` for what is no text.
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
