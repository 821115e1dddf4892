/// A form with fields and files, as `multipart/form-data` (RFC 7578).
///
/// ```swift
/// var form = MultipartForm()
/// form.field("caption", "Me")
/// form.file("avatar", at: photo)
/// let endpoint = Endpoint<Void>.post("avatar", body: .multipart(form))
/// ```
///
/// Files are read in blocks while the form is sent. `Content-Length` is sent if the length of every part is known. A
/// form can be sent again if its streams can. Names may contain any character: quotes and line breaks are escaped as in
/// browsers.
public struct MultipartForm: Sendable, Nonisolated {
    struct Part: Sendable {
        var header: MultipartPart
        let content: HTTPBody
    }

    private let framing: MultipartFraming
    private(set) var parts: [Part] = []

    /// Creates an empty form with a random boundary.
    public init() {
        var generator = SystemRandomNumberGenerator()
        framing = MultipartFraming(using: &generator)
    }

    /// Creates an empty form with a boundary from a generator, for tests that compare bytes.
    public init(using generator: inout some RandomNumberGenerator) {
        framing = MultipartFraming(using: &generator)
    }

    /// Whether the form has no part.
    public var isEmpty: Bool { parts.isEmpty }

    /// The value of `Content-Type`, with the boundary.
    public var contentType: MediaType { framing.contentType }

    /// Adds a text field.
    ///
    /// The part has no `Content-Type`: receivers read it as text.
    ///
    /// - Parameter value: The text, sent in UTF-8.
    public mutating func field(_ name: String, _ value: String) {
        add(MultipartPart(name: name), .bytes(Data(value.utf8)))
    }

    /// Adds a field with any query value. A list adds one field for each element; `nil` adds none.
    ///
    /// - Parameter value: The value; `form.field("tag", ["sea", "sky"])` adds two fields.
    public mutating func field(_ name: String, _ value: (any QueryConvertible)?) {
        var items = QueryItems()
        items.append(name, value)
        for item in items.items { field(item.name, item.value ?? "") }
    }

    /// Adds bytes, as a file if a file name is given.
    ///
    /// - Parameters:
    ///   - fileName: The file name for receivers; `nil` if the part isn't a file.
    ///   - type: The part's `Content-Type`; `nil` writes none.
    public mutating func data(_ name: String, _ data: Data, fileName: String? = nil, type: MediaType? = nil) {
        add(MultipartPart(name: name, fileName: fileName, contentType: type), .bytes(data))
    }

    /// Adds a file, by default with its own name and the type of its extension.
    ///
    /// The file is opened when the form is sent; if it can't be read, sending throws `.file`. Files with an unknown
    /// extension are `application/octet-stream`.
    ///
    /// - Parameters:
    ///   - fileName: The file name for receivers; by default the file's own.
    ///   - type: The part's `Content-Type`; by default that of the extension.
    public mutating func file(_ name: String, at url: URL, fileName: String? = nil, type: MediaType? = nil) {
        let type = type ?? MediaType(forFileExtension: url.pathExtension) ?? .octetStream
        add(MultipartPart(name: name, fileName: fileName ?? url.lastPathComponent, contentType: type), .file(at: url))
    }

    /// Adds any body, such as a stream, as a file.
    ///
    /// With a single-pass body, the form can be sent only once.
    ///
    /// - Parameter type: The part's `Content-Type`; `application/octet-stream` by default.
    public mutating func stream(_ name: String, _ body: HTTPBody, fileName: String, type: MediaType? = nil) {
        add(MultipartPart(name: name, fileName: fileName, contentType: type ?? .octetStream), body)
    }

    /// Sets a header field of the parts with a name that were added before; `nil` removes it.
    ///
    /// Few receivers read other fields than `Content-Disposition` and `Content-Type` (RFC 7578 section 4.8). Sending throws
    /// `.encoding` for these two, which follow from the part's name and type, and for a value with a line break.
    ///
    /// - Parameter part: The name of the parts.
    public mutating func header(_ name: HTTPField.Name, _ value: String?, of part: String) {
        for index in parts.indices where parts[index].header.name == part { parts[index].header.fields[name] = value }
    }

    /// The values of fields with secret names.
    var secrets: [String] {
        parts.compactMap { part in
            guard case .bytes(let data) = part.content.storage, data.count <= 8192,
                SecretName.isSecretQueryItem(part.header.name)
            else { return nil }
            return String(decoding: data, as: UTF8.self)
        }
    }

    private mutating func add(_ header: MultipartPart, _ content: HTTPBody) {
        parts.append(Part(header: header, content: content))
    }

    /// The form as a stream of chunks.
    ///
    /// Throws `.file` if a file can't be read, and `.encoding` for a part with invalid fields.
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

    /// Fixes the length of a file, so that one that grows while it is sent doesn't exceed the announced length.
    private static func pinned(_ content: HTTPBody) throws(NetworkError) -> HTTPBody {
        guard case .file(let region) = content.storage else { return content }
        return .file(at: region.url, range: region.offset..<region.offset + (try FileReader(region).remaining))
    }

    /// The total length; `nil` if that of a stream is unknown.
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
