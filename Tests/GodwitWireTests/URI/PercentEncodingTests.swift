@testable import GodwitWire
import GodwitTesting
import Testing

@Suite struct PercentEncodingTests {
    @Test(
        "U1 every byte that a component doesn't allow is encoded",
        arguments: [
            ("a/b?c#d", PercentEncoding.Allowed.segmentValue, "a%2Fb%3Fc%23d"), ("100%", .segmentValue, "100%25"),
            ("ü €", .segmentValue, "%C3%BC%20%E2%82%AC"), ("a+b&c=d", .queryValue, "a%2Bb%26c%3Dd"),
            ("safe-._~", .unreserved, "safe-._~"), ("", .unreserved, ""), ("a;b", .segmentValue, "a%3Bb"),
            ("\u{0}\u{7F}", .unreserved, "%00%7F"),
        ])
    func encoding(text: String, allowed: PercentEncoding.Allowed, expected: String) {
        #expect(PercentEncoding.encode(text, allowing: allowed) == expected)
        #expect(PercentEncoding.decode(expected) == text)
    }

    @Test("U5 invalid encoding doesn't decode", arguments: ["%", "%4", "%zz", "a%2", "%+1", "%FF", "%C3"])
    func badlyEncoded(text: String) {
        #expect(PercentEncoding.decode(text) == nil)
    }

    @Test("U1 random text round-trips in every encoding")
    func roundTrip() {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<500 {
            let length = Int.random(in: 0..<12, using: &generator)
            let scalars = (0..<length).compactMap { _ in
                Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &generator))
            }
            let text = String(String.UnicodeScalarView(scalars))
            for allowed in [PercentEncoding.Allowed.unreserved, .segmentValue, .queryValue, .queryListElement] {
                let encoded = PercentEncoding.encode(text, allowing: allowed)
                #expect(encoded.utf8.allSatisfy { (0x21...0x7E).contains($0) })
                #expect(PercentEncoding.isWellFormed(encoded))
                #expect(PercentEncoding.decode(encoded)?.utf8.elementsEqual(text.utf8) == true)
            }
        }
    }
}
