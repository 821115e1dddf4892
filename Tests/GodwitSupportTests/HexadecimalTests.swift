import GodwitSupport
import Testing

@Suite("Hexadecimal text")
struct HexadecimalTests {
    @Test(
        "Numbers are written with sixteen digits, or with the fewest",
        arguments: [
            (UInt64(0), "0000000000000000", "0"), (15, "000000000000000f", "f"), (16, "0000000000000010", "10"),
            (0xABC, "0000000000000abc", "abc"), (.max, "ffffffffffffffff", "ffffffffffffffff"),
        ] as [(UInt64, String, String)])
    func numbers(number: UInt64, all: String, short: String) {
        #expect(Hexadecimal.encode(number) == all)
        #expect(Hexadecimal.short(number) == short)
        #expect(Hexadecimal.encode(7, dash: number) == "0000000000000007-\(short)")
        #expect(Hexadecimal.encode(number, dash: 7) == "\(all)-7")
    }

    @Test("Digits in either case are read, and other text isn't")
    func decoding() {
        #expect(Hexadecimal.decode(Array("00fFaB".utf8)) == [0, 0xFF, 0xAB])
        #expect(Hexadecimal.decode([]) == [])
        for text in ["0", "0g", "0x10", " 0", "é"] { #expect(Hexadecimal.decode(Array(text.utf8)) == nil, "\(text)") }
    }
}
