import Testing

@testable import GodwitWire

@Suite("S8 A text that is written piece by piece")
struct TextWriterTests {
    @Test(
        "S8 numbers are written as their description",
        arguments: [0, 1, 9, 10, 99, 100, 12_345, 1_000_000, .max, -1, -10, .min])
    func numbers(_ number: Int) {
        var text = TextWriter(capacity: 1)
        text.write(number)
        #expect(text.text == "\(number)")
    }

    @Test("S8 pieces follow each other, whatever their lengths, and the bytes are counted")
    func pieces() {
        var text = TextWriter()
        var expected = ""
        for piece in ["", "a", "é", String(repeating: "long ", count: 100), "🦢"] {
            text.write(piece)
            text.write(7)
            expected += "\(piece)7"
        }
        text.write("abcdef", upTo: 3)
        text.write("abcdef", upTo: 0)
        #expect(text.text == expected + "abc")
        #expect(text.count == expected.utf8.count + 3)
    }
}
