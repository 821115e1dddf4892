/// A static member of `Endpoint`.
struct OperationPlan: Sendable, Hashable {
    /// The name in Swift, without backticks. Unique together with the parameters' labels, and alone.
    var name: String
    /// In capitals.
    var method: String
    var path: [PathPart]
    /// Items of the query that are written in the document's path: `/responses?beta=true`.
    var fixedQuery: [FixedItem] = []
    /// Required ones first; the body, if any, follows the required ones.
    var parameters: [ParameterPlan] = []
    var body: BodyPlan?
    var response: ResponsePlan
    /// The member of the JSON that the response is decoded from, if it is the only one: `data`.
    var envelope: String?
    /// The media types that the response is read from, if they aren't what the client asks for by itself.
    var accept: String?
    /// The content of the response that this endpoint reads, if it isn't the main one of the operation.
    var variant: Content?
    /// Whether a success without a body is `nil`.
    var mayBeEmpty = false
    /// Error responses with a JSON body, by status: `404`, `4XX` or `default`.
    var failures: [Failure] = []
    var authentication: Authentication
    var paging: PagingPlan?
    /// The base URL of this operation alone.
    var server: EnvironmentPlan?
    /// The names of the API's environments whose servers are also the operation's.
    var ownEnvironments: [String] = []
    var summary: String?
    var isDeprecated = false
    /// What it was made of, with the examples.
    var source: Operation

    /// What the response can be read from, the preferred content first.
    var answers: [Content] { variant.map { [$0] } ?? OperationPlanner.answers(of: source) }

    enum PathPart: Sendable, Hashable {
        /// As in the document, with slashes.
        case text(String)
        /// The name of a parameter in Swift.
        case parameter(String)
    }

    struct FixedItem: Sendable, Hashable {
        var key: String
        var value: String
    }

    enum Authentication: Sendable, Hashable {
        /// As the client is configured.
        case inherited
        /// `unauthenticated()`: the operation needs no credential.
        case unneeded
    }

    struct Failure: Sendable, Hashable {
        var status: String
        var type: SwiftType?
        var summary: String?
    }
}

/// A parameter of an operation's function.
struct ParameterPlan: Sendable, Hashable {
    /// The name and label in Swift, without backticks.
    var name: String
    /// The name in the request.
    var key: String
    var location: Parameter.Location
    /// Optional unless it is required.
    var type: SwiftType
    var serialization: Serialization
    var summary: String?
    /// How the value is written in a path.
    var style = Parameter.Style.form

    enum Serialization: Sendable, Hashable {
        /// One text. In a path it is percent-encoded.
        case text
        /// `tag=a&tag=b`
        case repeated
        /// `tag=a,b`, or with another separator.
        case joined(separator: String)
        /// `filter[name]=value`: the properties of an object, by key in JSON and name in Swift.
        case deepObject([Member])
        /// `name=value&other=value`: the properties of an object.
        case exploded([Member])
        /// JSON as text; a single text without its quotes, unless the parameter has a media type.
        case json
        /// `filter[a][b]=value`, `list[]=value`: any value, by what it is when it is sent.
        case deep
        /// `name=value` for a text, `x=1&y=2` for an object: any value, by what it is when it is sent.
        case members
        /// One text for any value: `a,b`, or `x,1,y,2`, which is `x=1,y=2` if it explodes.
        case flat(separator: String, explodes: Bool)
    }

    struct Member: Sendable, Hashable {
        /// The name in the request.
        var key: String
        /// The property of the type.
        var property: String
    }
}

/// The body of an operation.
struct BodyPlan: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        /// An argument of a type, encoded as JSON. The media type is kept if it isn't `application/json`.
        case json(SwiftType, mediaType: String)
        /// `application/x-www-form-urlencoded`, with an argument for each field.
        case form([FieldPlan])
        /// `multipart/form-data`, with an argument for each part.
        case multipart([FieldPlan])
        /// An argument of type `String`.
        case text(mediaType: String)
        /// An argument of type `HTTPBody`.
        case stream(mediaType: String)
        /// An argument with a sequence of values, each on its line (NDJSON).
        case lines(SwiftType, mediaType: String)
    }

    var kind: Kind
    /// The name of the argument, for kinds with only one.
    var name: String
    var isRequired: Bool
    var summary: String?
    /// The name of the argument with the media type, for a body of any type, such as `image/*`.
    var typeName: String?
}

/// A field of a form, or a part of a multipart body.
struct FieldPlan: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        /// A `QueryConvertible` value.
        case value
        /// A file: an argument of type `MultipartFile`, which is generated.
        case file
        /// Files under one name.
        case files
        /// A value that is sent as JSON; text and the elements of an array without quotes.
        case json
        /// A value that is sent as JSON, whatever it is.
        case jsonText
        /// Values that are sent as parts with JSON, one by one.
        case jsonParts
        /// Text with a media type of its own.
        case text
        /// `filter[a][b]=value`
        case deep
        /// `x=1&y=2`: the members of an object.
        case members
        /// One text for all elements: `a,b`.
        case joined(separator: String)
        /// One text for any value: `a,b`, or `x,1,y,2`.
        case flat(separator: String)

        /// Whether the value's items are known only when it is sent.
        var isItems: Bool { self == .deep || self == .members }
    }

    /// The name and label in Swift, without backticks.
    var name: String
    /// The name in the request.
    var key: String
    var type: SwiftType
    var kind: Kind
    var mediaType: String?
    /// The header fields of a part.
    var headers: [ParameterPlan] = []
    var summary: String?

    /// The arguments for it.
    var arguments: [(name: String, type: SwiftType, summary: String?)] {
        [(name, type, summary)] + headers.map { ($0.name, $0.type, $0.summary) }
    }
}

/// What an operation returns.
enum ResponsePlan: Sendable, Hashable {
    /// `Endpoint<Void>`
    case none
    /// Decoded from JSON.
    case json(SwiftType)
    /// `Endpoint<String>`
    case text(mediaType: String)
    /// `Endpoint<Data>`; large ones are streamed or downloaded with the same endpoint.
    case data(mediaType: String)
    /// Server-sent events, each with JSON of a type; `nil` for text. The end marker (`[DONE]`) if one is known.
    case events(SwiftType?, marker: String?)
    /// Lines of JSON.
    case lines(SwiftType?)
    /// An enum, as successes have different bodies.
    case byStatus(ResponsesPlan)
}

/// How the pages of a list follow each other.
struct PagingPlan: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        /// The parameter that takes the number, the number of the first page, and whether a page `$0` is the last one.
        case numbers(parameter: String, first: Int? = nil, until: String? = nil)
        /// A parameter for the offset, and one for the limit.
        case offsets(offset: String, limit: String?)
        /// A parameter for the cursor, and the path of properties to the next cursor in the page.
        case cursor(parameter: String, next: [String])
        /// A parameter for the identifier of the last element, and whether a page `$0` has another one after it.
        case lastElement(parameter: String, id: String, hasMore: String)
        /// The path of properties to the URL of the next page.
        case urls(next: [String])
        /// The `Link` field of responses (RFC 8288).
        case links
    }

    var kind: Kind
    /// The path of properties from the response to its elements; empty if the response is the array itself.
    var items: [String]
    var item: SwiftType
    /// Why it is taken for a list of pages, for `GENERATED.md`.
    var reason: String
}
