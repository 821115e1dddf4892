import GodwitSupport
import GodwitWire
import Testing

@Suite("S8 TerminalText")
struct TerminalTextTests {
    @Test(
        "S8 what a terminal would act on, or hides text with, is shown escaped; other text stays",
        arguments: [
            ("plain é 鳥 👩‍👩‍👧 a\\b", "plain é 鳥 👩‍👩‍👧 a\\b"), ("a\u{1B}[2Jb", "a\\u{1b}[2Jb"), ("a\u{7}b", "a\\u{7}b"),
            ("a\u{9B}31mb", "a\\u{9b}31mb"), ("a\u{7F}b", "a\\u{7f}b"), ("x\u{202E}fdp.exe", "x\\u{202e}fdp.exe"),
            ("a\u{2066}b\u{2069}", "a\\u{2066}b\\u{2069}"), ("a\u{61C}\u{200F}", "a\\u{61c}\\u{200f}"),
            ("a\u{2028}b", "a\\u{2028}b"), ("\u{FEFF}a", "\\u{feff}a"), ("a\u{E0041}", "a\\u{e0041}"),
            ("a\u{0}b", "a\\u{0}b"), ("", ""), ("\u{1B}\u{301}", "\\u{1b}\u{301}"),
        ])
    func escaped(text: String, shown: String) {
        #expect(TerminalText.escaped(text) == shown)
        #expect(TerminalText.escapedLines(text) == shown)
        var stream = TerminalText()
        let bytes = stream.escaped(Data(text.utf8)) + stream.finish()
        #expect(String(decoding: bytes, as: UTF8.self) == shown)
    }

    @Test(
        "S8 every character that is a control, a format or invisible is escaped, except what emoji and scripts join with"
    )
    func classes() {
        let joining: Set<UInt32> = [0x200C, 0x200D, 0xFE0E, 0xFE0F]
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let category = scalar.properties.generalCategory
            let isHidden =
                [.control, .format, .lineSeparator, .paragraphSeparator].contains(category)
                || scalar.properties.isDefaultIgnorableCodePoint
            let isEscaped = scalar.isUnsafeInTerminals
            if isEscaped != (isHidden && !joining.contains(value)) {
                Issue.record("\(Hexadecimal.short(UInt64(value)))")
            }
        }
        for hidden in ["\u{AD}", "\u{34F}", "\u{115F}", "\u{180E}", "\u{3164}", "\u{FE00}", "\u{E0100}", "\u{1D173}"] {
            #expect(TerminalText.escaped("a\(hidden)b").hasPrefix("a\\u{"))
        }
    }

    @Test("S8 lines and tabs stay in a text of several lines, and are escaped in one line; a lone CR always is")
    func lines() {
        let text = "a\tb\nc\r\nd\re"
        #expect(TerminalText.escaped(text) == "a\\tb\\nc\\r\\nd\\re")
        #expect(TerminalText.escapedLines(text) == "a\tb\nc\r\nd\\re")
    }

    @Test(
        "S8 a stream is escaped alike wherever its chunks end, also within a character; other bytes are shown in hexadecimal"
    )
    func chunks() {
        let text =
            Data("a\u{202E}é\r\n👩‍👧\u{9B}b\r".utf8) + Data([0x9B, 0x41, 0xE2, 0x80]) + Data("c\u{1B}".utf8) + Data([0xF0])
        let whole = "a\\u{202e}é\r\n👩‍👧\\u{9b}b\\r\\x9bA\\xe2\\x80c\\u{1b}\\xf0"
        for first in 0...text.count {
            for second in first...text.count {
                var stream = TerminalText()
                var shown = stream.escaped(text[..<first])
                shown += stream.escaped(text[first..<second])
                shown += stream.escaped(text[second...])
                shown += stream.finish()
                #expect(String(decoding: shown, as: UTF8.self) == whole, "\(first) \(second)")
            }
        }
    }
}
