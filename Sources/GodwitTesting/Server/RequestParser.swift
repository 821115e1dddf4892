import GodwitCore

/// Reads the requests of a connection, which may be pipelined. Without I/O.
///
/// Pass bytes to ``feed(_:)`` and call ``next(upTo:)`` until it returns `nil`.
struct RequestParser: Sendable {
    enum Event: Sendable {
        case head(HTTP1RequestHead)
        case content(Data)
        /// The end of the request, with the trailer fields.
        case end(HTTPFields)
    }

    private enum State: Sendable {
        case head
        case content(remaining: Int64)
        case chunks(ChunkReader)
        case end
    }

    private var state = State.head
    private var heads: RequestHeadReader
    private var input: [UInt8] = []
    /// The bytes before were read.
    private var start = 0
    private let headLimit: Int

    /// - Parameter headLimit: Maximum bytes of a head or trailers.
    init(headLimit: Int) {
        self.headLimit = headLimit
        heads = RequestHeadReader(limit: headLimit)
    }

    mutating func feed(_ bytes: some Collection<UInt8>) {
        input.removeFirst(start)
        start = 0
        input.append(contentsOf: bytes)
    }

    /// Returns the bytes after the last request, for an upgraded connection.
    mutating func takeRest() -> [UInt8] {
        defer { start = input.count }
        return Array(input[start...])
    }

    /// Returns the next event, with at most `limit` bytes of a body; `nil` if more bytes are needed.
    mutating func next(upTo limit: Int) throws(RequestFault) -> Event? {
        let input = input
        repeat {
            let event = input.withUnsafeBytes { bytes in
                var rest = UnsafeRawBufferPointer(rebasing: bytes[start...].prefix(limit))
                let count = rest.count
                defer { start += count - rest.count }
                return read(&rest)
            }
            if let event = try event.get() { return event }
        } while start < input.count
        return nil
    }

    private mutating func read(_ bytes: inout UnsafeRawBufferPointer) -> Result<Event?, RequestFault> {
        switch state {
        case .head: return readHead(&bytes)
        case .content(let remaining):
            let count = Int(min(Int64(bytes.count), remaining))
            guard count > 0 else { return .success(nil) }
            defer { bytes = UnsafeRawBufferPointer(rebasing: bytes[count...]) }
            state = remaining > count ? .content(remaining: remaining - Int64(count)) : .end
            return .success(.content(Data(bytes[..<count])))
        case .chunks(var chunks):
            let step = chunks.next(&bytes)
            state = .chunks(chunks)
            return take(step)
        case .end:
            state = .head
            return .success(.end([:]))
        }
    }

    private mutating func readHead(_ bytes: inout UnsafeRawBufferPointer) -> Result<Event?, RequestFault> {
        switch heads.read(&bytes) {
        case .incomplete: return .success(nil)
        case .refused(let fault): return .failure(fault)
        case .complete(let head):
            state =
                switch head.framing {
                case .none, .untilClose: .end
                case .length(let length): .content(remaining: length)
                case .chunked: .chunks(ChunkReader(trailerLimit: headLimit, isStrict: true))
                }
            return .success(.head(head))
        }
    }

    private mutating func take(_ step: ChunkReader.Step) -> Result<Event?, RequestFault> {
        switch step {
        case .incomplete: return .success(nil)
        case .content(let content): return .success(.content(Data(content)))
        case .end(let trailers):
            state = .head
            return .success(.end(trailers))
        case .invalid(let reason): return .failure(RequestFault(reason))
        case .tooLarge: return .failure(.tooLarge)
        }
    }
}
