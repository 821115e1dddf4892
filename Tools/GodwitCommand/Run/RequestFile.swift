import Godwit

/// A parsed file of requests.
struct RequestFile: Sendable {
    let source: RequestFileText
    let entries: [RequestEntry]
}

/// One request of a file, and what its response must be.
struct RequestEntry: Sendable {
    let method: HTTPMethod
    let url: Template
    /// The position of the method.
    let offset: Int
    var fields: [KeyValue] = []
    var query: [KeyValue] = []
    var form: [KeyValue] = []
    var multipart: [FormPart] = []
    var cookies: [KeyValue] = []
    var basicAuth: KeyValue?
    var options: [EntryOption] = []
    var body: FileBody?
    var response: ExpectedResponse?

    /// A line `name: value`.
    struct KeyValue: Sendable {
        let name: Template
        let value: Template

        var templates: [Template] { [name, value] }
    }

    /// A line of `[Multipart]`.
    struct FormPart: Sendable {
        enum Content: Sendable {
            case text(Template)
            case file(Template, type: MediaType?)
        }

        let name: Template
        let content: Content

        var templates: [Template] {
            switch content {
            case .text(let text): [name, text]
            case .file(let path, _): [name, path]
            }
        }
    }

    /// A line of `[Options]`.
    struct EntryOption: Sendable {
        let name: EntryOptions.Name
        let value: Template
        let offset: Int
    }

    /// The templates of the request, in the order in which they are used.
    var requestTemplates: [Template] {
        let pairs = fields + query + form + cookies + [basicAuth].compactMap(\.self)
        return options.map(\.value) + [url] + pairs.flatMap(\.templates) + multipart.flatMap(\.templates)
            + (body?.templates ?? [])
    }
}

/// A body as a file spells it.
enum FileBody: Sendable {
    /// JSON in pieces. The values of variables are escaped in those that are inside of strings.
    case json([JSONPiece])
    case text(Template, type: MediaType?)
    case bytes(Data)
    case file(Template)

    struct JSONPiece: Sendable {
        let template: Template
        let isInString: Bool
    }

    var templates: [Template] {
        switch self {
        case .json(let pieces): pieces.map(\.template)
        case .text(let template, _), .file(let template): [template]
        case .bytes: []
        }
    }

    /// Splits JSON where strings start and end, because values are escaped in strings.
    static func jsonPieces(_ parts: [Template.Part], offset: Int) -> [JSONPiece] {
        var isInString = false
        var isEscaped = false
        return parts.map { part in
            let piece = JSONPiece(template: Template(parts: [part], offset: offset), isInString: isInString)
            guard case .text(let text) = part else { return piece }
            for scalar in text.unicodeScalars {
                if scalar == "\"", !isEscaped { isInString.toggle() }
                isEscaped = isInString && scalar == "\\" && !isEscaped
            }
            return piece
        }
    }

    /// Returns the text of JSON with the values of its variables.
    static func text(of pieces: [JSONPiece], _ variables: Variables) throws(CheckFault) -> String {
        var text = ""
        for piece in pieces {
            text += try piece.template.text(variables) { value in
                piece.isInString ? String(OrderedJSON.quoted(value).dropFirst().dropLast()) : value
            }
            if text.utf8.count > Template.limit {
                throw CheckFault("the body is larger than \(Template.limit >> 20) MB")
            }
        }
        return text
    }
}

/// What a file says about a response.
struct ExpectedResponse: Sendable {
    /// The position of `HTTP`.
    let offset: Int
    /// Such as `HTTP/1.1`; `nil` for any version.
    let version: String?
    /// `nil` for any status.
    let status: Int?
    let statusOffset: Int
    var fields: [RequestEntry.KeyValue] = []
    var captures: [Capture] = []
    var asserts: [Check] = []
    var body: FileBody?
    var bodyOffset = 0

    init(offset: Int, version: String?, status: Int?, statusOffset: Int) {
        self.offset = offset
        self.version = version
        self.status = status
        self.statusOffset = statusOffset
    }
}
