import Glibc
import GodwitCore

/// The content of one request, read by libcurl as the network takes it. Lives on the loop's thread.
final class BodySource {
    /// What a read came to.
    enum Step {
        case bytes(Int)
        /// Nothing there yet: stop asking until told otherwise.
        case pause
        case failed(NetworkError)
    }

    private enum Content {
        case bytes(Data)
        case file(FileSource)
        case stream(UploadQueue, rest: Data)
    }

    private var content: Content
    private var position: Int64 = 0
    /// Whether a stream is known to give nothing more than what is at hand.
    private var hasEnded = false
    /// The number of bytes; nil where only the end will tell.
    let length: Int64?

    /// Opens the file that a body is in, on the caller's thread: the loop's has no time for that. Nil for other bodies.
    static func open(_ body: HTTPBody?) -> Result<FileReader, NetworkError>? {
        guard case .file(let region) = body?.storage else { return nil }
        return Result { () throws(NetworkError) in try FileReader(region) }
    }

    /// Begins with the content of a request. Streams and slow files are read elsewhere, and `onSupply` then wakes the loop.
    ///
    /// - Parameter file: What ``open(_:)`` returned.
    init(
        _ body: HTTPBody, _ file: Result<FileReader, NetworkError>?, onSupply: @escaping @Sendable () -> Void
    ) throws(NetworkError) {
        switch body.storage {
        case .bytes(let data):
            content = .bytes(data)
            length = Int64(data.count)
        case .file(let region):
            let reader = if let file { try file.get() } else { try FileReader(region) }
            content = .file(FileSource(reader, onSupply: onSupply))
            length = reader.remaining
        case .stream(let source):
            content = .stream(Self.start(source, onSupply), rest: Data())
            length = source.length
        case .incoming(let incoming):
            // Passing a response on as a request: read once, at the pace of both ends.
            let source = ChunkSource(length: incoming.length, once: body)
            content = .stream(Self.start(source, onSupply), rest: Data())
            length = source.length
        }
    }

    deinit {
        if case .stream(let queue, _) = content { queue.abandon() }
    }

    /// Bytes handed over so far.
    var sent: Int64 { position }

    /// In how many pieces of at most 16 KiB they were handed over.
    private(set) var pieces = 0

    /// Fills libcurl's buffer; 0 bytes at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Step {
        let step =
            switch content {
            case .bytes(let data): copy(data, into: buffer)
            case .file(let file): file.read(into: buffer)
            case .stream(let queue, let rest): read(queue, rest, into: buffer)
            }
        guard case .bytes(let count) = step else { return step }
        if count == 0, let length, position < length { return Self.mismatch("\(position) of", length) }
        position += Int64(count)
        pieces += (count + 16383) >> 14
        return step
    }

    /// Goes back to the beginning, where the content can be read again without asking anybody.
    func rewind(to offset: Int64) -> Bool {
        switch content {
        case .bytes(let data):
            guard (0...Int64(data.count)).contains(offset) else { return false }
        case .file(let file):
            guard file.seek(to: offset) else { return false }
        case .stream:
            guard offset == position else { return false }
        }
        position = offset
        return true
    }

    private func copy(_ data: Data, into buffer: UnsafeMutableRawBufferPointer) -> Step {
        let count = min(buffer.count, data.count - Int(position))
        data.withUnsafeBytes { bytes in
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[Int(position)..<Int(position) + count]))
        }
        return .bytes(count)
    }

    private func read(_ queue: UploadQueue, _ rest: Data, into buffer: UnsafeMutableRawBufferPointer) -> Step {
        var chunk = rest
        if chunk.isEmpty {
            switch queue.take() {
            case .chunk(let next): chunk = next
            case .later: return .pause
            case .end: return .bytes(0)
            case .failed(let error): return .failed(error)
            }
        }
        if let step = confirmEnd(of: queue, behind: chunk) {
            content = .stream(queue, rest: chunk)
            return step
        }
        let count = min(buffer.count, chunk.count)
        chunk.copyBytes(to: buffer, count: count)
        content = .stream(queue, rest: chunk.dropFirst(count))
        return .bytes(count)
    }

    /// The last of the declared bytes wait until the stream has ended: a message that is complete for the server could
    /// not be taken back if more came.
    private func confirmEnd(of queue: UploadQueue, behind chunk: Data) -> Step? {
        guard let length, !hasEnded, position + Int64(chunk.count) >= length else { return nil }
        guard position + Int64(chunk.count) == length else { return Self.mismatch("more than", length) }
        switch queue.take() {
        case .chunk: return Self.mismatch("more than", length)
        case .later: return .pause
        case .failed(let error): return .failed(error)
        case .end:
            hasEnded = true
            return nil
        }
    }

    /// A stream that yields more or fewer bytes than it declared would break the message's framing.
    private static func mismatch(_ what: String, _ length: Int64) -> Step {
        let reason = "the stream gave \(what) the \(length) bytes it declared"
        return .failed(NetworkError(.transport(.cannotSendBody(reason)), phase: .sending))
    }

    private static func start(
        _ source: ChunkSource, _ onSupply: @escaping @Sendable () -> Void
    ) -> UploadQueue {
        let queue = UploadQueue(onSupply: onSupply)
        queue.start(source)
        return queue
    }
}
