/// A form with fields and files, as `multipart/form-data` (RFC 7578).
///
/// ```swift
/// var form = MultipartForm()
/// form.field("caption", "Me")
/// form.file("avatar", at: photo)
/// let endpoint = Endpoint<Void>.post("avatar", body: .multipart(form))
/// ```
///
/// Files are read in blocks while the form is sent and never held as a whole; where every part's length is known,
/// `Content-Length` is sent. A form can be sent again as long as its streams can. Names may hold anything: quotes and
/// line breaks are escaped as browsers do.
public struct MultipartForm: Sendable, Nonisolated {
    struct Part: Sendable {
        let header: MultipartPart
        let content: HTTPBody
    }

    private let framing: MultipartFraming
    private(set) var parts: [Part] = []

    /// Makes an empty form with a random boundary.
    public init() {
        var generator = SystemRandomNumberGenerator()
        framing = MultipartFraming(using: &generator)
    }

    /// Makes an empty form with a boundary that comes from a generator, for tests that compare bytes.
    ///
    /// - Parameter generator: Where the boundary comes from.
    public init(using generator: inout some RandomNumberGenerator) {
        framing = MultipartFraming(using: &generator)
    }

    /// The value of `Content-Type`, with the boundary.
    public var contentType: MediaType { framing.contentType }

    /// Adds a field with a text.
    ///
    /// No `Content-Type` is written for the part: receivers take it as text.
    ///
    /// - Parameters:
    ///   - name: The name of the form field.
    ///   - value: Its text, sent in UTF-8.
    public mutating func field(_ name: String, _ value: String) {
        add(MultipartPart(name: name), .bytes(Data(value.utf8)))
    }

    /// Adds a field with any value that can stand in a query; a list adds one field for each element, nil adds none.
    ///
    /// - Parameters:
    ///   - name: The name of the form field.
    ///   - value: What it holds; `form.field("tag", ["sea", "sky"])` makes two fields.
    public mutating func field(_ name: String, _ value: (any QueryConvertible)?) {
        var items = QueryItems()
        items.append(name, value)
        for item in items.items { field(item.name, item.value ?? "") }
    }

    /// Adds bytes, as a file where a file name is given.
    ///
    /// - Parameters:
    ///   - name: The name of the form field.
    ///   - fileName: What receivers take for the file's name; nil for a part that is no file.
    ///   - type: The part's `Content-Type`; nil writes none.
    public mutating func data(_ name: String, _ data: Data, fileName: String? = nil, type: MediaType? = nil) {
        add(MultipartPart(name: name, fileName: fileName, contentType: type), .bytes(data))
    }

    /// Adds a file under its own name and the type its extension tells, unless others are given.
    ///
    /// The file is opened when the form is sent; one that cannot be read throws `.file` then. A file of no known
    /// extension is `application/octet-stream`.
    ///
    /// - Parameters:
    ///   - name: The name of the form field.
    ///   - url: The file.
    ///   - fileName: What receivers take for its name; its own by default.
    ///   - type: The part's `Content-Type`; by its extension by default.
    public mutating func file(_ name: String, at url: URL, fileName: String? = nil, type: MediaType? = nil) {
        let type = type ?? MediaType(forFileExtension: url.pathExtension) ?? .octetStream
        add(MultipartPart(name: name, fileName: fileName ?? url.lastPathComponent, contentType: type), .file(at: url))
    }

    /// Adds any body, such as a stream, as a file.
    ///
    /// A body that can be read once makes the form one that can be sent once. The type is `application/octet-stream`,
    /// unless one is given.
    ///
    /// - Parameters:
    ///   - name: The name of the form field.
    ///   - body: The content of the part.
    ///   - fileName: What receivers take for its name.
    ///   - type: The part's `Content-Type`.
    public mutating func stream(_ name: String, _ body: HTTPBody, fileName: String, type: MediaType? = nil) {
        add(MultipartPart(name: name, fileName: fileName, contentType: type ?? .octetStream), body)
    }

    private mutating func add(_ header: MultipartPart, _ content: HTTPBody) {
        parts.append(Part(header: header, content: content))
    }

    /// The form as a stream of chunks.
    ///
    /// Throws `.file` where a file cannot be read now, and `.encoding` for a part whose fields cannot be sent.
    func body() throws(NetworkError) -> HTTPBody {
        var segments: [MultipartSegment] = []
        for part in parts {
            segments.append(.frame(try opening(of: part)))
            segments.append(.content(try Self.pinned(part.content)))
            segments.append(.frame(MultipartFraming.partEnd))
        }
        segments.append(.frame(framing.closing))
        let length = Self.length(of: segments)
        guard parts.allSatisfy(\.content.isReplayable) else {
            return .stream(once: MultipartChunks(segments: segments), length: length)
        }
        return .stream(length: length) { [segments] in MultipartChunks(segments: segments) }
    }

    private func opening(of part: Part) throws(NetworkError) -> Data {
        do throws(InvalidPart) {
            return try framing.opening(of: part.header)
        } catch {
            throw NetworkError(.encoding(reason: error.reason), phase: .building, underlying: error)
        }
    }

    /// A file as long as it is now, so that one that grows while it is sent does not outgrow the length announced.
    private static func pinned(_ content: HTTPBody) throws(NetworkError) -> HTTPBody {
        guard case .file(let region) = content.storage else { return content }
        return .file(at: region.url, range: region.offset..<region.offset + (try FileReader(region).remaining))
    }

    /// The length of the whole; nil where a stream's is unknown.
    private static func length(of segments: [MultipartSegment]) -> Int64? {
        var total: Int64 = 0
        for segment in segments {
            guard let length = segment.length else { return nil }
            let (sum, overflows) = total.addingReportingOverflow(length)
            guard !overflows else { return nil }
            total = sum
        }
        return total
    }
}
