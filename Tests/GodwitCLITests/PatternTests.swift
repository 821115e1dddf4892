import Godwit
import GodwitCommand
import GodwitTesting
import Testing

@Suite("G7 patterns of checks", .timeLimit(.minutes(15)))
struct PatternTests {
    /// The first group of a pattern in a text; `nil` without a match.
    private func group(_ pattern: String, in text: String) async throws -> String? {
        let (output, errors) = (CapturedOutput(), CapturedOutput())
        let command = Command(input: ScriptedInput([]), output: output, errors: errors, environment: [:]) { _ in
            EchoTransport(reply: text)
        }
        let capture = "a=regex /\(pattern)/"
        let code = await command.run(["get", "a.example", "--json-output", "--capture", capture])
        #expect(
            code == .success || errors.text == "godwit: the capture a finds nothing\n", "\(pattern): \(errors.text)")
        guard code == .success else { return nil }
        return JSONValue(try JSONDocument(parsing: output.data).root)["a"]?.string
    }

    @Test(
        "G7 the syntax of patterns",
        arguments: [
            ("(a+)", "caab", "aa"), ("(a+?)", "caab", "a"), ("a(b|c)d", "acd", "c"), ("(a|ab)(c|bcd)", "abcd", "a"),
            ("^(b)", "ab", nil), ("(?m)^(b)", "a\nb", "b"), ("(a)$", "a\n", nil), ("(?m)(a)$", "a\n", "a"),
            ("(a.b)", "a\nb", nil),
            ("(?s)(a.b)", "a\nb", "a\nb"), ("(?i)(aB)", "xAb", "Ab"), ("(?i:(a))b", "AB", nil), ("((?i)a)b", "Ab", "A"),
            ("([a-c]{2,3})", "abcab", "abc"), ("([a-c]{2,3}?)", "abcab", "ab"), ("([^a-c]+)", "abxyc", "xy"),
            ("([]a]+)", "x]a", "]a"),
            ("([a\\-z]+)", "-", "-"), ("([a-]+)", "a-", "a-"), ("(\\d{2}-\\d)", "x12-3", "12-3"),
            ("(\\D+)", "12ab", "ab"),
            ("(\\w+)\\W", "a_1 b", "a_1"), ("(\\S+)\\s", "ab c", "ab"), ("\\b(b\\w)", "abc bd", "bd"),
            ("\\B(b)", "b ab", "b"),
            ("(\\x41\\u{1F600})", "A😀", "A😀"), ("(\\.\\*)", "a.*", ".*"), ("(é)", "é", "é"), ("([à-ü]+)", "xéz", "é"),
            ("(?:a|b)+(c)", "abac", "c"), ("(?<name>a)", "a", "a"), ("(?P<name>a)", "a", "a"), ("(a{0})b", "b", ""),
            ("(|a)b", "ab", "a"),
            ("(a*)*b", "aab", ""), ("(\\/)", "a/b", "/"), ("([\\d\\s]+)", "a1 2", "1 2"), ("([^\\d]+)", "1ab", "ab"),
            ("(a{,2})", "a{,2}", "a{,2}"),
            ("\\A(a)\\z", "a", "a"), ("()", "x", ""), ("(x?)", "", ""), ("(?-i:(a))", "a", "a"),
            ("([^\\W]+)", "- a", "a"),
        ])
    func syntax(pattern: String, text: String, expected: String?) async throws {
        // A group in a loop that can match nothing has the text of its last round that matched something, or is empty.
        let found = try await group(pattern, in: text)
        #expect(found == expected || pattern == "(a*)*b" && found == "aa")
    }

    /// A random pattern, in which nothing that is repeated can match the empty text.
    private func pattern(_ depth: Int, _ generator: inout SeededGenerator) -> String {
        let atoms = ["a", "b", "c", "[ab]", "[^a]", ".", "\\w", "\\d", "x", "[b-c1]"]
        var text = ""
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
            var atom = atoms.randomElement(using: &generator) ?? "a"
            if depth > 0, Int.random(in: 0..<3, using: &generator) == 0 {
                let inner = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
                    "a" + pattern(depth - 1, &generator)
                }
                atom = "(?:\(inner.joined(separator: "|")))"
            }
            let quantifiers = ["", "", "", "*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{0,3}?"]
            text += atom + (quantifiers.randomElement(using: &generator) ?? "")
            if Int.random(in: 0..<12, using: &generator) == 0 {
                text += ["\\b", "$", "^"].randomElement(using: &generator) ?? ""
            }
        }
        return text
    }

    @Test("G7 random patterns find what Swift's Regex finds", arguments: 0..<4)
    func oracle(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<150 {
            let pattern = "(" + pattern(2, &generator) + ")"
            let letters = (0..<Int.random(in: 0...10, using: &generator)).map { _ in
                ["a", "b", "c", "x", "1", " "].randomElement(using: &generator) ?? ""
            }
            let text = letters.joined()
            let expected = text.firstMatch(of: try Regex(pattern).wordBoundaryKind(.simple)).map {
                String(text[$0.range])
            }
            #expect(try await group(pattern, in: text) == expected, "\(pattern) in \"\(text)\"")
        }
    }
}
