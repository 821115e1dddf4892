/// A request as a transport sends it: method, URL, header fields, body, and the destination of the response body.
///
/// ```swift
/// var request = HTTPRequest(method: .put, url: url, body: .bytes(data))
/// request.fields[.contentType] = "text/plain"
/// ```
///
/// Copying is cheap: a copy shares everything but the fields until it is changed.
public struct HTTPRequest: Sendable, Nonisolated {
    /// The request's method.
    public var method: HTTPMethod {
        get { box.value.method }
        _modify { yield &box.value.method }
    }

    /// The URL to request.
    public var url: HTTPURL {
        get { box.value.url }
        _modify { yield &box.value.url }
    }

    /// The header fields, except those that frame the message: the transport writes `Host`, `Content-Length` and the
    /// like.
    public var fields: HTTPFields

    /// The body. `nil` sends none.
    public var body: HTTPBody? {
        get { box.value.body }
        _modify { yield &box.value.body }
    }

    /// The destination of the response body.
    public var delivery: Delivery {
        get { box.value.delivery }
        _modify { yield &box.value.delivery }
    }

    /// Options that differ from the defaults.
    public var options: RequestOptions {
        get { box.value.options }
        _modify { yield &box.value.options }
    }

    /// What is known of the secrets of the request's call, apart from the request itself.
    var secrets: CallSecrets? {
        get { box.value.secrets }
        _modify { yield &box.value.secrets }
    }

    /// Everything but the fields, boxed to keep the frames of middlewares small.
    private struct Rest: Sendable {
        var method: HTTPMethod
        var url: HTTPURL
        var body: HTTPBody?
        var delivery: Delivery
        var options: RequestOptions
        var secrets: CallSecrets?
    }

    private var box: Box<Rest>

    /// Creates a request for a parsed URL.
    ///
    /// Nothing is validated here: a transport throws `.invalidRequest` for invalid fields.
    ///
    /// - Parameters:
    ///   - method: The method. GET by default.
    ///   - url: The URL.
    ///   - fields: The header fields, except those that frame the message.
    ///   - body: The body. `nil` sends none.
    ///   - delivery: The destination of the response body: memory, a reader or a file.
    ///   - options: Limits, policies and hooks.
    public init(
        method: HTTPMethod = .get, url: HTTPURL, fields: HTTPFields = [:], body: HTTPBody? = nil,
        delivery: Delivery = .buffered, options: RequestOptions = RequestOptions()
    ) {
        self.fields = fields
        box = Box(Rest(method: method, url: url, body: body, delivery: delivery, options: options))
    }

    /// Creates a request from a string or a Foundation `URL`.
    ///
    /// ```swift
    /// let request = try HTTPRequest(url: "https://api.example.com/v1/articles")
    /// ```
    ///
    /// - Parameters:
    ///   - method: The method. GET by default.
    ///   - url: The URL.
    ///   - fields: The header fields, except those that frame the message.
    ///   - body: The body. `nil` sends none.
    ///   - delivery: The destination of the response body: memory, a reader or a file.
    ///   - options: Limits, policies and hooks.
    /// - Throws: `.invalidURL` if it isn't an `http` or `https` URL.
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

    /// Whether one is an unchanged copy of the other, and therefore equal. `false` doesn't mean that they differ.
    func isCopy(of other: HTTPRequest) -> Bool {
        box.isCopy(of: other.box) && fields.isCopy(of: other.fields)
    }
}

extension HTTPRequest: CustomStringConvertible, CustomReflectable {
    /// The method and URL, with secrets redacted.
    public var description: String {
        "\(method) \(shownURL)"
    }

    /// The method, URL and header fields, with secrets redacted. Without the body.
    public var customMirror: Mirror {
        Mirror(self, children: ["method": method, "url": shownURL, "fields": fields])
    }

    /// The URL without secrets. That of a redirect can repeat what the call sent before.
    private var shownURL: String {
        secrets == nil ? RedactedURL(url).description : Redaction().adding(self).foreignURL(url)
    }
}

extension HTTPRequest {
    /// The reason why the request can't be sent. `nil` if it can.
    package var fieldFault: NetworkError.Kind? {
        guard let field = fields.firstFault else {
            return body?.trailerNames?.first { !$0.isValid || !$0.isAllowedInTrailers }?.trailerFault
        }
        if !field.name.isValid {
            // A whole line in place of a name has a value.
            let name = field.name.rawName.prefix { $0 != ":" && $0 != "=" }
            return .invalidRequest(reason: "\"\(name)\" is not a field name")
        }
        if !field.isValid { return .invalidRequest(reason: "the value of \(field.name) holds CR, LF or NUL") }
        return .invalidRequest(reason: "\(field.name) is written by the transport; leave it out")
    }
}

/// The destination of a response body.
///
/// ```swift
/// let request = HTTPRequest(url: url, delivery: .file(destination))
/// ```
public enum Delivery: Sendable {
    /// Collects the body in memory and returns once it is complete. A larger body throws `.tooLarge`.
    case buffered(limit: Int)

    /// Streams the body and returns once the response head has arrived. A slow reader slows down the server.
    case streamed

    /// Writes the body to this file, creating or replacing it, and returns once it is complete. Only a successful (2xx)
    /// body is written; any other is buffered, so that you can read it. A device is written to; for a pipe, the call throws
    /// `.file`.
    case file(URL)

    /// Collects up to 64 MiB in memory.
    public static let buffered = Delivery.buffered(limit: defaultBufferLimit)

    /// 64 MiB.
    package static let defaultBufferLimit = 64 << 20
}
