import GodwitWire

/// One exchange with a server, as far as it is known: an API is inferred from several of them.
///
/// A sample can be as little as a file with an answer. Whatever is `nil` or empty is unknown, and nothing is inferred
/// from it. Credentials in a sample never reach what is generated.
public struct Sample: Sendable, Hashable {
    /// A header field.
    public struct Field: Sendable, Hashable {
        public var name: String
        public var value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// A field of a form, or a part of a multipart body.
    public struct Part: Sendable, Hashable {
        public var name: String
        /// `nil` for a file, and if the value is unknown.
        public var value: String?
        public var fileName: String?
        public var mediaType: String?

        public init(_ name: String, value: String? = nil, fileName: String? = nil, mediaType: String? = nil) {
            self.name = name
            self.value = value
            self.fileName = fileName
            self.mediaType = mediaType
        }
    }

    /// `nil` for GET.
    public var method: String?
    /// A URL, or a path with or without a query; `nil` if the name of the answer's file says it.
    public var target: String?
    public var requestFields: [Field] = []
    public var requestBody: SourceFile?
    /// The fields of a form, if they are known one by one; ``requestBody`` is `nil` then.
    public var form: [Part] = []
    public var status: Int?
    public var responseFields: [Field] = []
    public var responseBody: SourceFile?

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
