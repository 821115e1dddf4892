import Godwit
import GodwitTesting

/// Forwards the requests of a proxy's clients (RFC 9110 section 7.6, RFC 9112 section 3.2.2).
struct RecordingProxy: Sendable {
    /// The maximum size of a request's body in bytes.
    static let bodyLimit = 64 << 20
    /// How this proxy names itself, by which it recognizes its own requests.
    private static let name = "1.1 godwit-record"

    private let chain: Chain
    private let log: ServerLog

    init(_ chain: Chain, _ log: ServerLog) {
        self.chain = chain
        self.log = log
    }

    func answer(_ request: MockRequest) async -> MockResponse {
        if request.method == .connect { return tunnel(request) }
        let response = await forwarded(request)
        log.add(request, response.status)
        return response
    }

    /// What passes is encrypted, so that nothing of it can be recorded.
    private func tunnel(_ request: MockRequest) -> MockResponse {
        guard let colon = request.target.lastIndex(of: ":"),
            let port = UInt16(request.target[request.target.index(after: colon)...])
        else { return Self.refusal("CONNECT needs a host and a port", .badRequest) }
        let host = request.target[..<colon].drop { $0 == "[" }.prefix { $0 != "]" }
        log.add("CONNECT \(request.target) passes through unseen; not recorded")
        return .tunnel(to: String(host), port: port)
    }

    private func forwarded(_ request: MockRequest) async -> MockResponse {
        guard !request.target.hasPrefix("/"), let url = request.url else {
            return Self.refusal("this is a proxy: set http_proxy to its URL", .badRequest)
        }
        if request.fields.values(of: .via).contains(where: { $0.contains(Self.name) }) {
            return Self.refusal("the request came through this proxy before", .badRequest)
        }
        guard request.bodyByteCount <= Self.bodyLimit else {
            return Self.refusal("the body is larger than \(Self.bodyLimit) bytes", .contentTooLarge)
        }
        var fields = Self.endToEnd(request.fields)
        for field in fields where field.name.isReservedForTransport { fields.remove(field.name) }
        // The body is recorded and passed on decoded: the transport asks for the codings that it can read.
        fields.remove(.acceptEncoding)
        fields.append(Self.name, for: .via)
        let hasBody = request.fields.contains(.contentLength) || request.fields.contains(.transferEncoding)
        let outgoing = HTTPRequest(
            method: request.method, url: url, fields: fields, body: hasBody ? .bytes(request.body) : nil,
            delivery: .streamed)
        do throws(NetworkError) {
            let response = try await chain.send(outgoing)
            return Self.response(response, to: request.method)
        } catch {
            return Self.refusal(error.description, .badGateway)
        }
    }

    /// The length is that of the decoded body, except where there is none.
    private static func response(_ response: HTTPResponse, to method: HTTPMethod) -> MockResponse {
        var fields = endToEnd(response.head.fields)
        if method != .head, response.head.status != .notModified { fields.remove(.contentLength) }
        return MockResponse(status: response.head.status, fields: fields, body: response.body)
    }

    /// The fields without those of one connection.
    private static func endToEnd(_ fields: HTTPFields) -> HTTPFields {
        let named = fields.values(of: .connection).flatMap { $0.split(separator: ",") }.compactMap {
            HTTPField.Name(String($0.filter { $0 != " " && $0 != "\t" }))
        }
        var fields = fields
        for name in connectionNames + named { fields.remove(name) }
        return fields
    }

    private static let connectionNames: [HTTPField.Name] = [
        "Connection", "Keep-Alive", "Proxy-Connection", "Proxy-Authenticate", "Proxy-Authorization", "TE", "Trailer",
        "Transfer-Encoding", "Upgrade",
    ]

    private static func refusal(_ reason: String, _ status: HTTPStatus) -> MockResponse {
        .text("godwit record: \(reason)\n", status: status)
    }
}

extension HTTPField.Name {
    fileprivate static let via: Self = "Via"
}
