import GodwitSupport
import Testing

@Suite("T8 digests")
struct DigestVectorTests {
    @Test(
        "T8 MD5 as RFC 1321 appendix A.5",
        arguments: [
            ("", "d41d8cd98f00b204e9800998ecf8427e"), ("a", "0cc175b9c0f1b6a831c399e269772661"),
            ("abc", "900150983cd24fb0d6963f7d28e17f72"), ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
            ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
            (
                "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
                "d174ab98d277d9f5a5611c2c9f419d9f"
            ),
            (
                "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
                "57edf4a22be3c955ac49da2e2107b67a"
            ),
        ])
    func md5(text: String, digest: String) {
        #expect(Hexadecimal.encode(MD5.hash(text.utf8)) == digest)
    }

    @Test(
        "T8 SHA-256 as FIPS 180-4's examples",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ])
    func sha256(text: String, digest: String) {
        #expect(Hexadecimal.encode(SHA256.digest(text.utf8)) == digest)
    }

    @Test("T8 every length around a block's end is filled up right")
    func lengths() {
        // Hashes of the hashes of 0 to 130 letters a, as md5sum and sha256sum make them.
        let md5 = MD5.hash((0...130).flatMap { MD5.hash([UInt8](repeating: 0x61, count: $0)) })
        #expect(Hexadecimal.encode(md5) == "714e67f3fc9e8a62eaf3f30c0329a554")
        let sha256 = SHA256.digest((0...130).flatMap { SHA256.digest([UInt8](repeating: 0x61, count: $0)) })
        #expect(Hexadecimal.encode(sha256) == "f908a43fc8456c583aacde0fb2627959f8513dc76d0c03979b7f945a7dd78f22")
    }
}
