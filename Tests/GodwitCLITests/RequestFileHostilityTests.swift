import Godwit
import GodwitCommand
import GodwitTesting
import TestSupport
import Testing

/// Files and responses that are made to harm.
@Suite("G1 G7 godwit run: hostile files and responses", .timeLimit(.minutes(15)))
struct RequestFileHostilityTests {
    private let folder = TemporaryFolder()

    private func check(_ assert: String, _ reply: String) async throws -> Run {
        try await EchoTransport.run("GET a.example\nHTTP 200\n[Asserts]\n\(assert)\n", in: folder, reply: reply)
    }

    @Test(
        "G7 patterns that take exponential time elsewhere take linear time",
        arguments: [
            (#"body matches /^(a+)+$/"#, String(repeating: "a", count: 2000) + "!"),
            (#"body matches /^(a|a)*$/"#, String(repeating: "a", count: 2000) + "!"),
            (#"body matches /^(([a-z])+.)+[A-Z]([a-z])+$/"#, String(repeating: "a", count: 500)),
            (#"body matches /(x+x+)+y/"#, String(repeating: "x", count: 500)),
        ])
    func patterns(assert: String, reply: String) async throws {
        let start = ContinuousClock.now
        #expect(try await check(assert, reply).code == .checkFailed)
        // A search that backtracks would take longer than the universe exists.
        #expect(ContinuousClock.now - start < .seconds(60))
    }

    @Test("G7 a search that takes too many steps ends with an error")
    func steps() async throws {
        let pattern = String(repeating: "a?", count: 400) + String(repeating: "a", count: 400) + "b"
        let run = try await check("body matches /\(pattern)/", String(repeating: "a", count: 200_000))
        #expect(run.code == .checkFailed)
        #expect(run.output.contains("needs too much work on 200000 characters"))
        let text = String(repeating: "a", count: 100_000)
        let replaced = try await check("body replaceRegex /a.*b|a/ \"\" == \"\"", text)
        #expect(replaced.output.contains("needs too much work on 100000 characters"))
    }

    @Test(
        "G7 patterns that are too large are refused",
        arguments: [
            "((((a{1000}){1000}){1000}){1000})", "(?:(?:(?:(?:){1000}){1000}){1000}){1000}", "a{1001}",
            "a{9999999999999999999}",
            String(repeating: "(", count: 5000), String(repeating: "a?", count: 5000), "a***", "[z-a]", "[[:alpha:]]",
            "(?P<>a)", "\\", "a\\", "(?", "(?i", "[", "[^", "[a-", "{", "a{2,1}", "\\x{110000}", "\\u12",
            String(repeating: "()", count: 60),
        ])
    func largePatterns(pattern: String) async throws {
        let escaped = pattern.replacing("\\", with: "\\\\")
        let run = try await check("body matches \"\(escaped)\"", "a")
        // An opening brace alone is a character.
        #expect(run.code == (pattern == "{" ? .checkFailed : .usage), "\(run.output)\(run.errors)")
    }

    @Test("G7 paths that multiply their values end with an error")
    func paths() async throws {
        let wide = "[" + String(repeating: "1,", count: 5000) + "1]"
        let union = "[" + String(repeating: "*,", count: 99) + "*]"
        let run = try await check("jsonpath \"$\(union)\(union)\(union)\" exists", "[[[\(wide)]]]")
        #expect(run.code == .checkFailed)
        #expect(run.output.contains("the JSONPath visits too many values"), "\(run.output.prefix(500))")
    }

    @Test("G7 deep JSON is searched or refused, and its values are printed")
    func deepJSON() async throws {
        for depth in [500, 5000] {
            let reply = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            let run = try await check("jsonpath \"$..*\" == [[1]]", reply)
            #expect(run.code == .checkFailed)
            let nested = String(repeating: "{\"a\":", count: depth) + "1" + String(repeating: "}", count: depth)
            #expect(try await check("jsonpath \"$\" == {\"a\": 2}", nested).code == .checkFailed)
        }
    }

    @Test(
        "G7 nested parts of a file are bounded",
        arguments: [
            "X: {{\(String(repeating: "a", count: 500_000))}}", "[\(String(repeating: "A", count: 500_000))]",
            "[Options]\n\(String(repeating: "a", count: 500_000)): 1", "</\(String(repeating: "a", count: 500_000))>",
            "HTTP 200\n[Asserts]\n\(String(repeating: "a", count: 500_000)) == 1",
            "HTTP 200\n[Asserts]\nbody \(String(repeating: "a", count: 500_000)) == 1",
            "X: " + String(repeating: "{{a split \"", count: 50_000), String(repeating: "[", count: 100_000),
            String(repeating: "{\"a\":", count: 100_000), String(repeating: "<a>", count: 100_000),
            "HTTP 200\n[Asserts]\njsonpath \"$[?\(String(repeating: "(", count: 50_000))\" exists",
            "HTTP 200\n[Asserts]\njsonpath \"$[?\(String(repeating: "!", count: 50_000))@\" exists",
            "HTTP 200\n[Asserts]\njsonpath \"$[?\(String(repeating: "@[?", count: 50_000))\" exists",
            "HTTP 200\n[Asserts]\njsonpath \"$\(String(repeating: ".a", count: 1000))\" exists",
            "HTTP 200\n[Asserts]\nbody\(String(repeating: " trim", count: 1000)) exists",
        ])
    func nesting(text: String) async throws {
        let run = try await EchoTransport.run("GET a.example\n\(text)\n", in: folder, reply: "")
        #expect(run.code == .usage)
        #expect(run.errors.utf8.count < 2000)
    }

    @Test("G7 a file that is too large, or isn't UTF-8 text, is refused")
    func files() async throws {
        let large = try folder.write("# " + String(repeating: "x", count: 5 << 20), to: "large.hurl")
        #expect(await Run.godwit("run", large).errors == "godwit: \(large) is larger than 4 MB\n")
        let binary = try folder.file("binary.hurl", Data([0x47, 0xFF, 0xFE])).path
        #expect(await Run.godwit("run", binary).code == .file)
        let many = try folder.write(String(repeating: "GET a\n", count: 10_001), to: "many.hurl")
        #expect(await Run.godwit("run", many).errors.contains("more than 10000 requests"))
    }

    @Test("G7 control characters of a server don't reach the terminal")
    func terminal() async throws {
        let run = try await check("body == \"a\"", "\u{1B}[2J\u{7}x\ny")
        #expect(run.code == .checkFailed)
        #expect(!run.output.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
    }

    @Test("G7 secrets are hidden where a value is shortened or split into lines")
    func secrets() async throws {
        let key = "first part of the key\nsecond part of the key"
        let long = String(repeating: "x", count: 190) + key
        for assert in ["body == \"a\"", "body toInt == 1", "bytes == hex,00;", "jsonpath \"$.a\" == 1", "body == `a`"] {
            let text = "GET a.example\nHTTP 200\n[Asserts]\n\(assert)\n"
            for reply in [long, key, "\(key)\nz", "{\"a\": \"\(key.replacing("\n", with: "\\n"))\"}"] {
                let run = try await EchoTransport.run(text, in: folder, reply: reply, ["--secret", "key=\(key)"])
                #expect(run.code == .checkFailed)
                for part in ["first", "second", "part", "the key"] {
                    #expect(!run.output.contains(part), "\(run.output)")
                }
                #expect(!run.output.contains("66697273"), "\(run.output)")
            }
        }
    }

    private static let seeds = [
        """
        POST http://a.example/{{one}}?q=1   # comment
        Content-Type: text/plain
        [Query]
        a: b c
        [Options]
        retry: 2
        variable: x="y"
        [Cookies]
        k: v
        ```raw
        text {{one}}
        ```
        HTTP/1.1 200
        X-A: b
        [Captures]
        token: jsonpath "$.a[0]['b']" regex /(\\w+)/ redact
        [Asserts]
        status == 200
        jsonpath "$..a[?(@.b == 'c' && !(@.d < -1.5))][1:2]" count >= 1
        body matches /^(?:a|[^b-d]{2,3}?)+\\x41$/
        bytes startsWith hex,00ff;
        cookie "a[Max-Age]" not exists
        body replace "a" "{{one}}" split "," nth -1 toInt != null
        {"a": [1, {{one}}, "x{{one}}"], "b": {"c": null}}
        """,
        """
        GET a.example
        [Multipart]
        f: file,a.txt; text/plain
        HTTP *
        <a b="c"><!-- d --><e/></a>

        PUT a.example
        [BasicAuth]
        a: b
        base64,YWJj;

        PATCH a.example
        ```graphql
        { a }
        variables {"b": 1}
        ```
        HTTP 200
        [Asserts]
        header "A" toDate "%Y-%m-%dT%H:%M:%S%.f%z" format "%A %e %j" == `x`
        url urlDecode base64Decode utf8Decode == base64,YQ==;
        duration < 1000
        """,
    ]

    @Test("G7 no change of a valid file makes the parser or a run trap", arguments: 0..<8)
    func mutations(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let pieces = [
            "{{", "}}", "\"", "\\", "/", "[", "]", "{", "}", "(", ")", "```", "`", ",", ";", ":", "#", "\n", "\r\n",
            " ", "$", "..", "@",
            "9223372036854775808", "-9223372036854775808", "1e999", "\u{0}", "\u{10FFFF}", "e\u{301}", "HTTP",
            "HTTP *\n",
            "[Asserts]\n", "[Options]\n", "GET a\n", "not ", "nth ", "count", "*", "?", "%", "hex,", "file,", "\\u{",
            "repeat: 3\n",
        ]
        for round in 0..<150 {
            var scalars = Array((Self.seeds.randomElement(using: &generator) ?? "").unicodeScalars)
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                let place = Int.random(in: 0...scalars.count, using: &generator)
                let end = min(scalars.count, place + Int.random(in: 0...8, using: &generator))
                let piece = pieces.randomElement(using: &generator) ?? ""
                scalars.replaceSubrange(
                    place..<end, with: Bool.random(using: &generator) ? Array(piece.unicodeScalars) : [])
            }
            var text = String.UnicodeScalarView()
            text.append(contentsOf: scalars)
            let reply = [#"{"a": [{"b": "c", "d": -2}, [1]]}"#, "text,1", ""][round % 3]
            let run = try await EchoTransport.run(String(text), in: folder, reply: reply, ["--variable", "one=1"])
            #expect([.success, .checkFailed, .usage].contains(run.code), "\(run.code) \(run.errors)\n\(String(text))")
        }
    }

    @Test("G7 no expectation makes the parser trap", arguments: 0..<4)
    func expectations(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let pieces = [
            "status", "header A", ".a[0]", "$..b", "body", "==", "<", "matches", "/a+/", "not", "count", "nth", "-1",
            "500ms", "\"", "'",
            "{\"a\": [1]}", "[", "]", "(", "?", "@", "hex,00", "replace", "regex", "toDate", "%Y", "\\", "é",
            "cookie a[b]", "jsonpath",
        ]
        for _ in 0..<300 {
            let count = Int.random(in: 0...7, using: &generator)
            let words = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }
            let text = words.joined(separator: Bool.random(using: &generator) ? " " : "")
            let errors = CapturedOutput()
            let command = Command(input: ScriptedInput([]), output: CapturedOutput(), errors: errors, environment: [:])
            { _ in
                EchoTransport(reply: #"{"a": [1, "x"], "b": null}"#)
            }
            let code = await command.run(["get", "a.example", "--expect", text, "--capture", "a=\(text)"])
            #expect([.success, .checkFailed, .usage].contains(code), "\(text): \(errors.text)")
        }
    }
}
