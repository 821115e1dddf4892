import GodwitWire
import GodwitTesting
import Testing

@Suite struct LineSplitterTests {
    private func lines(
        _ chunks: [Data], limit: Int = 1000, style: LineStyle = .text
    ) throws(LineTooLong) -> [String] {
        var splitter = LineSplitter(limit: limit, style: style)
        var lines: [String] = []
        for chunk in chunks {
            splitter.append(chunk)
            while let line = try splitter.next() { lines.append(String(decoding: line, as: UTF8.self)) }
        }
        while let line = try splitter.finish() { lines.append(String(decoding: line, as: UTF8.self)) }
        return lines
    }

    private func chunks(of data: Data, size: Int) -> [Data] {
        stride(from: 0, to: data.count, by: size).map { data[$0..<min($0 + size, data.count)] }
    }

    @Test(
        "R1 LF, CRLF and CR each end a line, wherever the chunks break",
        arguments: [
            ("a\nb\n", ["a", "b"]), ("a\r\nb\r\n", ["a", "b"]), ("a\rb\r", ["a", "b"]), ("a\nb", ["a", "b"]), ("", []),
            ("\n", [""]), ("\r\n", [""]), ("\r", [""]), ("\n\n", ["", ""]), ("\r\r", ["", ""]), ("\r\n\r\n", ["", ""]),
            ("\n\r", ["", ""]), ("a\r\n\nb", ["a", "", "b"]), ("a\n\rb", ["a", "", "b"]), ("a\r\r\nb", ["a", "", "b"]),
            ("äöü\r\n😀\r\n", ["äöü", "😀"]), ("\u{2028}\u{85}x\u{B}\u{C}", ["\u{2028}\u{85}x\u{B}\u{C}"]),
            ("\u{FEFF}a\n\u{FEFF}b", ["a", "\u{FEFF}b"]), ("\u{FEFF}", []), ("\u{FEFF}\n", [""]),
            (
                "a long line, longer than eight bytes\rand another one\n",
                ["a long line, longer than eight bytes", "and another one"]
            ),
        ])
    func endings(text: String, expected: [String]) throws {
        let data = Data(text.utf8)
        for size in 1...max(1, data.count) {
            #expect(try lines(chunks(of: data, size: size)) == expected, "chunks of \(size)")
        }
    }

    @Test(
        "R1 NDJSON lines end at LF alone and blank ones are skipped",
        arguments: [
            ("{}\n{}\n", ["{}", "{}"]), ("{}\r\n{}", ["{}", "{}"]), ("\n\n{}\n \t\n\r\n1\n", ["{}", "1"]),
            ("a\rb\n", ["a\rb"]),
            ("{}\r", ["{}"]), ("", []), ("\r", []), (" ", []), ("\u{FEFF}{}\n", ["{}"]), ("a\r\r\n", ["a\r"]),
        ])
    func jsonLines(text: String, expected: [String]) throws {
        let data = Data(text.utf8)
        for size in 1...max(1, data.count) {
            #expect(try lines(chunks(of: data, size: size), style: .jsonLines) == expected, "chunks of \(size)")
        }
    }

    @Test("R1 bytes that are no UTF-8 are repaired, and stay in their line")
    func invalidUTF8() throws {
        let data = Data([0x61, 0xFF, 0x0A, 0xC3, 0x0A, 0x62])
        #expect(try lines([data]) == ["a\u{FFFD}", "\u{FFFD}", "b"])
    }

    @Test(
        "R1 a line of just the limit passes, a longer one is an error", arguments: [1, 3, 100],
        [LineStyle.text, .jsonLines])
    func limit(size: Int, style: LineStyle) throws {
        for ending in ["\n", "\r\n", ""] {
            let legal = Data("ab\n12345\(ending)".utf8)
            #expect(try lines(chunks(of: legal, size: size), limit: 5, style: style) == ["ab", "12345"])
            let long = Data("ab\n123456\(ending)".utf8)
            #expect(throws: LineTooLong(limit: 5)) { try lines(chunks(of: long, size: size), limit: 5, style: style) }
        }
    }

    @Test("R2 a line without end is refused as soon as it is too long, and stays refused")
    func endlessLine() throws {
        var splitter = LineSplitter(limit: 10)
        splitter.append(Data("12345678901".utf8))
        for _ in 0..<2 {
            #expect(throws: LineTooLong.self) { try splitter.next() }
            #expect(throws: LineTooLong.self) { try splitter.finish() }
        }
    }

    @Test("R1 a chunk may be added before the last is read, and slices keep their indices")
    func undrained() throws {
        var splitter = LineSplitter(limit: 100)
        let whole = Data("xxa\nb\nc".utf8)
        splitter.append(whole[2...])
        #expect(try splitter.next() == Data("a".utf8))
        splitter.append(Data("d\re".utf8))
        #expect(try splitter.next() == Data("b".utf8))
        #expect(try splitter.next()?.startIndex == 0)
        #expect(try splitter.next() == nil)
        #expect(try splitter.finish() == Data("e".utf8))
        #expect(try splitter.finish() == nil)
    }

    @Test("R1 random bytes in random chunks agree with a byte-by-byte reading", arguments: UInt64(0)..<6)
    func random(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<150 {
            let data = Data(
                (0..<Int.random(in: 0..<80, using: &generator)).map { _ in
                    [0x0A, 0x0D, 0x20, 0x61, 0x8A, 0x8D, 0x0B, 0x0C].randomElement(using: &generator) ?? UInt8(0)
                })
            var pieces: [Data] = []
            var rest = data[...]
            while !rest.isEmpty {
                let count = Int.random(in: 1...20, using: &generator)
                pieces.append(rest.prefix(count))
                rest = rest.dropFirst(count)
            }
            let expected = naive(data).map { String(decoding: $0, as: UTF8.self) }
            #expect(try lines(pieces) == expected)
        }
    }

    private func naive(_ data: Data) -> [Data] {
        var lines: [Data] = []
        var line = Data()
        var last: UInt8 = 0
        for byte in data {
            switch byte {
            case 0x0A where last == 0x0D: break
            case 0x0A, 0x0D:
                lines.append(line)
                line = Data()
            default: line.append(byte)
            }
            last = byte
        }
        return line.isEmpty ? lines : lines + [line]
    }
}
