import GodwitWire

/// One exchange with a server, as far as it is known: an API is inferred from several of them.
///
/// A sample can be as little as a file with an answer. Whatever is `nil` or empty is unknown, and nothing is inferred
/// from it. Credentials in a sample never reach what is generated.
public struct Sample: Sendable, Hashable {
    /// A header field.
    public struct Field: Sendable, Hashable {
        /// The name, in any case.
        public var name: String
        /// The value of the field.
        public var value: String

        /// Creates a header field.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// A field of a form, or a part of a multipart body.
    public struct Part: Sendable, Hashable {
        /// The name of the form's field, or of the part.
        public var name: String
        /// The text; `nil` for a file, and if it is unknown.
        public var value: String?
        /// The name of the file; `nil` if the value isn't a file.
        public var fileName: String?
        /// The media type of the part; `nil` if unknown.
        public var mediaType: String?

        /// Creates a field of a form, or a part of a multipart body.
        public init(_ name: String, value: String? = nil, fileName: String? = nil, mediaType: String? = nil) {
            self.name = name
            self.value = value
            self.fileName = fileName
            self.mediaType = mediaType
        }
    }

    /// The method; `nil` for GET.
    public var method: String?
    /// A URL, or a path with or without a query; `nil` if the name of the answer's file says it.
    public var target: String?
    /// The header fields of the request, as far as they are known.
    public var requestFields: [Field] = []
    /// The request body; `nil` if unknown, or if ``form`` has its fields.
    public var requestBody: SourceFile?
    /// The fields of a form, if they are known one by one; ``requestBody`` is `nil` then.
    public var form: [Part] = []
    /// The status code of the response; `nil` if unknown.
    public var status: Int?
    /// The header fields of the response, as far as they are known.
    public var responseFields: [Field] = []
    /// The response body; `nil` if unknown.
    public var responseBody: SourceFile?

    /// Creates a sample from what is known of the exchange.
    public init(_ method: String? = nil, _ target: String? = nil, status: Int? = nil, answer: SourceFile? = nil) {
        self.method = method
        self.target = target
        self.status = status
        responseBody = answer
    }
}

extension Sample {
    /// The type that the extension of a file says: none for an unknown one, and for JSON that is called a text.
    static func fields(for file: SourceFile?) -> [Field] {
        guard let file, let type = usualType(ofFile: file.name) else { return [] }
        let first = file.data.first { $0 > 0x20 }
        if type.hasPrefix("text/"), first == UInt8(ascii: "{") || first == UInt8(ascii: "[") { return [] }
        return [Field("Content-Type", type)]
    }

    static func usualType(ofFile name: String) -> String? {
        let last = name.split(separator: "/").last ?? ""
        let type = last.lastIndex(of: ".").flatMap { MediaType(forFileExtension: String(last[$0...].dropFirst())) }
        return type?.essence
    }

    /// The media type of a list of fields: in lower case, without parameters.
    static func mediaType(_ fields: [Field]) -> String? {
        value("content-type", in: fields).map(mediaType)
    }

    static func mediaType(_ text: String) -> String {
        let type = text.prefix { $0 != ";" }
        return type.lowercased().split { $0 == " " || $0 == "\t" }.joined()
    }

    static func value(_ name: String, in fields: [Field]) -> String? {
        fields.first { $0.name.lowercased() == name }?.value
    }

    /// The file that messages name; the name of the command line if there is none.
    var fileName: String { responseBody?.name ?? requestBody?.name ?? "samples" }
}
