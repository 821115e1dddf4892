import GodwitSupport
import GodwitWire
import Testing

@Suite("SHA-1")
struct SHA1Tests {
    @Test(
        "W1 the digests of FIPS 180-4's examples",
        arguments: [
            ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
            ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
            ),
            ("The quick brown fox jumps over the lazy dog", "2fd4e1c67a2d28fced849ee1bb76e7391b93eb12"),
        ])
    func examples(_ text: String, _ expected: String) {
        #expect(hex(SHA1.digest(text.utf8)) == expected)
    }

    @Test("W1 a million letters, of many blocks")
    func million() {
        let digest = SHA1.digest(repeatElement(UInt8(ascii: "a"), count: 1_000_000))
        #expect(hex(digest) == "34aa973cd4c4daa4f61eeb2bdbad27316534016f")
    }

    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
