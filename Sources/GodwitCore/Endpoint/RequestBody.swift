/// The content of an ``Endpoint``: what it is, and how its bytes are made when it is sent.
///
/// ```swift
/// Endpoint<Article>.post("articles", body: .json(draft))
/// Endpoint<AccessToken>.post("login", body: .form(["user": name, "pass": password]))
/// Endpoint<Void>.put("avatar", body: .file(at: photo))
/// Endpoint<Void>.post("avatar", body: .multipart { $0.field("caption", "Me"); $0.file("avatar", at: photo) })
/// ```
///
/// Its `Content-Type` is always sent with it, unless the endpoint's fields name another.
public struct RequestBody: Sendable, Nonisolated {
    /// The value of `Content-Type`.
    public let contentType: String

    private let make: @Sendable (JSONCoding) throws(NetworkError) -> HTTPBody

    private init(
        _ contentType: String, make: @escaping @Sendable (JSONCoding) throws(NetworkError) -> HTTPBody
    ) {
        self.contentType = contentType
        self.make = make
    }

    /// The content as bytes, a file or a stream; values become JSON as the client's coding says.
    ///
    /// Throws `.encoding` for a value that has no JSON and `.file` for a file that cannot be read.
    ///
    /// - Parameter coding: How values become JSON.
    public func encoded(with coding: JSONCoding) throws(NetworkError) -> HTTPBody {
        try make(coding)
    }

    /// A value as JSON, encoded when it is sent, with the client's ``JSONCoding``.
    ///
    /// A value that has no JSON makes the call throw `.encoding`. The type is `application/json`.
    ///
    /// - Parameter value: The value. Turned into JSON for each sending anew.
    public static func json(_ value: some Encodable & Sendable) -> RequestBody {
        RequestBody("application/json") { coding throws(NetworkError) in .bytes(try coding.encode(value)) }
    }

    /// Names and values, as an HTML form sends them; a nil value is left out.
    ///
    /// Spaces become `+` (WHATWG URL section 5). Lists are written as the items' strategy says.
    ///
    /// - Parameter items: Names and values, not encoded.
    public static func form(_ items: QueryItems) -> RequestBody {
        RequestBody("application/x-www-form-urlencoded") { _ throws(NetworkError) in
            .bytes(Data(FormURLEncoded.encode(items).utf8))
        }
    }

    /// Bytes of a type.
    ///
    /// - Parameters:
    ///   - data: The content.
    ///   - type: The value of `Content-Type`.
    public static func data(_ data: Data, type: MediaType = .octetStream) -> RequestBody {
        RequestBody(type.description) { _ throws(NetworkError) in .bytes(data) }
    }

    /// Text in UTF-8.
    ///
    /// - Parameters:
    ///   - text: The content.
    ///   - type: The value of `Content-Type`; the text is sent in UTF-8 whatever it says.
    public static func text(_ text: String, type: MediaType = .text) -> RequestBody {
        RequestBody(type.description) { _ throws(NetworkError) in .bytes(Data(text.utf8)) }
    }

    /// A file, read while it is sent; of the type its extension tells, unless one is given.
    ///
    /// Extensions that are not known give `application/octet-stream`. A file that cannot be opened makes the call throw
    /// `.file` before anything is sent.
    ///
    /// - Parameters:
    ///   - url: The file; opened anew for each sending.
    ///   - type: The value of `Content-Type`; nil takes it from the extension.
    public static func file(at url: URL, type: MediaType? = nil) -> RequestBody {
        let type = type ?? MediaType(forFileExtension: url.pathExtension) ?? .octetStream
        return RequestBody(type.description) { _ throws(NetworkError) in
            _ = try FileReader(FileRegion(url: url, offset: 0, length: nil))
            return .file(at: url)
        }
    }

    /// Any body of a type: a stream, or a part of a file.
    ///
    /// ```swift
    /// Endpoint<Void>.put("videos/1", body: .stream(.file(at: video, range: 0..<1_000_000), type: .octetStream))
    /// ```
    ///
    /// - Parameters:
    ///   - body: The content; whether it can be sent again is up to it.
    ///   - type: The value of `Content-Type`.
    public static func stream(_ body: HTTPBody, type: MediaType = .octetStream) -> RequestBody {
        RequestBody(type.description) { _ throws(NetworkError) in body }
    }

    /// A form with fields and files.
    ///
    /// The boundary is the form's and the same for every sending.
    ///
    /// - Parameter form: The form.
    public static func multipart(_ form: MultipartForm) -> RequestBody {
        RequestBody(form.contentType.description) { _ throws(NetworkError) in try form.body() }
    }

    /// A form with fields and files, filled in by a closure.
    ///
    /// ```swift
    /// Endpoint<Void>.post("photos", body: .multipart { $0.file("photo", at: photo) })
    /// ```
    ///
    /// - Parameter fill: Adds the parts; called once, at once.
    public static func multipart(_ fill: (inout MultipartForm) -> Void) -> RequestBody {
        var form = MultipartForm()
        fill(&form)
        return multipart(form)
    }
}
