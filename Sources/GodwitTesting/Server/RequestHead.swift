import GodwitCore

/// The request line and fields of a request, and what they say about its content.
struct RequestHead: Sendable {
    /// How the end of the content is told (RFC 9112 section 6).
    enum Framing: Sendable, Hashable {
        case none
        case length(Int64)
        case chunked
    }

    var method: HTTPMethod
    var target: String
    var fields: HTTPFields
    var framing: Framing
    /// Whether the client speaks HTTP/1.0, to which neither chunks nor 1xx may be sent.
    var isHTTP10: Bool

    /// Whether the client waits to be asked for the content (RFC 9110 section 10.1.1).
    var expectsContinue: Bool {
        framing != .none && !isHTTP10 && fields[.expect]?.equalsIgnoringASCIICase("100-continue") == true
    }

    /// Whether the connection may serve another request (RFC 9112 section 9.3).
    var keepsAlive: Bool {
        let options = (fields[.connection] ?? "").split(separator: ",").map {
            String($0.filter { $0 != " " && $0 != "\t" }).asciiLowercased
        }
        return isHTTP10 ? options.contains("keep-alive") : !options.contains("close")
    }
}

/// Why a request cannot be served, with the status that says so.
struct RequestFault: Error, Sendable, Hashable {
    let status: HTTPStatus
    let reason: String

    init(_ reason: String, status: HTTPStatus = .badRequest) {
        self.reason = reason
        self.status = status
    }
}
