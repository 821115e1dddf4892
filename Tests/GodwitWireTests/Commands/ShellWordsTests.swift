import GodwitWire
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
        "G4 whatever is quoted is read back as it was", arguments: ["", "a", "it's", "a b", "$x `y`", "\n", "é😀", "-"])
    func roundTrip(_ text: String) throws {
        #expect(try ShellWords.split("x " + ShellWords.quoted(text)) == ["x", text])
    }
}
