import GodwitSupport

/// The parts of an HTTP archive (HAR 1.2 specification).
///
/// All required members are present; unknown values are -1 or empty.
enum HAR {
    /// What precedes the entries of an archive.
    static let head = Data(
        #"{"log":{"version":"1.2","creator":{"name":"Godwit","version":"\#(LibraryVersion.current)"},"entries":[\#n"#
            .utf8)
    /// What stands between two entries.
    static let separator = Data(",\n".utf8)
    /// What follows the entries.
    static let tail = Data("\n]}}\n".utf8)

    /// One exchange.
    struct Entry: Encodable, Sendable {
        let startedDateTime: String
        var time: Double
        var request: Request
        var response: Response
        let cache = Cache()
        var timings: Timings
        var serverIPAddress: String?
        /// The client's port, which tells the connections of a server apart.
        var connection: String?
        var comment: String?
        /// Why the response is missing; a member that browsers add.
        var _error: String?
        /// Whether the transport has reported metrics.
        var isMeasured = false

        private enum CodingKeys: String, CodingKey {
            case startedDateTime, time, request, response, cache, timings, serverIPAddress, connection, comment, _error
        }

        /// The approximate bytes in memory.
        var weight: Int {
            1024 + (request.postData?.text.utf8.count ?? 0) + (response.content.text?.utf8.count ?? 0)
        }
    }

    /// Empty, as the state of caches is unknown.
    struct Cache: Encodable, Sendable {}

    /// What was sent. Sizes are in bytes, or -1 if unknown.
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

    /// What was received; status 0 without a response.
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

    /// A cookie that was sent or set, without its value.
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

    /// The recorded part of a request's body.
    struct PostData: Encodable, Sendable {
        let mimeType: String
        let params: [Pair]
        let text: String
        var comment: String?
    }

    /// What is recorded of a request's body. The size is -1 if unknown.
    struct SentBody: Sendable {
        let data: PostData?
        let size: Int64
    }

    /// The recorded part of a response's body. `encoding` is `base64` if it isn't text.
    struct Content: Encodable, Sendable {
        var size: Int64
        let mimeType: String
        var text: String?
        var encoding: String?
        var comment: String?
    }

    /// In milliseconds; -1 for a phase that is unknown or didn't happen.
    struct Timings: Encodable, Sendable {
        var blocked: Double = -1
        var dns: Double = -1
        var connect: Double = -1
        var send: Double = 0
        var wait: Double = 0
        var receive: Double = 0
        var ssl: Double = -1
    }

    /// Each entry as JSON.
    static func encoded(_ entries: [Entry]) throws -> [Data] {
        var encoder = JSONModelEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try entries.map { try encoder.encode($0) }
    }
}
