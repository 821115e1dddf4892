import GodwitCore
import GodwitOAuth
import GodwitTesting
import Testing

@Suite("A5 PKCE")
struct PKCETests {
    @Test("A5 the vector of RFC 7636 appendix B")
    func vector() throws {
        let pkce = try #require(PKCE(verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"))
        #expect(pkce.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    @Test("A5 a verifier of the generator's 256 bits, in 43 characters")
    func generated() {
        // The bytes of RFC 7636 appendix B.
        var bytes = ReplayedBytes([
            116, 24, 223, 180, 151, 153, 224, 37, 79, 250, 96, 125, 216, 173, 187, 186, 22, 212, 37, 77, 105, 214, 191,
            240, 91, 88, 5, 88, 83, 132, 141, 121,
        ])
        #expect(PKCE(using: &bytes).verifier == "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
    }

    @Test("A5 verifiers differ")
    func fresh() {
        #expect(Set((0..<100).map { _ in PKCE().verifier }).count == 100)
    }

    @Test(
        "A5 a verifier is 43 to 128 unreserved characters",
        arguments: [(42, false), (43, true), (128, true), (129, false)])
    func lengths(count: Int, isLegal: Bool) {
        #expect((PKCE(verifier: String(repeating: "~", count: count)) != nil) == isLegal)
        #expect(PKCE(verifier: String(repeating: "a", count: count - 1) + "+") == nil)
    }

    @Test("A5 A2 its description leaves out the verifier")
    func secrecy() {
        let pkce = PKCE()
        var dumped = ""
        dump(pkce, to: &dumped)
        for text in [dumped, "\(pkce)", String(reflecting: pkce)] { #expect(!text.contains(pkce.verifier)) }
    }
}

/// A generator whose `UInt8.random` gives these bytes.
struct ReplayedBytes: RandomNumberGenerator {
    private var bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func next() -> UInt64 {
        UInt64(bytes.removeFirst())
    }
}
