@testable import GodwitWire
import GodwitSupport
import Testing

@Suite("SHA-256")
struct SHA256Tests {
    @Test(
        "the vectors of FIPS 180-4 and its companions",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrs"
                    + "mnopqrstnopqrstu",
                "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
            ),
        ])
    func vectors(text: String, digest: String) {
        #expect(hex(SHA256.digest(text.utf8)) == digest)
    }

    @Test("a million letters, in pieces of every length")
    func pieces() {
        var hash = SHA256()
        var left = 1_000_000
        var length = 1
        while left > 0 {
            let count = min(left, length)
            hash.update(repeatElement(UInt8(ascii: "a"), count: count))
            left -= count
            length = length % 200 + 1
        }
        #expect(hex(hash.finish()) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test("each length around a block's end gives the same in one piece and byte by byte", arguments: 53...70)
    func boundaries(count: Int) {
        let bytes = (0..<count).map { UInt8($0) }
        var hash = SHA256()
        for byte in bytes { hash.update([byte]) }
        #expect(hash.finish() == SHA256.digest(bytes))
        #expect(Set((0...count).map { SHA256.digest(bytes.prefix($0)) }).count == count + 1)
    }

    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

@Suite("Base64 for URLs, and comparisons of secrets")
struct SecretTextTests {
    @Test(
        "every length, without padding, with the characters of URLs",
        arguments: [([], ""), ([0xFF], "_w"), ([0xFF, 0xEF], "_-8"), ([0xFB, 0xEF, 0xBE], "----"), ([0], "AA")]
            as [([UInt8], String)])
    func base64(bytes: [UInt8], text: String) {
        #expect(Base64URL.encode(bytes) == text)
    }

    @Test(
        "equal means the same bytes",
        arguments: [
            ("", "", true), ("abc", "abc", true), ("abc", "abd", false), ("abc", "abcd", false), ("", "a", false),
        ]
    )
    func comparison(left: String, right: String, areEqual: Bool) {
        #expect(ConstantTime.areEqual(left, right) == areEqual)
    }
}
