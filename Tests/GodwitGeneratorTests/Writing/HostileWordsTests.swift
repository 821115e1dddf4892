@testable import GodwitGenerator
import Testing

@Suite("G2 Hostile words in documents")
struct HostileWordsTests {
    private static let words = "*/ \"\"\"# \\(exit(1)) \r\n#endif \u{202E}\u{0} import Darwin"

    @Test("G2 words end neither comments nor literals of sources")
    func sources() {
        var plan = LibraryPlan.plan
        plan.summary = Self.words
        plan.version = Self.words
        plan.environments[0].summary = Self.words
        plan.environments[0].url += "/\"\\(exit(1))"
        plan.credentials[0].scheme.summary = Self.words
        plan.catalogs[0].summary = Self.words
        plan.catalogs[0].operations[0].summary = Self.words
        let client = ClientFiles(plan: plan, options: LibraryPlan.options)
        for file in client.sources {
            for line in file.text.split(separator: "\n") {
                guard line.contains("exit(1)") || line.contains("import Darwin") else { continue }
                let isComment = line.drop { $0 == " " }.hasPrefix("///")
                #expect(isComment || line.contains("\\\"\\\\(exit(1))"), "\(file.path): \(line)")
            }
            #expect(!file.text.contains("\u{202E}"), "\(file.path)")
        }
    }

    @Test("G2 words can't reorder or hide text of the report")
    func reorderedReport() {
        var plan = LibraryPlan.plan
        plan.title = "Birds \u{202E}x\u{2066}\u{7}👩‍🚀"
        plan.version = Self.words
        let notes = [Note(.guess, "a \u{2066}b")]
        let report = ReportWriter(plan: plan, options: LibraryPlan.options, notes: notes, files: [], testCount: 0).file
        #expect(report.text.contains(#"from Birds \u{202e}x\u{2066} 👩‍🚀, version"#))
        #expect(report.text.contains(#"- a \u{2066}b"#))
        #expect(!report.text.unicodeScalars.contains { ["\u{202E}", "\u{2066}", "\u{7}"].contains($0) })
    }

    @Test("G2 a raw literal has more signs than its text")
    func rawLiterals() {
        #expect(SwiftLiteral.rawLines("{}") == ["#\"\"\"", "{}", "\"\"\"#"])
        #expect(SwiftLiteral.rawLines("\"\"\"#").first == "##\"\"\"")
        #expect(SwiftLiteral.rawLines("\\##(x)").last == "\"\"\"###")
        #expect(SwiftLiteral.rawLines("a\nb").count == 4)
    }

    @Test("G2 a literal that was made can be read")
    func literals() {
        for text in ["plain", Self.words, "", "ä\u{301}😀", "\\n"] {
            #expect(SwiftLiteral.text(of: SwiftLiteral.string(text)) == text)
        }
        #expect(SwiftLiteral.text(of: "1") == nil)
        #expect(SwiftLiteral.text(of: "\"\\") == nil)
    }

    @Test("G2 JSON is written in printable characters")
    func json() {
        #expect(SwiftLiteral.json(Self.words) == ###""*/ \"\"\"# \\(exit(1)) \r\n#endif \u202e\u0000 import Darwin""###)
        #expect(SwiftLiteral.json("\u{10FFFF}") == #""\udbff\udfff""#)
    }

    @Test("G2 values that are too deep or too long aren't written")
    func limits() {
        var node = DocumentNode(.null)
        for _ in 0..<JSONText.depthLimit { node = DocumentNode(.array([node])) }
        #expect(JSONText.pretty(node) == nil)
        #expect(JSONText.pretty(DocumentNode(.array(Array(repeating: DocumentNode(.null), count: 5000)))) == nil)
        #expect(JSONText.pretty(DocumentNode(.object([]))) == "{}")
    }

    @Test("G2 a report has each note on one line")
    func report() {
        let notes = [Note(.omission, "a\nb", at: SourcePlace(file: "x`\ny")), Note(.omission, "a\nb")]
        let report = ReportWriter(
            plan: LibraryPlan.plan, options: GeneratorOptions(), notes: notes, files: [], testCount: 0)
        #expect(report.file.text.contains("\n- a b (`x' y`) and 1 more\n"))
    }
}
