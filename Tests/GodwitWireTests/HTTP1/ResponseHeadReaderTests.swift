import GodwitWire
import Testing

/// Reads a response by the grammar alone, as a connection does: in pieces, to its end or its fault.
private struct Reading: Equatable {
    var interims = 0
    var status: Int?
    var fields = HTTPFields()
    var body: [UInt8] = []
    var trailers = HTTPFields()
    var isComplete = false
    var fault: String?

    /// - Parameter size: The most bytes of a piece.
    init(_ bytes: [UInt8], method: HTTPMethod = .get, pieces size: Int, with reader: inout ResponseHeadReader) {
        reader.reset()
        var framing: BodyFraming?
        var (left, chunks): (Int64, ChunkReader) = (0, ChunkReader())
        for start in stride(from: 0, to: bytes.count, by: size) {
            bytes[start..<min(start + size, bytes.count)].withUnsafeBytes { piece in
                var rest = piece
                while !rest.isEmpty, !isComplete, fault == nil {
                    guard let known = framing else {
                        guard let next = readHead(&rest, &reader, method) else { continue }
                        framing = next
                        if case .length(let length) = next { left = length }
                        isComplete = next == .none
                        continue
                    }
                    readBody(&rest, known, &left, &chunks)
                }
            }
        }
    }

    private mutating func readHead(
        _ rest: inout UnsafeRawBufferPointer, _ reader: inout ResponseHeadReader, _ method: HTTPMethod
    ) -> BodyFraming? {
        switch reader.read(&rest) {
        case .incomplete: break
        case .interim: interims += 1
        case .invalid(let reason): fault = reason
        case .tooLarge: fault = "too large"
        case .complete(let head):
            (status, fields) = (head.status.code, head.fields)
            return head.framing(of: method)
        }
        return nil
    }

    private mutating func readBody(
        _ rest: inout UnsafeRawBufferPointer, _ framing: BodyFraming, _ left: inout Int64, _ chunks: inout ChunkReader
    ) {
        switch framing {
        case .none: isComplete = true
        case .untilClose:
            body += rest
            rest = UnsafeRawBufferPointer(rebasing: rest.suffix(0))
        case .length:
            let count = Int(min(Int64(rest.count), left))
            body += rest[..<count]
            left -= Int64(count)
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            isComplete = left == 0
        case .chunked:
            switch chunks.next(&rest) {
            case .incomplete: break
            case .content(let bytes): body += bytes
            case .end(let fields): (trailers, isComplete) = (fields, true)
            case .invalid(let reason): fault = reason
            case .tooLarge: fault = "too large"
            }
        }
    }
}

@Suite("HTTP/1 responses, piece by piece")
struct ResponseHeadReaderTests {
    private static let corpus: [String] = [
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
        "HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.0 200 OK\nX: y\n\nto the end",
        "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 204 No Content\r\nX: 1\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;a=b\r\nx\r\nA ; c\r\n0123456789\r\n00\r\nX-Sum: 1\r\nY: 2\r\n\r\n",
        "HTTP/1.1 200 OK\r\nX-Long: a\r\n b\r\n\tc\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nSet-Cookie: a=\u{e9}\r\nContent-Length: 1, 1\r\n\r\nx",
        "HTTP/1.1 304 Not Modified\r\nContent-Length: 500\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
        "220 mail.example ESMTP\r\n",
        "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
    ]

    @Test("T21 the outcome doesn't depend on where the bytes are cut", arguments: corpus)
    func cuts(_ text: String) {
        let bytes = Array(text.utf8)
        var reader = ResponseHeadReader()
        let whole = Reading(bytes, pieces: bytes.count, with: &reader)
        for size in 1..<bytes.count {
            #expect(Reading(bytes, pieces: size, with: &reader) == whole)
        }
        // A head that is known already is the same head.
        #expect(Reading(bytes, pieces: bytes.count, with: &reader) == whole)
    }

    @Test("T21 what is cut short is never complete, and never a fault of the peer's grammar", arguments: corpus[..<10])
    func ends(_ text: String) {
        let bytes = Array(text.utf8)
        var reader = ResponseHeadReader()
        let whole = Reading(bytes, pieces: bytes.count, with: &reader)
        for end in 0..<bytes.count {
            let part = Reading(Array(bytes[..<end]), pieces: bytes.count, with: &reader)
            #expect(part.fault == nil)
            // After the end of the last line of a body in chunks, or of a head without a body, nothing is missing.
            #expect(!part.isComplete || part == whole)
            #expect(whole.body.starts(with: part.body))
        }
    }

    @Test("T21 a line that differs from the last head's is read, whatever stays the same")
    func changes() {
        var reader = ResponseHeadReader()
        for number in [1, 2, 2, 30, 30, 4] {
            let text = "HTTP/1.1 200 OK\r\nServer: x\r\nX-Number: \(number)\r\nContent-Length: 0\r\n\r\n"
            let reading = Reading(Array(text.utf8), pieces: 1000, with: &reader)
            #expect(reading.fields["X-Number"] == "\(number)")
            #expect(reading.fields.count == 3 && reading.fields[.server] == "x")
        }
        let folded = "HTTP/1.1 200 OK\r\nServer: x\r\n y\r\nX-Number: 4\r\nContent-Length: 0\r\n\r\n"
        for _ in 0..<2 {
            let reading = Reading(Array(folded.utf8), pieces: 1000, with: &reader)
            #expect(reading.fields[.server] == "x y" && reading.fields["X-Number"] == "4")
        }
    }

    @Test(
        "T21 I10 a head is one of HTTP/1 or refused",
        arguments: [
            ("HTTP/2 200 OK\r\n\r\n", "status line"), ("Http/1.1 200 OK\r\n\r\n", "status line"),
            ("HTTP/1.1  200 OK\r\n\r\n", "status line"), ("HTTP/1.1 20 OK\r\n\r\n", "status line"),
            ("HTTP/1.1 200OK\r\n\r\n", "status line"), ("HTTP/1.1 200 OK\r\n X: y\r\n\r\n", "folded"),
            ("HTTP/1.1 200 OK\r\nX : y\r\n\r\n", "token"), ("HTTP/1.1 200 OK\r\n: y\r\n\r\n", "no field name"),
            ("HTTP/1.1 200 OK\r\nX: a\u{0}b\r\n\r\n", "NUL"), ("HTTP/1.1 200 OK\r\nX: a\rb\r\n\r\n", "CR"),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", "transfer coding"),
            ("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "not a length"),
            ("HTTP/1.1 101 Switching Protocols\r\n\r\n", "switched protocols"),
        ])
    func refused(_ text: String, _ reason: String) {
        var reader = ResponseHeadReader()
        let fault = Reading(Array(text.utf8), pieces: text.utf8.count, with: &reader).fault
        #expect(fault?.contains(reason) == true)
    }

    @Test("T21 heads, interim responses, extensions of chunks and trailers are bounded")
    func bounds() {
        let line = "X: \(String(repeating: "a", count: 1000))\r\n"
        let lines = String(repeating: line, count: 300)
        let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        let extensions = String(repeating: "1;\(String(repeating: "e", count: 200))\r\nx\r\n", count: 100)
        var reader = ResponseHeadReader()
        for text in ["HTTP/1.1 200 OK\r\n" + lines, chunked + "0\r\n" + lines, chunked + extensions] {
            for size in [1000, text.utf8.count] {
                #expect(Reading(Array(text.utf8), pieces: size, with: &reader).fault == "too large")
            }
        }
        let interims = String(repeating: "HTTP/1.1 103 Early Hints\r\n\r\n", count: 101)
        let reading = Reading(Array(interims.utf8), pieces: 50, with: &reader)
        #expect(reading.interims == 100 && reading.fault?.contains("more than 100 interim") == true)
    }

    @Test("T21 a body may have any number of chunks, with extensions as long as they are", arguments: ["", ";"])
    func manyChunks(_ extension: String) {
        let chunks = String(repeating: "1\(`extension`)\r\nx\r\n", count: 100_000)
        let bytes = Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)0\r\n\r\n".utf8)
        var reader = ResponseHeadReader()
        let reading = Reading(bytes, pieces: bytes.count / 2 + 1, with: &reader)
        #expect(reading.fault == nil && reading.isComplete)
        #expect(reading.body.count == 100_000)
    }

    @Test(
        "T21 after the size of a chunk come blanks, extensions and the end of the line",
        arguments: [
            ("1", true), ("1 ", true), ("1\t ;a", true), ("1;a=b;c=\"d e\"", true), ("1;", true), ("1 1", false),
            ("1 a", false), ("1\rx", false), ("1;a\rb", false), ("1\r", false), ("1,", false), ("1\u{0}", false),
        ])
    func sizes(_ line: String, _ isValid: Bool) {
        let text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(line)\r\nx\r\n0\r\n\r\n"
        var reader = ResponseHeadReader()
        let reading = Reading(Array(text.utf8), pieces: 7, with: &reader)
        #expect(reading.isComplete == isValid)
        #expect((reading.fault == nil) == isValid)
    }

    @Test("T21 S5 a head or trailers of 80,000 folded lines take no longer than others", .timeLimit(.minutes(15)))
    func folds() {
        let folds = String(repeating: " a\n", count: 80_000)
        let value = Array(repeating: "a", count: 80_001).joined(separator: " ")
        var reader = ResponseHeadReader()
        let head = "HTTP/1.1 200 OK\r\nX: a\n\(folds)Content-Length: 0\r\n\r\n"
        #expect(Reading(Array(head.utf8), pieces: head.utf8.count, with: &reader).fields["X"] == value)
        let trailers = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: a\n\(folds)\r\n"
        #expect(Reading(Array(trailers.utf8), pieces: trailers.utf8.count, with: &reader).isComplete)
    }

    @Test("T21 a head that switches protocols is refused after another request, although it was valid once")
    func switches() {
        let bytes = Array("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n".utf8)
        var reader = ResponseHeadReader()
        for mayFollow in [true, false] {
            reader.reset()
            reader.acceptsSwitch = mayFollow
            bytes.withUnsafeBytes { bytes in
                var rest = bytes
                switch reader.read(&rest) {
                case .complete: #expect(mayFollow)
                default: #expect(!mayFollow)
                }
            }
        }
    }

    @Test("T21 what is neither HTTP nor within the limit is refused for the same reason, in any pieces")
    func neither() {
        let bytes = Array((String(repeating: "x\r\n", count: 100_000) + "\r\n").utf8)
        for size in [1000, bytes.count] {
            var reader = ResponseHeadReader()
            #expect(Reading(bytes, pieces: size, with: &reader).fault?.contains("status line") == true)
        }
    }
}
