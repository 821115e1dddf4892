import GodwitWire
import GodwitTesting
import Testing

@Suite("T8 lists of challenges")
struct AuthenticationChallengeTests {
    private typealias Challenge = AuthenticationChallenge

    @Test(
        "T8 one field holds any number of challenges (RFC 9110 section 11.6.1)",
        arguments: [
            ("Basic realm=\"a\"", [Challenge(scheme: "basic", parameters: ["realm": "a"])]),
            (
                "Newauth realm=\"apps\", type=1, title=\"Login to \\\"apps\\\"\", Basic realm=\"simple\"",
                [
                    Challenge(
                        scheme: "newauth", parameters: ["realm": "apps", "type": "1", "title": "Login to \"apps\""]),
                    Challenge(scheme: "basic", parameters: ["realm": "simple"]),
                ]
            ),
            ("Negotiate, NTLM", [Challenge(scheme: "negotiate"), Challenge(scheme: "ntlm")]),
            (
                "Negotiate YWJj==, Basic realm=x",
                [
                    Challenge(scheme: "negotiate", token68: "YWJj=="),
                    Challenge(scheme: "basic", parameters: ["realm": "x"]),
                ]
            ),
            ("Bearer a-._~+/z", [Challenge(scheme: "bearer", token68: "a-._~+/z")]),
            (
                " , ,BASIC  REALM = \"a, b=c\" ,, x = y,",
                [Challenge(scheme: "basic", parameters: ["realm": "a, b=c", "x": "y"])]
            ),
            ("Basic realm=\"first\", realm=\"second\"", [Challenge(scheme: "basic", parameters: ["realm": "first"])]),
            ("Basic realm=\"\"", [Challenge(scheme: "basic", parameters: ["realm": ""])]),
            ("Basic realm=\"é\"", [Challenge(scheme: "basic", parameters: ["realm": "é"])]),
        ])
    fileprivate func parsed(value: String, challenges: [AuthenticationChallenge]) {
        #expect(AuthenticationChallenge.parse([value]) == challenges)
    }

    @Test("T8 several fields are read one after the other")
    func fields() {
        let challenges = AuthenticationChallenge.parse(["Digest realm=\"a\", nonce=\"n\"", "Basic realm=\"b\""])
        #expect(challenges.map(\.scheme) == ["digest", "basic"])
        #expect(challenges[0].parameters == ["realm": "a", "nonce": "n"])
    }

    @Test(
        "T8 invalid text is skipped",
        arguments: [
            ("", [String]()), ("realm=\"a\"", []), ("\"quoted\", Basic realm=x", ["basic"]), ("=, Basic", ["basic"]),
            ("Basic realm=\"open", ["basic"]), ("@@ @@, Digest nonce=1", ["digest"]),
        ])
    func malformed(value: String, schemes: [String]) {
        #expect(AuthenticationChallenge.parse([value]).map(\.scheme) == schemes)
    }

    @Test("T8 parsing any bytes ends with a list")
    func random() {
        var generator = SeededGenerator(seed: 8)
        let alphabet = Array("Ba=\", \\\t/+1é".utf8)
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0...24, using: &generator)).map { _ in
                alphabet[Int.random(in: alphabet.indices, using: &generator)]
            }
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(AuthenticationChallenge.parse([text]).count <= text.utf8.count)
        }
    }
}
