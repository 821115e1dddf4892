import GodwitLibc
import GodwitSupport

/// A file that is read to its end or written in order: a pipe, a device, or a file without a size, such as those of `/proc`.
struct StreamedFile: Sendable {
    private let file: StreamDescriptor
    private let name: String
    private let phase: NetworkError.Phase

    /// Opens an existing file. Throws `.file`, also if a pipe to write has no reader.
    init(_ url: URL, for direction: StreamDescriptor.Direction) throws(NetworkError) {
        name = url.lastPathComponent
        phase = direction == .reading ? .sending : .receiving
        do throws(StreamDescriptor.Fault) {
            file = try StreamDescriptor(url.path, for: direction)
        } catch {
            throw Self.error(error, "cannot open", url.lastPathComponent, phase)
        }
    }

    /// Returns the next bytes, or `nil` at the end. Throws `.file` or `.cancelled`.
    func next() async throws(NetworkError) -> Data? {
        do throws(StreamDescriptor.Fault) {
            let bytes = try await file.read(upTo: FileReader.chunkSize)
            return bytes.isEmpty ? nil : Data(bytes)
        } catch {
            throw Self.error(error, "cannot read", name, phase)
        }
    }

    /// Writes all bytes. Throws `.file` or `.cancelled`.
    func write(_ data: Data) async throws(NetworkError) {
        do throws(StreamDescriptor.Fault) {
            try await file.write([UInt8](data))
        } catch {
            throw Self.error(error, "cannot write", name, phase)
        }
    }

    static func error(
        _ fault: StreamDescriptor.Fault, _ what: String, _ name: String, _ phase: NetworkError.Phase
    ) -> NetworkError {
        switch fault {
        case .cancelled: NetworkError(.cancelled, phase: phase)
        case .system(let code):
            NetworkError(.file(reason: "\(what) \(name): \(String(cString: strerror(code)))"), phase: phase)
        }
    }
}

extension HTTPBody {
    /// A file of a size that the system knows. Reading another one throws `.file`.
    package static func regularFile(at url: URL) -> HTTPBody {
        HTTPBody(.file(FileRegion(url: url, offset: 0, length: nil)))
    }

    /// A file of any kind. What can't be read fails when it is.
    static func anyFile(at url: URL) -> HTTPBody {
        switch FileKind(at: url.path) {
        case .special: .stream(once: FileChunks(url: url))
        case .regular where FileReader.isWithoutSize(url): .stream { FileChunks(url: url) }
        case .absent, .regular, .folder, .link, .tooLong: regularFile(at: url)
        }
    }
}

/// The bytes of a file of unknown length. Opened for each reading.
private struct FileChunks: AsyncSequence, Sendable {
    typealias Element = Data

    let url: URL

    struct AsyncIterator: AsyncIteratorProtocol {
        let file: Result<StreamedFile, NetworkError>

        func next() async throws(NetworkError) -> Data? { try await file.get().next() }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(file: Result { () throws(NetworkError) in try StreamedFile(url, for: .reading) })
    }
}
