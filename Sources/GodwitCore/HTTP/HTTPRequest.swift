/// A request as a transport sends it: method, URL, fields, body, and where the response body shall go.
///
/// ```swift
/// var request = HTTPRequest(method: .put, url: url, body: .bytes(data))
/// request.fields[.contentType] = "text/plain"
/// ```
///
/// A copy costs little: all but the fields, which change most often on the way, is shared until it is changed.
public struct HTTPRequest: Sendable, Nonisolated {
    /// The method.
    public var method: HTTPMethod {
        get { box.value.method }
        set { box.change { $0.method = newValue } }
    }

    /// The URL.
    public var url: HTTPURL {
        get { box.value.url }
        set { box.change { $0.url = newValue } }
    }

    /// The fields, without those that frame the message; the transport writes `Host`, `Content-Length` and their like.
    public var fields: HTTPFields

    /// The content, or nil for none.
    public var body: HTTPBody? {
        get { box.value.body }
        set { box.change { $0.body = newValue } }
    }

    /// Where the response body goes.
    public var delivery: Delivery {
        get { box.value.delivery }
        set { box.change { $0.delivery = newValue } }
    }

    /// What this one request wants otherwise than the defaults.
    public var options: RequestOptions {
        get { box.value.options }
        set { box.change { $0.options = newValue } }
    }

    /// All but the fields. Requests live in the frames of every middleware, which this keeps small.
    private struct Rest: Sendable {
        var method: HTTPMethod
        var url: HTTPURL
        var body: HTTPBody?
        var delivery: Delivery
        var options: RequestOptions
    }

    private var box: Box<Rest>

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
        self.fields = fields
        box = Box(Rest(method: method, url: url, body: body, delivery: delivery, options: options))
    }

    /// Makes a request to a URL that is read first: a string or a Foundation `URL`.
    ///
    /// ```swift
    /// let request = try HTTPRequest(url: "https://api.example.com/v1/articles")
    /// ```
    ///
    /// - Parameters:
    ///   - method: The method; GET by default.
    ///   - url: Where it goes.
    ///   - fields: The fields; those that frame the message are the transport's.
    ///   - body: The content; nil sends none.
    ///   - delivery: Where the content of the answer goes: into memory, to a reader, or to a file.
    ///   - options: Limits, policies and hooks.
    /// - Throws: `.invalidURL` with the reason if it is not an `http` or `https` URL.
    @_disfavoredOverload
    public init(
        method: HTTPMethod = .get, url: some HTTPURLConvertible, fields: HTTPFields = [:], body: HTTPBody? = nil,
        delivery: Delivery = .buffered, options: RequestOptions = RequestOptions()
    ) throws(NetworkError) {
        do throws(InvalidURL) {
            self.init(
                method: method, url: try url.httpURL(), fields: fields, body: body, delivery: delivery,
                options: options)
        } catch {
            throw NetworkError(.invalidURL(reason: error.reason), phase: .building, underlying: error)
        }
    }

    /// Whether one is a copy of the other, neither changed since: then they are the same. False says nothing.
    func isCopy(of other: HTTPRequest) -> Bool {
        box.isCopy(of: other.box) && fields.isCopy(of: other.fields)
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
        guard let field = fields.firstFault else { return nil }
        if !field.name.isValid { return .invalidRequest(reason: "\"\(field.name)\" is not a field name") }
        if !field.isValid { return .invalidRequest(reason: "the value of \(field.name) holds CR, LF or NUL") }
        return .invalidRequest(reason: "\(field.name) is written by the transport; leave it out")
    }
}

/// Where a response body goes.
///
/// ```swift
/// let request = HTTPRequest(url: url, delivery: .file(destination))
/// ```
public enum Delivery: Sendable {
    /// Into memory; the response returns when the body is complete. A body of more bytes than the limit throws
    /// `.tooLarge`.
    case buffered(limit: Int)

    /// To the caller as it arrives; the response returns when its head is in. A slow reader slows the server.
    case streamed

    /// Straight into the file at this URL, which is created or replaced; the response returns when the file is
    /// complete. Only a successful (2xx) body is written: any other is small, and buffered so that it can be read.
    case file(URL)

    /// Into memory, with the default limit of 64 MiB.
    public static let buffered = Delivery.buffered(limit: defaultBufferLimit)

    /// 64 MiB.
    package static let defaultBufferLimit = 64 << 20
}
