import GodwitWire
import GodwitTesting
import Testing

@Suite("R3 event stream parser")
struct EventStreamParserTests {
    private func parse(_ chunks: [[UInt8]], limit: Int = EventStreamParser.defaultLimit) throws -> Parsed {
        var parser = EventStreamParser(limit: limit)
        var events: [ServerSentEvent] = []
        for chunk in chunks {
            parser.append(Data(chunk))
            while let event = try parser.next() { events.append(event) }
        }
        return Parsed(events: events, lastEventID: parser.lastEventID, reconnectionTime: parser.reconnectionTime)
    }

    private func parse(_ text: String) throws -> Parsed {
        try parse([Array(text.utf8)])
    }

    private struct Parsed {
        var events: [ServerSentEvent]
        var lastEventID: String
        var reconnectionTime: Duration?
    }

    @Test(
        "R3 data",
        arguments: [
            ("data: one\n\n", ["one"]),
            ("data:one\n\n", ["one"]),
            ("data:  one \n\n", [" one "]),
            ("data:\tone\n\n", ["\tone"]),
            ("data: YHOO\ndata: +2\ndata: 10\n\n", ["YHOO\n+2\n10"]),
            // The standard's own examples.
            ("data\n\ndata\ndata\n\ndata:", ["", "\n"]),
            ("data:test\n\ndata: test\n\n", ["test", "test"]),
            ("data: a:b\n\n", ["a:b"]),
            ("data: one\r\rdata: two\r\n\r\ndata: three\n\n", ["one", "two", "three"]),
            ("data: a\rdata: b\ndata: c\r\n\n", ["a\nb\nc"]),
            ("data: é漢🦅\n\n", ["é漢🦅"]),
            ("event: x\nid: 1\n\n", []),
            (": a comment\n\n:\n\n", []),
            ("", []), ("\n\n\n", []), ("data: cut off", []), ("data: cut off\n", []),
            ("Data: x\nDATA: x\ndat: x\ndatas: x\n data: x\nx: y\n\n", []),
        ])
    func data(text: String, data: [String]) throws {
        #expect(try parse(text).events.map(\.data) == data)
    }

    @Test("R3 a byte order mark is skipped at the start only")
    func mark() throws {
        #expect(try parse("\u{FEFF}data: a\n\n").events.map(\.data) == ["a"])
        #expect(try parse("\u{FEFF}\u{FEFF}data: a\n\n").events.isEmpty)
        #expect(try parse("\n\u{FEFF}data: a\n\n").events.isEmpty)
        #expect(try parse([[0xEF], [0xBB], [0xBF], Array("data: a\n\n".utf8)]).events.map(\.data) == ["a"])
        #expect(try parse("data: \u{FEFF}a\n\n").events.map(\.data) == ["\u{FEFF}a"])
    }

    @Test("R3 the type is message, or the last event field of the event")
    func type() throws {
        let text = "event: a\nevent: b\ndata\n\ndata\n\nevent: c\n\ndata\n\nevent:\ndata\n\n"
        #expect(try parse(text).events.map(\.type) == ["b", "message", "message", "message"])
    }

    @Test("R3 the last event ID persists; an empty one resets it, one with NUL is ignored")
    func identifiers() throws {
        let parsed = try parse("id: 1\ndata\n\ndata\n\nid: 2\u{0}\ndata\n\nid\ndata\n\nid: 3\n\nid: 4\ndata\n")
        #expect(parsed.events.map(\.lastEventID) == ["1", "1", "1", ""])
        #expect(parsed.events.map(\.id) == ["1", nil, nil, ""])
        #expect(parsed.lastEventID == "3")
    }

    @Test("R3 a parser continues with the ID of an earlier connection")
    func resumed() throws {
        var parser = EventStreamParser(lastEventID: "41")
        parser.append(Data("data: a\n\nid: 42\ndata: b\n\n".utf8))
        #expect(try parser.next()?.lastEventID == "41")
        #expect(try parser.next()?.lastEventID == "42")
        #expect(try parser.next() == nil)
    }

    @Test(
        "R3 retry takes ASCII digits only",
        arguments: [
            ("retry: 1500\n", Duration.milliseconds(1500)), ("retry:0\n", .zero), ("retry: 007\n", .milliseconds(7)),
            ("retry: 10\nretry: x\n", .milliseconds(10)), ("retry: -1\n", nil), ("retry: 1.5\n", nil),
            ("retry\n", nil), ("retry:\n", nil), ("retry: 10 \n", nil), ("retry:  10\n", nil), ("retry: ١\n", nil),
            ("retry: 99999999999999999999999999\n", .seconds(365 * 86_400)),
        ])
    func retry(text: String, time: Duration?) throws {
        let parsed = try parse(text + "data\n\ndata\n\n")
        #expect(parsed.reconnectionTime == time)
        #expect(parsed.events.map(\.retry) == [time, nil])
    }

    @Test("R3 bytes that are not UTF-8 become U+FFFD, and never swallow the line's end")
    func invalid() throws {
        let bytes = Array("data: a".utf8) + [0xFF, 0xE2, 0x82] + Array("\ndata: b".utf8) + [0xC3] + Array("\n\n".utf8)
        #expect(try parse([bytes]).events.map(\.data) == ["a\u{FFFD}\u{FFFD}\nb\u{FFFD}"])
    }

    @Test("R3 an event is returned with its last byte, without waiting for LF after CR")
    func prompt() throws {
        var parser = EventStreamParser()
        parser.append(Data("data: a\r\n\r".utf8))
        #expect(try parser.next()?.data == "a")
        parser.append(Data("\ndata: b\r\r".utf8))
        #expect(try parser.next()?.data == "b")
    }

    @Test("R3 bytes may be added while events are left")
    func addedEarly() throws {
        var parser = EventStreamParser()
        parser.append(Data("data: a\n\ndata: b\n\nda".utf8))
        #expect(try parser.next()?.data == "a")
        parser.append(Data("ta: c\n\n".utf8))
        #expect(try parser.next()?.data == "b")
        #expect(try parser.next()?.data == "c")
        #expect(try parser.next() == nil)
    }

    @Test(
        "R3 an event beyond the limit is an error, after the events before it, wherever the chunks break",
        arguments: [1, 2, 7, 100],
        ["data: 1234567890", "data: 12345\ndata: 67890", ": 12345678901234", "x12345678901234567"])
    func limit(size: Int, text: String) throws {
        let bytes = Array("data: ok\n\n\(text)\n\n".utf8)
        var parser = EventStreamParser(limit: 14)
        var events: [String] = []
        #expect(throws: EventTooLarge(limit: 14)) {
            for start in stride(from: 0, to: bytes.count, by: size) {
                parser.append(Data(bytes[start..<min(start + size, bytes.count)]))
                while let event = try parser.next() { events.append(event.data) }
            }
        }
        #expect(events == ["ok"])
    }

    @Test("R3 an event of exactly the limit is accepted, and small events or comments don't add up")
    func withinLimit() throws {
        let text = String(repeating: "data: 12345678\n\n: 123456789012\n", count: 100)
        for size in [1, 5, 4096] {
            let events = try parse(Array(text.utf8).chunked(size), limit: 14).events
            #expect(events.count == 100)
        }
    }

    @Test("R3 any bytes in any chunks parse as in the standard", arguments: 0..<40)
    func differential(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            let bytes = Self.randomStream(&generator)
            let expected = NaiveEventStream(bytes)
            let parsed = try parse(Self.randomChunks(of: bytes, &generator))
            #expect(parsed.events == expected.events, "\(String(decoding: bytes, as: UTF8.self).debugDescription)")
            #expect(parsed.lastEventID == expected.lastEventID)
            #expect(parsed.reconnectionTime == expected.reconnectionTime)
        }
    }

    private static let pieces: [[UInt8]] =
        ([
            "data", "data:", "data: ", "data: x", "event: y", "event", "id: 1", "id: ", "id", "id: \u{0}z", "retry: 12",
            "retry: 9x", "retry", ":", ": note", ":data", "\n", "\r", "\r\n", "\n\n", "\r\n\r\n", "\r\r", " ", "  ",
            "\u{FEFF}", "é", "漢", "🦅", "plain", "\u{0}", "data: \(String(repeating: "long", count: 40))",
        ] as [String]).map { Array($0.utf8) } + [[0xFF], [0xE2, 0x82], [0xC3], [0xF0, 0x9F]]

    private static func randomStream(_ generator: inout SeededGenerator) -> [UInt8] {
        var bytes: [UInt8] = Bool.random(using: &generator) ? [] : [0xEF, 0xBB, 0xBF]
        for _ in 0..<Int.random(in: 0...30, using: &generator) {
            bytes += pieces[Int.random(in: 0..<pieces.count, using: &generator)]
            if Bool.random(using: &generator) {
                bytes += [[0x0A], [0x0D], [0x0D, 0x0A]].randomElement(using: &generator) ?? []
            }
        }
        return bytes
    }

    private static func randomChunks(of bytes: [UInt8], _ generator: inout SeededGenerator) -> [[UInt8]] {
        let largest = [1, 3, 20, 500].randomElement(using: &generator) ?? 1
        var chunks: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = min(rest.count, Int.random(in: 0...largest, using: &generator))
            chunks.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return chunks
    }
}

extension Array {
    fileprivate func chunked(_ size: Int) -> [[Element]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}
