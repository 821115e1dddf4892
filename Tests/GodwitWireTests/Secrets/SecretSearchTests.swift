@testable import GodwitWire
import Testing

@Suite("S6 known secrets are found, however a text writes them")
struct SecretSearchTests {
    private static let secret = "S3KR/1T-42+é\"<&"

    @Test(
        "S6 forms of a secret",
        arguments: [
            secret, #"S3KR/1T-42+é\"<&"#, #"S3KR\/1T-42+\u00e9\"\u003c\u0026"#, #"S3KR\\/1T-42+é\\\"<&"#,
            "S3KR%2F1T-42%2B%C3%A9%22%3C%26", "S3KR%2f1T-42%2b%c3%a9%22%3c%26",
            "S3KR%252F1T-42%252B%25C3%25A9%2522%253C%2526",
            "S3KR/1T-42+%C3%A9%22%3C%26", "S3KR/1T-42+é&quot;&lt;&amp;", "S3KR&#47;1T-42+&#xE9;&#34;&#x3C;&amp;",
            Data(secret.utf8).base64EncodedString(),
            Data(secret.utf8).base64EncodedString().replacing("/", with: "_").replacing("+", with: "-").replacing(
                "=", with: ""),
            Data(secret.utf8).base64EncodedString().replacing("=", with: "%3D"),
            // As C, Python and JavaScript, and as Swift and Rust write strings.
            #"S3KR\x2f1T-42+\xc3\xa9\x22<&"#, #"S3KR\\x2F1T-42+é\\x22<&"#, #"\u{53}3KR/1T-42+\u{e9}\u{000022}<&"#,
            secret.utf8.map { "\\x" + String($0, radix: 16) }.joined(),
            secret.utf8.map { String($0, radix: 16) }.joined(),
            secret.utf8.map { String($0, radix: 16) }.joined().uppercased(),
        ])
    func forms(text: String) {
        let search = SecretSearch([Self.secret])
        let shown = search.redacted("The key \(text), or so")
        #expect(shown.hasPrefix("The key <redacted>") && shown.hasSuffix(", or so"), "\(shown)")
        for split in 0...text.utf8.count {
            var run = SecretSearchRun(search)
            let bytes = Array("The key \(text), or so".utf8)
            let whole = run.append(bytes[..<(8 + split)]) + run.append(bytes[(8 + split)...]) + run.finish()
            #expect(String(decoding: whole, as: UTF8.self) == shown)
        }
    }

    @Test("S6 a short secret is found only as a word, and a shorter one never")
    func short() {
        let search = SecretSearch(["abcd", "1234", "ab", "a"])
        #expect(
            search.redacted("abcd abcde xabcd 'abcd' 1234 12345 a ab")
                == "<redacted> abcde xabcd '<redacted>' <redacted> 12345 a ab")
    }

    @Test("S6 a secret in a long text is found across any number of chunks, and the start of one at a cut")
    func chunks() {
        let long = String(repeating: "k3y", count: 1000)
        let search = SecretSearch([long, "S3KR1T-42"])
        let text = String(repeating: "x", count: 5000) + long + "y" + "S3KR1T-42" + String(repeating: "z", count: 5000)
        for size in [1, 7, 64, 4096] {
            var run = SecretSearchRun(search)
            var shown: [UInt8] = []
            let bytes = Array(text.utf8)
            for start in stride(from: 0, to: bytes.count, by: size) {
                shown += run.append(bytes[start..<min(bytes.count, start + size)])
            }
            shown += run.finish()
            #expect(
                String(decoding: shown, as: UTF8.self) == String(repeating: "x", count: 5000) + "<redacted>y<redacted>"
                    + String(repeating: "z", count: 5000))
        }
        #expect(search.redacted("it is S3KR1", isCut: true) == "it is <redacted>")
        #expect(search.redacted("it is S3KR1") == "it is S3KR1")
        #expect(search.redacted("it is S3K", isCut: true) == "it is S3K")
    }

    @Test("S6 other text is unchanged")
    func unchanged() {
        let search = SecretSearch(["S3KR1T-42"])
        for text in [
            "", "%", "%4", "a\\", "&amp", "\\u00", "%zz &#; \\u12x", "\\x", "\\x4", "\\x4z\\xzz", "\\u{", "\\u{}",
            "\\u{12", "\\u{1234567}", "\\u{12x}", "S3KR1T", "\\\\\\\\\\\\\\\\\\\\x",
            "a \n\n\n\n\n\n\n\n\n\n b",
        ] {
            #expect(search.redacted(text) == text)
        }
    }
}
