/// The body of an ``Endpoint``: its type, and how its bytes are made when it is sent.
///
/// ```swift
/// Endpoint<Article>.post("articles", body: .json(draft))
/// Endpoint<AccessToken>.post("login", body: .form(["user": name, "pass": password]))
/// Endpoint<Void>.post("import", body: .jsonArray(articles))
/// Endpoint<Void>.put("avatar", body: .file(at: photo))
/// Endpoint<Void>.post("avatar", body: .multipart { $0.field("caption", "Me"); $0.file("avatar", at: photo) })
/// ```
///
/// Its `Content-Type` is sent unless the endpoint's fields have another.
public struct RequestBody: Sendable, Nonisolated {
    /// The value of `Content-Type`.
    public let contentType: String

    /// Secrets in a body that is a stream.
    let secrets: [String]

    private let make: @Sendable (JSONCoding) throws(NetworkError) -> HTTPBody

    init(
        _ contentType: String, secrets: [String] = [],
        make: @escaping @Sendable (JSONCoding) throws(NetworkError) -> HTTPBody
    ) {
        self.contentType = contentType
        self.secrets = secrets
        self.make = make
    }

    /// The body as bytes, a file or a stream. Values become JSON.
    ///
    /// Throws `.encoding` for a value that can't be encoded, and `.file` for a file that can't be read.
    public func encoded(with coding: JSONCoding) throws(NetworkError) -> HTTPBody {
        try make(coding)
    }

    /// A value as JSON, of type `application/json`, encoded with the client's ``JSONCoding`` when it is sent.
    ///
    /// A value that can't be encoded makes the call throw `.encoding`.
    ///
    /// - Parameter value: The value. Encoded again each time it is sent.
    public static func json(_ value: some Encodable & Sendable) -> RequestBody {
        RequestBody("application/json") { coding throws(NetworkError) in .bytes(try coding.encode(value)) }
    }

    /// Names and values as an HTML form; `nil` values are omitted.
    ///
    /// Spaces become `+` (WHATWG URL section 5). Lists follow the items' strategy.
    public static func form(_ items: QueryItems) -> RequestBody {
        RequestBody("application/x-www-form-urlencoded") { _ throws(NetworkError) in
            .bytes(Data(FormURLEncoded.encode(items).utf8))
        }
    }

    /// Bytes, with their type as `Content-Type`.
    public static func data(_ data: Data, type: MediaType = .octetStream) -> RequestBody {
        RequestBody(type.description) { _ throws(NetworkError) in .bytes(data) }
    }

    /// Text, sent in UTF-8.
    ///
    /// - Parameter type: The value of `Content-Type`. The text is sent in UTF-8 in any case.
    public static func text(_ text: String, type: MediaType = .text) -> RequestBody {
        RequestBody(type.description) { _ throws(NetworkError) in .bytes(Data(text.utf8)) }
    }

    /// A file, read while it is sent; by default of the type of its extension.
    ///
    /// Unknown extensions mean `application/octet-stream`. If a regular file can't be opened, the call throws `.file`
    /// before anything is sent. ``HTTPBody/file(at:)`` says how other files are read.
    ///
    /// - Parameters:
    ///   - url: The file, opened each time it is sent.
    ///   - type: The value of `Content-Type`; `nil` (the default) means the type of the extension.
    public static func file(at url: URL, type: MediaType? = nil) -> RequestBody {
        let type = type ?? MediaType(forFileExtension: url.pathExtension) ?? .octetStream
        return RequestBody(type.description) { _ throws(NetworkError) in
            let body = HTTPBody.file(at: url)
            if case .file(let region) = body.storage { _ = try FileReader(region) }
            return body
        }
    }

    /// Any body: a stream, or a part of a file.
    ///
    /// ```swift
    /// Endpoint<Void>.put("videos/1", body: .stream(.file(at: video, range: 0..<1_000_000), type: .octetStream))
    /// ```
    ///
    /// - Parameter body: The body; it determines whether it can be sent again.
    public static func stream(_ body: HTTPBody, type: MediaType = .octetStream) -> RequestBody {
        RequestBody(type.description) { _ throws(NetworkError) in body }
    }

    /// A form with fields and files.
    ///
    /// The form's boundary is the same each time it is sent.
    public static func multipart(_ form: MultipartForm) -> RequestBody {
        RequestBody(form.contentType.description, secrets: form.secrets) { _ throws(NetworkError) in try form.body() }
    }

    /// A form with fields and files, filled by a closure.
    ///
    /// ```swift
    /// Endpoint<Void>.post("photos", body: .multipart { $0.file("photo", at: photo) })
    /// ```
    ///
    /// - Parameter fill: Adds the parts. Called once, immediately.
    public static func multipart(_ fill: (inout MultipartForm) -> Void) -> RequestBody {
        var form = MultipartForm()
        fill(&form)
        return multipart(form)
    }
}

extension RequestBody: CustomStringConvertible, CustomReflectable {
    /// The type, without the content.
    public var description: String { "RequestBody(\(contentType))" }

    /// The type, so that printing by reflection shows no secret.
    public var customMirror: Mirror { Mirror(self, children: ["contentType": contentType]) }
}
