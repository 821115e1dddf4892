#if canImport(Glibc)
import Glibc
import GodwitCore
import TestSupport
import Testing

private let nodePath: String? = ["/usr/bin/node", "/usr/local/bin/node"].first { path in access(path, X_OK) == 0 }

/// Runs the page's own script in Node, and what it copies in bash.
@Suite("S7 Copies of the inspector page", .timeLimit(.minutes(15)), .enabled(if: nodePath != nil, "needs node"))
struct CopyTests {
    private static var node: String? { nodePath }

    private let folder: TemporaryFolder

    init() throws {
        folder = TemporaryFolder()
        let pages = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Tools/GodwitInspector/Page")
        for name in ["export", "list", "detail", "bodies"] {
            let script = try Data(contentsOf: pages.appending(path: "\(name).js"))
            try script.write(to: folder.url.appending(path: "\(name).js"))
        }
        try Data(#"{"type":"module"}"#.utf8).write(to: folder.url.appending(path: "package.json"))
    }

    private func output(of line: [String]) async throws -> String {
        let run = try await ChildProgram.output(of: line)
        #expect(run.code == 0)
        return run.text
    }

    /// What a copy button puts on the clipboard for a request whose every part has a text.
    private func copy(_ function: String, _ text: String) async throws -> String {
        let literal = String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
        let script = """
            import { \(function) } from "./export.js";
            const text = \(literal);
            const request = { method: text, url: "http://h/?q=" + encodeURIComponent(text) + "#" + text,
              fields: [["X-A", text], ["@/etc/passwd", "x"]], body: { text } };
            process.stdout.write(\(function)({ exchanges: [{ request }], started: request }));
            """
        let file = folder.url.appending(path: "run.js")
        try Data(script.utf8).write(to: file)
        return try await output(of: [try #require(Self.node), file.path])
    }

    private static let hostile = [
        "`id`", "$(id)", "'; id #", "a'\u{301}b", "\\(id())", "\\#(id())", "\"#; id() //", "\"##", "a\nb",
        "\u{1B}[201~id\r",
        "!!'\u{7}", "\u{202E}x", "{\"a\": \"b\\n\"}", "#\"\"\"", "\\", "\\\\#(x)",
    ]

    @Test("S7 a copied curl command has each part of a request in one shell word, and nothing that a terminal acts on")
    func curl() async throws {
        for text in Self.hostile {
            let copied = try await copy("curl", text)
            #expect(!copied.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0.value == 0x202E })
            let words = try await output(of: [
                "/usr/bin/env", "LC_ALL=C.UTF-8", "bash", "-c", "curl() { printf '%s\\0' \"$@\"; }; \(copied)",
            ]).split(separator: "\0", omittingEmptySubsequences: false).map(String.init)
            #expect(words.contains(text) && words.contains("X-A: \(text)"), "\(copied)")
            #expect(!words.contains { $0.hasPrefix("@") } && words.filter { $0 == "-X" }.count == 1, "\(copied)")
        }
    }

    @Test("S7 a copied Swift endpoint is literals: nothing in the traffic ends one or begins an interpolation")
    func swift() async throws {
        var source =
            "struct Endpoint<T> { static func custom(_ m: String, _ p: String, query: [String: String], body: Text) -> Self "
            + "{ print(m, query[\"q\"] ?? \"\", body.text, separator: \"\\0\", terminator: \"\\0\"); return Self() }\n"
            + "func header(_ n: String, _ v: String) -> Self { print(v, terminator: \"\\0\"); return self } }\n"
            + "struct Text { var text: String; static func text(_ t: String) -> Self { Self(text: t) } }\n"
            + "typealias Data = Int\nfunc id() -> String { \"RAN\" }\nlet x = \"RAN\"\n"
        for text in Self.hostile {
            let lines = try await copy("swift", text).split(separator: "\n").map(String.init)
            let call = lines.filter { !$0.hasPrefix("let api") && !$0.hasPrefix("let data") }
            source += "do { " + call.joined(separator: "\n") + "\n_ = endpoint }\n"
        }
        let file = folder.url.appending(path: "main.swift")
        try Data(source.utf8).write(to: file)
        let program = folder.path + "/main"
        _ = try await output(of: ["/usr/bin/env", "swiftc", "-Onone", file.path, "-o", program])
        let printed = try await output(of: [program])
        #expect(printed == Self.hostile.map { "\($0)\0\($0)\0\($0)\0\($0)\0" }.joined())
    }
}

extension TemporaryFolder {
    fileprivate var path: String { url.path }
}
#endif
