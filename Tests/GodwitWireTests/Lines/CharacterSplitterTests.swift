@testable import GodwitWire
import GodwitTesting
import Testing

@Suite("R1 characters")
struct CharacterSplitterTests {
    private func split(_ chunks: [[UInt8]]) -> [Character] {
        var splitter = CharacterSplitter()
        var characters: [Character] = []
        for chunk in chunks {
            splitter.append(chunk)
            while let character = splitter.next() { characters.append(character) }
        }
        while let character = splitter.finish() { characters.append(character) }
        return characters
    }

    private static let texts = [
        "", "a", "abc", "é", "e\u{301}x", "\r\n\r\n", "a\rb\n", "👩‍👩‍👧‍👦🇩🇪🇫🇷", "한국어", "x\u{FEFF}y", "\u{0}\u{7F}", "क्षि",
    ]

    @Test("R1 characters are the same wherever the chunks break", arguments: texts)
    func everyBreak(text: String) {
        let bytes = Array(text.utf8)
        #expect(split([bytes]) == Array(text))
        #expect(split(bytes.map { [$0] }) == Array(text))
        for end in bytes.indices { #expect(split([Array(bytes[..<end]), [], Array(bytes[end...])]) == Array(text)) }
    }

    @Test("R1 a byte order mark at the start is removed, also in parts")
    func mark() {
        #expect(split([[0xEF, 0xBB, 0xBF, 0x61]]) == ["a"])
        #expect(split([[0xEF], [0xBB], [0xBF], [0x61]]) == ["a"])
        #expect(split([[0xEF, 0xBB, 0xBF]]).isEmpty)
    }

    @Test(
        "R1 invalid bytes are repaired as in a whole text",
        arguments: [
            [0xFF], [0x61, 0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0xC3, 0x28], [0x80, 0x80, 0x80, 0x80],
            [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xC0, 0xAF], [0xF0, 0x61],
        ] as [[UInt8]])
    func invalid(bytes: [UInt8]) {
        let expected = Array(String(decoding: bytes, as: UTF8.self))
        #expect(split([bytes]) == expected)
        #expect(split(bytes.map { [$0] }) == expected)
    }

    @Test("R1 a character is returned once the next one has begun, and not held back longer")
    func heldBack() {
        var splitter = CharacterSplitter()
        splitter.append("ab".utf8)
        #expect(splitter.next() == "a" && splitter.next() == nil)
        splitter.append("\u{301}c".utf8)
        #expect(splitter.next() == "b\u{301}" && splitter.next() == nil)
        #expect(splitter.finish() == "c" && splitter.finish() == nil)
    }

    @Test("R1 a letter with endless accents isn't collected: it is returned in parts")
    func endless() {
        let accents = String(repeating: "\u{301}", count: 10_000)
        let characters = split(("a" + accents).utf8.map { [$0] })
        #expect(characters.count > 50)
        #expect(characters.allSatisfy { $0.utf8.count <= CharacterSplitter.longest + 1 })
        #expect(String(characters).unicodeScalars.count == 10_001)
    }

    @Test("R1 random bytes in random chunks are the characters of the whole")
    func random() {
        var generator = SeededGenerator(seed: 7)
        let parts: [[UInt8]] =
            ["a", "é", "\r", "\n", "👍🏽", "\u{301}", "\u{200D}", "🇩"].map { Array($0.utf8) } + [[0xFF], [0xE2]]
        for _ in 0..<300 {
            let bytes = (0..<Int.random(in: 0..<20, using: &generator)).flatMap { _ in
                parts.randomElement(using: &generator) ?? []
            }
            var chunks: [[UInt8]] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Int.random(in: 1...rest.count, using: &generator)
                chunks.append(Array(rest.prefix(count)))
                rest = rest.dropFirst(count)
            }
            #expect(split(chunks) == Array(String(decoding: bytes, as: UTF8.self)))
        }
    }
}
