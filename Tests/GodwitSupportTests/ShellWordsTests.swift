import GodwitSupport
import GodwitWire
import TestSupport
import Testing

@Suite("ShellWords")
struct ShellWordsTests {
    @Test(
        "G4 words are split as a POSIX shell splits them",
        arguments: [
            ("a b  c", ["a", "b", "c"]),
            ("'a b' \"c d\"", ["a b", "c d"]),
            (#"a\ b \\ 'it'\''s'"#, ["a b", #"\"#, "it's"]),
            (#""say \"hi\" \n""#, [#"say "hi" \n"#]),
            ("a'b'\"c\"d", ["abcd"]),
            ("'' x", ["", "x"]),
            ("curl \\\n  -H 'A: b' \\\r\n  url", ["curl", "-H", "A: b", "url"]),
            (#"$'tab\there \'q\' é \ud83d\ude00 \x41'"#, ["tab\there 'q' é 😀 A"]),
            ("", []),
        ])
    func split(_ line: String, _ words: [String]) throws {
        #expect(try ShellWords.split(line) == words)
    }

    @Test(
        "G4 a line that needs a shell, or does not end, is refused",
        arguments: [
            ("a | b", ShellWords.Fault.needsShell("|")), ("a; rm -rf x", .needsShell(";")), ("$(x)", .needsShell("$")),
            ("\"`x`\"", .needsShell("`")), ("\"$HOME\"", .needsShell("$")), ("'open", .unterminatedQuote),
            ("\"open", .unterminatedQuote), ("$'open", .unterminatedQuote), (#"$'\ud800x'"#, .invalidEscape),
            (#"$'\xzz'"#, .invalidEscape),
        ])
    func refused(_ line: String, _ fault: ShellWords.Fault) {
        #expect(throws: fault) { try ShellWords.split(line) }
    }

    @Test(
        "G4 whatever is quoted is read back as it was",
        arguments: ["", "a", "it's", "a b", "$x `y`", "\n", "é😀", "-"] + hostile)
    func roundTrip(_ text: String) throws {
        #expect(try ShellWords.split("x " + ShellWords.quoted(text)) == ["x", text])
    }

    /// What a shell or a terminal would take for more than text.
    static let hostile = [
        "`id`", "$(id)", "a'b", "'\u{301}; id #", "\\\u{301}", "a\u{1B}[201~; id\n", "\u{3}id\r", "x\ty", "!!",
        "a'!\u{7}!",
        "\u{202E}di", "\u{9B}x", "~root", "*", "{a,b}", "\u{2028}", "\u{E0041}", "\u{FEFF}", "-rf", "&|;<>()", "\"$x\"",
        "\u{0}b",
    ]

    #if canImport(Glibc)
    @Test("S7 bash reads a quoted text as one word and runs nothing of it; no control character is in what is pasted")
    func shell() async throws {
        for text in Self.hostile where !text.utf8.contains(0) {
            let quoted = ShellWords.quoted(text)
            #expect(!quoted.unicodeScalars.contains { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) })
            let shell = try await ChildProgram.output(
                of: ["/usr/bin/env", "LC_ALL=C.UTF-8", "bash", "-c", "printf '%s|' \(quoted)"])
            #expect(shell.code == 0 && shell.text == text + "|", "\(quoted)")
        }
    }
    #endif
}
