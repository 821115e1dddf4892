import Godwit
import GodwitSupport

/// The bytes of an input of unknown length, as a body.
///
/// A few bytes are read into memory: the body then has a length, without which many servers read nothing, and can be sent
/// again after a redirect. More are streamed, once.
enum InputBody {
    case whole(Data)
    case long(beginning: Data, rest: any InputSource)

    /// More bytes than these are streamed.
    static let memoryLimit = 8 << 20

    /// Reads to the end, or to the limit.
    ///
    /// - Parameter onStart: Called when the first bytes are there, and at the end.
    init(reading source: any InputSource, onStart: () -> Void = {}) async throws(CommandFailure) {
        var data = Data()
        while data.count <= Self.memoryLimit {
            let chunk = try await source.next()
            onStart()
            guard let chunk else {
                self = .whole(data)
                return
            }
            data.append(chunk)
        }
        self = .long(beginning: data, rest: source)
    }

    /// All bytes, or the first.
    var beginning: Data {
        switch self {
        case .whole(let data), .long(let data, _): data
        }
    }

    var body: HTTPBody {
        switch self {
        case .whole(let data): .bytes(data)
        case .long(let beginning, let rest): .stream(once: PrefixedChunks(first: beginning, source: rest))
        }
    }

    func body(of type: MediaType) -> RequestBody { .stream(body, type: type) }
}

/// The rest of an input after its first bytes.
private struct PrefixedChunks: AsyncSequence, Sendable {
    typealias Element = Data

    let first: Data
    let source: any InputSource

    struct AsyncIterator: AsyncIteratorProtocol {
        var first: Data?
        let source: any InputSource

        mutating func next() async throws -> Data? {
            if let first {
                self.first = nil
                return first
            }
            return try await source.read()
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(first: first, source: source) }
}

/// A pipe, a device, or a file without a size, such as those of `/proc`. The wait for bytes holds no thread, and ends if the
/// task is canceled.
struct StreamedInput: InputSource {
    private static let chunkSize = 64 << 10

    private let file: StreamDescriptor
    private let path: String

    init(_ path: String) throws(CommandFailure) {
        self.path = path
        do throws(StreamDescriptor.Fault) {
            file = try StreamDescriptor(path, for: .reading)
        } catch {
            throw .file("cannot read \(path)")
        }
    }

    /// The file as an input; `nil` if it has a size.
    static func source(at path: String) throws(CommandFailure) -> (any InputSource)? {
        switch FileKind(at: path) {
        case .special: return try StreamedInput(path)
        case .regular:
            let size = (try? FileManager.default.attributesOfItem(atPath: path))?.byteCount
            return size == 0 ? try StreamedInput(path) : nil
        case .absent, .folder, .link, .tooLong: return nil
        }
    }

    func read() async throws -> Data? {
        do throws(StreamDescriptor.Fault) {
            let bytes = try await file.read(upTo: Self.chunkSize)
            return bytes.isEmpty ? nil : Data(bytes)
        } catch {
            throw error == .cancelled ? OutputError.cancelled : .failed("cannot read \(path)")
        }
    }
}

extension InputSource {
    /// The next bytes, or `nil` at the end. What can't be read ends the command.
    func next() async throws(CommandFailure) -> Data? {
        do {
            return try await read()
        } catch {
            throw .output((error as? OutputError) ?? .cancelled)
        }
    }
}
