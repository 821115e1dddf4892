import GodwitWire
import Testing

@Suite("B5 safe file names")
struct SafeFileNameTests {
    @Test(
        "B5 an untrusted name becomes one that stays in its folder",
        arguments: [
            ("report.pdf", "report.pdf"), ("naïve café.txt", "naïve café.txt"), ("../../x", "x"),
            ("/etc/passwd", "passwd"),
            ("C:\\windows\\x.dll", "x.dll"), ("..", nil), (".", nil), ("", nil), ("   ", nil), ("a/", nil),
            (".bashrc", "bashrc"),
            ("...a", "a"), ("a. . .", "a"), ("CON", "_CON"), ("con.txt", "_con.txt"), ("LPT9", "_LPT9"),
            ("lpt10", "lpt10"),
            ("console", "console"), ("a\u{0}b", "ab"), ("a\r\nb", "ab"), ("x\u{202E}fdp.exe", "xfdp.exe"),
            ("\u{200E}a", "a"),
            ("a:b*c?.txt", "a_b_c_.txt"), ("\u{FEFF}.\u{200B}hidden", "hidden"), ("-rf", "-rf"), ("a\u{2028}b", "ab"),
            (".\u{34F}bashrc", "bashrc"), (".\u{301}bashrc", "bashrc"), ("\u{34F}.bashrc", "bashrc"),
            (".\u{FE0F}ssh", "ssh"), ("..\u{20DD}", nil), (".\u{180B}\u{115F}x", "x"), ("a\u{34F}.txt", "a.txt"),
            (" \u{301}.profile", "profile"), ("con.\u{301}txt", "_con.\u{301}txt"), ("\u{3164}.x", "x"),
        ] as [(String, String?)])
    func names(proposed: String, safe: String?) {
        #expect(SafeFileName(proposed)?.text == safe)
    }

    @Test("B5 a long name is cut between characters, before its extension")
    func long() throws {
        let plain = try #require(SafeFileName(String(repeating: "n", count: 300) + ".tar"))
        #expect(plain.text.utf8.count == 255 && plain.text.hasSuffix("n.tar"))
        let wide = try #require(SafeFileName(String(repeating: "鳥", count: 200)))
        #expect(wide.text.utf8.count == 255)
        #expect(wide.text.allSatisfy { $0 == "鳥" })
        #expect(plain.numbered(12).text.hasSuffix("n (12).tar") && plain.numbered(12).text.utf8.count <= 255)
    }

    @Test(
        "B5 a number stands before the extension",
        arguments: [
            ("a.txt", "a (2).txt"), ("a", "a (2)"), ("a.tar.gz", "a.tar (2).gz"),
        ])
    func numbered(name: String, expected: String) {
        #expect(SafeFileName(name)?.numbered(2).text == expected)
    }

    @Test(
        "B5 Content-Disposition names a file (RFC 6266)",
        arguments: [
            ("attachment; filename=a.txt", "a.txt"), ("attachment; filename=\"a b.txt\"", "a b.txt"),
            ("attachment;filename=\"a\\\"b\"", "a\"b"), ("inline", nil), ("ATTACHMENT; FileName = x", "x"),
            ("attachment; filename=plain; filename*=UTF-8''na%C3%AFve", "naïve"),
            ("attachment; filename*=utf-8'en'%e2%82%ac%20rates; filename=x", "€ rates"),
            ("attachment; filename*=iso-8859-1''na%EFve", "naïve"),
            ("attachment; filename*=UTF-8''%FF; filename=x", "x"),
            ("attachment; filename*=koi8-r''a; filename=x", "x"), ("attachment; size=3; filename=\"a;b\"", "a;b"),
            ("attachment; filename=a; filename=b", "a"), (";filename=a", nil), ("attachment; filename", nil),
        ] as [(String, String?)])
    func disposition(field: String, name: String?) {
        #expect(ContentDisposition(field)?.fileName == name)
    }
}
