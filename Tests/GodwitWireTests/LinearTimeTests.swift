import GodwitJSON
import GodwitWire
import Testing

@Suite("S5 Incremental parsers take linear time")
struct LinearTimeTests {
    /// The chunks of a line that never ends, after a start.
    private static func feed(_ start: String, _ count: Int, in size: Int, _ take: (Data) throws -> Void) rethrows -> Int
    {
        try take(Data(start.utf8))
        let chunk = Data(repeating: UInt8(ascii: "x"), count: size)
        for _ in 0..<(count / size) { try take(chunk) }
        return start.utf8.count + count / size * size
    }

    private static let sizes = [(1 << 16, 1), (1 << 20, 16 << 10), (8 << 20, 16 << 10), (64 << 20, 64 << 10)]

    @Test("S5 lines are searched once", arguments: sizes, [LineStyle.text, .jsonLines])
    func lines(_ size: (Int, Int), _ style: LineStyle) throws {
        var splitter = LineSplitter(limit: 100 << 20, style: style)
        let count = try Self.feed("a\r\nb\n", size.0, in: size.1) { chunk in
            splitter.append(chunk)
            while try splitter.next() != nil {}
        }
        #expect(splitter.searchedCount == count)
    }

    @Test("S5 lines of event streams are searched once", arguments: sizes, ["", "data: ", ":", "data: a\ndata: "])
    func events(_ size: (Int, Int), _ start: String) throws {
        var parser = EventStreamParser(limit: 100 << 20)
        let count = try Self.feed(start, size.0, in: size.1) { chunk in
            parser.append(chunk)
            while try parser.next() != nil {}
        }
        #expect(parser.searchedCount == count)
    }

    @Test("S5 heads of requests are searched once", arguments: sizes, ["GET /", "GET / HTTP/1.1\r\nX: "])
    func heads(_ size: (Int, Int), _ start: String) {
        var reader = RequestHeadReader(limit: 100 << 20)
        let count = Self.feed(start, size.0, in: size.1) { chunk in
            chunk.withUnsafeBytes { bytes in
                var rest = bytes
                guard case .incomplete = reader.read(&rest), rest.isEmpty else {
                    Issue.record("not incomplete")
                    return
                }
            }
        }
        // The last two bytes of a piece may begin the end.
        #expect(reader.searchedCount <= count + 2 * size.0 / size.1)
    }

    @Test("S5 documents are scanned once", arguments: sizes, ["[\"", "[1,[\"", "{\"a\": \"", "{\"a"])
    func elements(_ size: (Int, Int), _ start: String) throws {
        var splitter = try JSONElementSplitter(at: "", elementLimit: 100 << 20)
        let count = try Self.feed(start, size.0, in: size.1) { chunk in
            splitter.append(chunk)
            while try splitter.next() != nil {}
        }
        #expect(splitter.scannedCount == count)
    }

    @Test("S5 lines that never end have a limit")
    func limits() {
        #expect(throws: LineTooLong.self) {
            var splitter = LineSplitter(limit: 1000)
            _ = try Self.feed("", 2000, in: 10) { chunk in
                splitter.append(chunk)
                while try splitter.next() != nil {}
            }
        }
        #expect(throws: EventTooLarge.self) {
            var parser = EventStreamParser(limit: 1000)
            _ = try Self.feed("data:", 2000, in: 10) { chunk in
                parser.append(chunk)
                while try parser.next() != nil {}
            }
        }
    }
}
