public import GodwitCore
import GodwitSupport
import Synchronization

/// A file in the variables of a mutation, sent together with the operation (GraphQL multipart request specification).
///
/// ```swift
/// let avatar = GraphQLOperation<ViewerData>.mutation(
///     "mutation ($image: Upload!) { viewer: setAvatar(image: $image) { name } }",
///     variables: ["image": GraphQLUpload(file: photo)])
/// ```
///
/// It may be anywhere in the variables: in a list, or in a member of an input object. Files are read while they are sent.
public struct GraphQLUpload: Sendable, Nonisolated {
    private enum Content: Sendable {
        case file(URL)
        case data(Data)
        case stream(HTTPBody)
    }

    private let content: Content
    private let fileName: String
    private let type: MediaType?

    /// Creates an upload from a file.
    ///
    /// - Parameters:
    ///   - url: The file. If it can't be read, the call throws `.file`.
    ///   - fileName: The name for the server; by default the file's own.
    ///   - type: The part's `Content-Type`; by default that of the extension.
    public init(file url: URL, fileName: String? = nil, type: MediaType? = nil) {
        content = .file(url)
        self.fileName = fileName ?? url.lastPathComponent
        self.type = type
    }

    /// Creates an upload from bytes in memory.
    public init(data: Data, fileName: String, type: MediaType? = nil) {
        content = .data(data)
        self.fileName = fileName
        self.type = type
    }

    /// Creates an upload from any body, such as a stream.
    public init(body: HTTPBody, fileName: String, type: MediaType? = nil) {
        content = .stream(body)
        self.fileName = fileName
        self.type = type
    }

    /// Adds the file to a form.
    func add(to form: inout MultipartForm, as name: String) {
        switch content {
        case .file(let url): form.file(name, at: url, fileName: fileName, type: type)
        case .data(let data): form.data(name, data, fileName: fileName, type: type ?? .octetStream)
        case .stream(let body): form.stream(name, body, fileName: fileName, type: type)
        }
    }
}

extension GraphQLUpload: Encodable {
    /// Encodes a placeholder that the client replaces with `null`.
    ///
    /// Throws `EncodingError` outside of the variables of an operation.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        guard let uploads = CollectedUploads.current else {
            let reason = "a GraphQLUpload can be sent only in the variables of an operation"
            throw EncodingError.invalidValue(self, .init(codingPath: encoder.codingPath, debugDescription: reason))
        }
        try container.encode(uploads.add(self))
    }
}

/// The uploads that are found while variables are encoded.
final class CollectedUploads: Sendable {
    /// The uploads of the variables that the task encodes: encoders have no other way to pass them on.
    @TaskLocal static var current: CollectedUploads?

    private let found = Mutex<[GraphQLUpload]>([])
    /// Random, so that no other text is taken for a placeholder.
    private let prefix: String

    init() {
        prefix = "upload-\(Hexadecimal.encode(UInt64.random(in: .min ... .max), .random(in: .min ... .max)))-"
    }

    var all: [GraphQLUpload] { found.withLock(\.self) }

    /// Adds an upload and returns its placeholder.
    func add(_ upload: GraphQLUpload) -> String {
        found.withLock { found in
            found.append(upload)
            return prefix + String(found.count - 1)
        }
    }

    /// The upload that a text stands for.
    func index(of text: String) -> Int? {
        text.hasPrefix(prefix) ? Int(text.dropFirst(prefix.count)) : nil
    }
}
