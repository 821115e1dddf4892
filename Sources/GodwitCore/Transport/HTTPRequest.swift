/// A request as a transport sends it: method, URL, fields, body, and where the response body shall go.
///
/// ```swift
/// var request = HTTPRequest(method: .put, url: url, body: .bytes(data))
/// request.fields[.contentType] = "text/plain"
/// ```
///
/// A copy costs little: URL and options are shared until they are changed.
public struct HTTPRequest: Sendable {
    /// The method.
    public var method: HTTPMethod

    /// The URL.
    public var url: HTTPURL

    /// The fields, without those that frame the message; the transport writes `Host`, `Content-Length` and their like.
    public var fields: HTTPFields

    /// The content, or nil for none.
    public var body: HTTPBody?

    /// Where the response body goes.
    public var delivery: Delivery

    /// What this one request wants otherwise than the defaults.
    public var options: RequestOptions {
        get { sharedOptions.value }
        set { sharedOptions = Shared(newValue) }
    }

    private var sharedOptions: Shared<RequestOptions>

    /// Makes a request.
    ///
    /// Nothing is checked here; a transport refuses fields that cannot be sent with `.invalidRequest`.
    ///
    /// - Parameters:
    ///   - method: The method; GET by default.
    ///   - url: Where it goes.
    ///   - fields: The fields; those that frame the message are the transport's.
    ///   - body: The content; nil sends none.
    ///   - delivery: Where the content of the answer goes: into memory, to a reader, or to a file.
    ///   - options: Limits, policies and hooks.
    public init(
        method: HTTPMethod = .get, url: HTTPURL, fields: HTTPFields = [:], body: HTTPBody? = nil,
        delivery: Delivery = .buffered, options: RequestOptions = RequestOptions()
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
        self.delivery = delivery
        sharedOptions = Shared(options)
    }
}

extension HTTPRequest: CustomStringConvertible, CustomReflectable {
    /// The request line, without values that may hold secrets.
    public var description: String {
        "\(method) \(RedactedURL(url))"
    }

    /// The request line and the fields, without values that may hold secrets; no content.
    public var customMirror: Mirror {
        Mirror(self, children: ["method": method, "url": "\(RedactedURL(url))", "fields": fields])
    }
}

extension HTTPRequest {
    /// Why no transport may send this request, or nil where it can be sent.
    package var fieldFault: NetworkError.Kind? {
        for field in fields {
            if !field.name.isValid { return .invalidRequest(reason: "\"\(field.name)\" is not a field name") }
            if !field.isValid { return .invalidRequest(reason: "the value of \(field.name) holds CR, LF or NUL") }
            if field.name.isReservedForTransport {
                return .invalidRequest(reason: "\(field.name) is written by the transport; leave it out")
            }
        }
        return nil
    }
}
