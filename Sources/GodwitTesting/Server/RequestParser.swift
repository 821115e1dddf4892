import GodwitCore

/// Parses the requests of a connection: a state machine without I/O (RFC 9112).
///
/// Pass bytes to ``feed(_:)`` and call ``next(upTo:)`` until it returns `nil`. Requests may be pipelined.
struct RequestParser: Sendable {
    enum Event: Sendable {
        case head(RequestHead)
        case content(Data)
        /// The end of the request, with the trailer fields.
        case end(HTTPFields)
    }

    private enum State: Sendable {
        case head
        case content(remaining: Int64)
        case chunkSize
        case chunk(remaining: Int64)
        case chunkEnd
        case trailers
        case end
    }

    private var state = State.head
    private var buffer: [UInt8] = []
    /// The bytes before were read.
    private var start = 0
    /// The lines of the block that is being read, without their endings; counted from `start`, like the next.
    private var lines: [Range<Int>] = []
    /// How far the end of the next line was searched.
    private var searched = 0
    /// How many bytes were searched for ends of lines.
    private(set) var searchedCount = 0
    private let headLimit: Int

    /// - Parameter headLimit: Maximum bytes of a head, a chunk size line or trailers.
    init(headLimit: Int) {
        self.headLimit = headLimit
    }

    /// Whether a request has started and is incomplete.
    var isInsideRequest: Bool {
        if case .head = state { start < buffer.count } else { true }
    }

    mutating func feed(_ bytes: some Collection<UInt8>) {
        // As soon as more was read than is left, so that each byte is moved at most once.
        if start == buffer.count {
            buffer.removeAll(keepingCapacity: true)
            start = 0
        } else if start > buffer.count - start {
            buffer.removeFirst(start)
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// Returns the bytes after the last request, for an upgraded connection.
    mutating func takeRest() -> [UInt8] {
        defer { skip(buffer.count - start) }
        return Array(buffer[start...])
    }

    /// Returns the next event, with at most `limit` bytes of a body; `nil` if more bytes are needed.
    mutating func next(upTo limit: Int) throws(RequestFault) -> Event? {
        while true {
            switch state {
            case .head:
                return try head()
            case .content(let remaining):
                return content(min(Int64(limit), remaining), of: remaining) { $0 == 0 ? .end : .content(remaining: $0) }
            case .chunkSize:
                guard let line = try line() else { return nil }
                let size = try Self.size(line)
                state = size == 0 ? .trailers : .chunk(remaining: size)
            case .chunk(let remaining):
                return content(min(Int64(limit), remaining), of: remaining) {
                    $0 == 0 ? .chunkEnd : .chunk(remaining: $0)
                }
            case .chunkEnd:
                guard let line = try line() else { return nil }
                guard line.isEmpty else { throw RequestFault("a chunk is longer than its size says") }
                state = .chunkSize
            case .trailers:
                guard let lines = try block() else { return nil }
                state = .head
                return .end(try HeadGrammar.fields(lines[...]))
            case .end:
                state = .head
                return .end([:])
            }
        }
    }

    private mutating func head() throws(RequestFault) -> Event? {
        // An empty line before a request is ignored (RFC 9112 section 2.2).
        while buffer.count - start >= 2, buffer[start] == 0x0D, buffer[start + 1] == 0x0A { skip(2) }
        guard start < buffer.count, let lines = try block() else { return nil }
        let head = try HeadGrammar.head(lines)
        state =
            switch head.framing {
            case .none: .end
            case .length(let length): .content(remaining: length)
            case .chunked: .chunkSize
            }
        return .head(head)
    }

    private mutating func content(_ wanted: Int64, of remaining: Int64, then next: (Int64) -> State) -> Event? {
        let count = Int(min(Int64(buffer.count - start), wanted))
        guard count > 0 else { return nil }
        let content = Data(buffer[start..<(start + count)])
        start += count
        state = next(remaining - Int64(count))
        return .content(content)
    }

    /// Returns the lines before an empty line; `nil` if the block is incomplete.
    private mutating func block() throws(RequestFault) -> [ArraySlice<UInt8>]? {
        while let line = try nextLine() {
            guard line.upperBound + 2 <= headLimit else { throw Self.tooLarge }
            if line.isEmpty {
                defer { skip(line.upperBound + 2) }
                return lines.map(bytes)
            }
            lines.append(line)
        }
        guard buffer.count - start <= headLimit else { throw Self.tooLarge }
        return nil
    }

    private mutating func line() throws(RequestFault) -> ArraySlice<UInt8>? {
        guard let line = try nextLine() else {
            guard buffer.count - start <= headLimit else { throw Self.tooLarge }
            return nil
        }
        defer { skip(line.upperBound + 2) }
        return bytes(line)
    }

    private func bytes(_ line: Range<Int>) -> ArraySlice<UInt8> {
        buffer[(start + line.lowerBound)..<(start + line.upperBound)]
    }

    private mutating func skip(_ count: Int) {
        start += count
        (lines, searched) = ([], 0)
    }

    /// Finds the next CRLF; the bytes before it. A single line feed is an error.
    private mutating func nextLine() throws(RequestFault) -> Range<Int>? {
        let begin = lines.last.map { $0.upperBound + 2 } ?? 0
        let feed = buffer[(start + searched)...].firstIndex(of: 0x0A).map { $0 - start }
        let end = feed.map { $0 + 1 } ?? buffer.count - start
        searchedCount += end - searched
        searched = end
        guard let feed else { return nil }
        guard feed > begin, buffer[start + feed - 1] == 0x0D else {
            throw RequestFault("a line does not end with CRLF")
        }
        return begin..<(feed - 1)
    }

    /// Parses the size of a chunk. Extensions after `;` are ignored (RFC 9112 section 7.1).
    private static func size(_ line: ArraySlice<UInt8>) throws(RequestFault) -> Int64 {
        let digits = line.prefix { $0 != UInt8(ascii: ";") && $0 != 0x20 && $0 != 0x09 }
        let text = String(decoding: digits, as: UTF8.self)
        guard (1...15).contains(text.utf8.count), let size = Int64(text, radix: 16), !text.hasPrefix("+"),
            !text.hasPrefix("-")
        else { throw RequestFault("\"\(String(decoding: line, as: UTF8.self))\" is not a chunk size") }
        return size
    }

    private static let tooLarge = RequestFault(
        "the head is too large", status: HTTPStatus(431) ?? .badRequest)
}

/// The head of a request.
struct RequestHead: Sendable {
    /// The framing of the body (RFC 9112 section 6).
    enum Framing: Sendable, Hashable {
        case none
        case length(Int64)
        case chunked
    }

    var method: HTTPMethod
    var target: String
    var fields: HTTPFields
    var framing: Framing
    /// Whether the client uses HTTP/1.0, which has neither chunks nor interim responses.
    var isHTTP10: Bool
    /// Whether an HTTP/2 head had more bytes than allowed, and is incomplete.
    var isTooLarge = false

    /// Whether the client waits for a 100 before it sends the body (RFC 9110 section 10.1.1).
    var expectsContinue: Bool {
        framing != .none && !isHTTP10 && fields[.expect]?.equalsIgnoringASCIICase("100-continue") == true
    }

    /// Whether the connection may serve another request (RFC 9112 section 9.3).
    var keepsAlive: Bool {
        let options = (fields[.connection] ?? "").split(separator: ",").map {
            String($0.filter { $0 != " " && $0 != "\t" }).asciiLowercased
        }
        return isHTTP10 ? options.contains("keep-alive") : !options.contains("close")
    }
}

/// Why a request is invalid, with the status of the response.
struct RequestFault: Error, Sendable, Hashable {
    let status: HTTPStatus
    let reason: String

    init(_ reason: String, status: HTTPStatus = .badRequest) {
        self.reason = reason
        self.status = status
    }
}
