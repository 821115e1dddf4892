/// A method of a path.
struct Operation: Sendable, Hashable {
    /// The operationId; `nil` if the document has none.
    var id: String?
    /// In capitals.
    var method: String
    /// `/articles/{id}`
    var path: String
    var tags: [String] = []
    var summary: String?
    var description: String?
    var isDeprecated = false
    /// Those of the path too, in document order: path, query, header and cookie parameters.
    var parameters: [Parameter] = []
    var body: RequestPayload?
    /// In document order.
    var responses: [ResponseDescription] = []
    /// Any one of these is needed; `nil` for those of the API, empty for none.
    var security: [SecurityRequirement]?
    /// Base URLs of this operation alone; empty for those of the API.
    var servers: [Server] = []
    var place: SourcePlace
}

/// A value in the path, the query, a header field or a cookie; also a header field of a response.
struct Parameter: Sendable, Hashable {
    enum Location: String, Sendable, Hashable { case path, query, header, cookie }

    enum Style: String, Sendable, Hashable {
        case matrix, label, simple, form, spaceDelimited, pipeDelimited, deepObject
    }

    var name: String
    var location: Location
    var isRequired = false
    var schema: Schema
    /// The schema as the document has it, with its limits; `nil` without one.
    var source: DocumentNode?
    /// That of the location if the document has none: simple for paths and header fields, form for others.
    var style: Style
    /// Whether each element has its own `name=value`. True for form if the document doesn't say otherwise.
    var explodes: Bool
    var allowsReserved = false
    var allowsEmpty = false
    /// The media type of a value that is serialized by itself (`content` of OpenAPI), such as JSON in the query.
    var mediaType: String?
    var summary: String?
    var isDeprecated = false
    var examples: [Example] = []
}

/// The body of a request.
struct RequestPayload: Sendable, Hashable {
    var isRequired = false
    var summary: String?
    /// In document order: the same body in several media types.
    var contents: [Content]
}

/// A body in one media type.
struct Content: Sendable, Hashable {
    /// In lower case, without parameters: `application/json`, `image/*`.
    var mediaType: String
    var schema: Schema?
    /// The schema of one element or event of a stream (OpenAPI 3.2).
    var itemSchema: Schema?
    /// The schemas as the document has them, with their limits; `nil` without one.
    var source: DocumentNode?
    var itemSource: DocumentNode?
    /// Of the parts of a multipart body or form, by property.
    var encodings: [String: PartEncoding] = [:]
    var examples: [Example] = []
}

/// How a property is sent in a multipart body or form.
struct PartEncoding: Sendable, Hashable {
    /// `nil` if there are several.
    var mediaType: String?
    var style: Parameter.Style?
    var explodes: Bool?
    /// The header fields of a part of a multipart body.
    var headers: [Parameter] = []

    /// Whether it says how a value is written as text; then its media type doesn't count (OpenAPI 3.1, section 4.8.15.1.2).
    var hasStyle: Bool { style != nil || explodes != nil }
}

/// A response for a status, or for several.
struct ResponseDescription: Sendable, Hashable {
    enum Status: Sendable, Hashable {
        case code(Int)
        /// `4XX` is 4.
        case range(Int)
        /// Any status without a description of its own.
        case `default`
    }

    var status: Status
    var summary: String?
    var contents: [Content] = []
    var headers: [Parameter] = []
}

/// A value from the document, or one that was received.
struct Example: Sendable, Hashable {
    var name: String?
    var value: DocumentNode
}
