import GodwitWire
import TestSupport
import Testing

@Suite("S6 what is known without a scan to hold no secret")
struct SecretPresenceTests {
    private static let parts = [
        "token", "password", "Sat", "12", "00", "7", " ", " ", ":", ":", "\"", "'", ",", "-", "/", ".", "<", ">", "(",
        "\t",
        "é", "x9", "9x", "=", "@", "\\",
    ]

    @Test("S6 a text that isn't scanned is one in which a scan finds nothing")
    func agrees() {
        var random = SplitMix(seed: 7)
        var skipped = 0
        for _ in 0..<20_000 {
            let count = Int.random(in: 1...12, using: &random)
            let text = (0..<count).map { _ in Self.parts[Int.random(in: 0..<Self.parts.count, using: &random)] }
                .joined()
            if !SecretScanner.mayHoldSecret(prose: text, extraNames: []) {
                skipped += 1
                #expect(SecretScanner.redacted(text, isProse: true) == text || text.contains("\\"), "\(text)")
            }
            if !Array(text.utf8).withUnsafeBytes(SecretScanner.mayHoldSecret) {
                #expect(SecretScanner.redacted(text) == text, "\(text)")
            }
        }
        #expect(skipped > 1000)
    }

    @Test(
        "S6 dates and numbers have no names; a number that was declared a name does",
        arguments: [
            ("Sat, 21 Nov 2026 12:00:00 GMT", false), ("max-age=60", true), ("12", false), ("token: abc123", true),
            ("token 12: abc", false), ("token12: abc", true),
        ])
    func prose(text: String, mayHold: Bool) {
        #expect(SecretScanner.mayHoldSecret(prose: text, extraNames: []) == mayHold)
        #expect(SecretScanner.mayHoldSecret(prose: "12: x", extraNames: ["12"]))
    }

    @Test("S6 names that are known to be harmless are those that the rule finds harmless")
    func fields() {
        for name: HTTPField.Name in ["Date", "ETag", "x-request-id", "Location"] { #expect(!name.isSensitive) }
        for name: HTTPField.Name in ["Cookie", "authorization", "X-Api-Key", "Set-Cookie"] { #expect(name.isSensitive) }
    }
}
