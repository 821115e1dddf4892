#if os(Linux)
package import GodwitCore
import GodwitLibc

/// The body of one request, read at the pace of the network. Used in the loop's turn.
package final class BodySource {
    /// The result of a read.
    package enum Step {
        case bytes(Int)
        /// Nothing yet: wait for `onSupply`.
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
    /// Whether a stream is known to have ended.
    private var hasEnded = false
    /// The number of bytes; nil if unknown.
    package let length: Int64?

    /// Opens the file that a body is in, on the caller's thread, as it may block. Nil for other bodies.
    package static func open(_ body: HTTPBody?) -> Result<FileReader, NetworkError>? {
        guard case .file(let region) = body?.storage else { return nil }
        return Result { () throws(NetworkError) in try FileReader(region) }
    }

    /// Starts to read a request's body. Streams and slow files are read elsewhere, and `onSupply` then wakes the loop.
    ///
    /// - Parameter file: The result of ``open(_:)``.
    package init(
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
            // A response's body that is sent as a request's: read once, at the pace of both connections.
            let source = ChunkSource(length: incoming.length, once: body)
            content = .stream(Self.start(source, onSupply), rest: Data())
            length = source.length
        }
    }

    deinit {
        if case .stream(let queue, _) = content { queue.abandon() }
    }

    /// Bytes read so far.
    package var sent: Int64 { position }

    /// Whether it is a stream whose end has not been read.
    package var isOpenStream: Bool {
        if case .stream = content { !isRead } else { false }
    }

    /// The fields after the body, once its end was read.
    package private(set) var trailers: HTTPFields = [:]

    /// Whether the end has been read.
    private var isRead = false

    /// Whether the last read found nothing yet.
    package private(set) var isWaiting = false

    /// How many pieces of at most 16 KiB they were read in.
    package private(set) var pieces = 0

    /// Fills a buffer; 0 bytes at the end.
    package func read(into buffer: UnsafeMutableRawBufferPointer) -> Step {
        let step =
            switch content {
            case .bytes(let data): copy(data, into: buffer)
            case .file(let file): file.read(into: buffer)
            case .stream(let queue, let rest): read(queue, rest, into: buffer)
            }
        if case .pause = step { isWaiting = true } else { isWaiting = false }
        guard case .bytes(let count) = step else { return step }
        if count == 0, let length, position < length { return Self.mismatch("\(position) of", length) }
        isRead = count == 0 || position + Int64(count) == length
        position += Int64(count)
        pieces += (count + 16383) >> 14
        return step
    }

    /// Continues at an earlier offset; false if the source can't.
    package func rewind(to offset: Int64) -> Bool {
        switch content {
        case .bytes(let data):
            guard (0...Int64(data.count)).contains(offset) else { return false }
        case .file(let file):
            guard file.seek(to: offset) else { return false }
        case .stream:
            guard offset == position else { return false }
        }
        position = offset
        isRead = false
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
            case .end(let fields):
                trailers = fields
                return .bytes(0)
            case .failed(let error): return .failed(error)
            }
        }
        if let step = confirmEnd(of: queue, after: chunk) {
            content = .stream(queue, rest: chunk)
            return step
        }
        let count = min(buffer.count, chunk.count)
        chunk.copyBytes(to: buffer, count: count)
        content = .stream(queue, rest: chunk.dropFirst(count))
        return .bytes(count)
    }

    /// Holds back the last declared bytes until the stream has ended. If more bytes came, the server would already have a
    /// complete message.
    private func confirmEnd(of queue: UploadQueue, after chunk: Data) -> Step? {
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

    /// More or fewer bytes than declared would break the message's framing.
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
#endif
