import Godwit
import GodwitCommand
import GodwitTesting
import TestSupport
import Testing

/// The grammar of request files, without sockets: a transport answers with what the request says.
@Suite("G1 G7 godwit run: the grammar of files", .timeLimit(.minutes(15)))
struct RequestFileGrammarTests {
    private let folder = TemporaryFolder()

    private func run(_ text: String, answering reply: String = "", _ arguments: String...) async throws -> Run {
        try await EchoTransport.run(text, in: folder, reply: reply, arguments)
    }

    @Test(
        "G7 bodies are sent as the file spells them",
        arguments: [
            ("{\n  \"a\": [1, \"}\"], \"b\": {}\n}", "{\n  \"a\": [1, \"}\"], \"b\": {}\n}", "application/json"),
            ("[\"Options\", 1]", "[\"Options\", 1]", "application/json"), ("\"text\"", "\"text\"", "application/json"),
            ("true", "true", "application/json"), ("-1.5e3", "-1.5e3", "application/json"),
            ("```\nline 1\n  line 2\n```", "line 1\n  line 2\n", "-"), ("``````", "", "-"), ("```one```", "one", "-"),
            ("```json\n{\"a\": {{n}}}\n```", "{\"a\": 7}\n", "application/json"),
            ("```raw,novariable\n{{n}}\\n\n```", "{{n}}\\n\n", "-"), ("```,escape\na\\tb\n```", "a\tb\n", "-"),
            ("```hex\n61 62\n```", "ab", "-"), ("`a {{n}} \\` b`", "a 7 ` b", "-"),
            ("base64,aGVs\n  bG8=;", "hello", "-"), ("hex,68656c6c6f;", "hello", "-"),
            ("file,data.txt;", "file text", "-"),
            ("file,sub\\ dir/{{n}}.txt;", "seven", "-"),
            (
                "<?xml version=\"1.0\"?>\n<!-- <b> -->\n<a x='>'>\n  <b/>{{n}}<![CDATA[</a>]]>\n</a>",
                "<?xml version=\"1.0\"?>\n<!-- <b> -->\n<a x='>'>\n  <b/>7<![CDATA[</a>]]>\n</a>", "-"
            ),
            (
                "{\"n\": {{n}}, \"q\": \"{{quote}}\", \"{{n}}\": \"\\\"\"}",
                "{\"n\": 7, \"q\": \"a\\\"b\", \"7\": \"\\\"\"}",
                "application/json"
            ),
            (
                "```graphql\nquery A($id: ID!) {\n  a(id: $id)\n}\n\nvariables {\n  \"id\": \"{{quote}}\"\n}\n```",
                "{\"query\":\"query A($id: ID!) {\\n  a(id: $id)\\n}\\n\",\"variables\":{\n  \"id\": \"a\\\"b\"\n}\n}",
                "application/json"
            ),
        ])
    func bodies(body: String, sent: String, type: String) async throws {
        _ = try folder.write("file text", to: "data.txt")
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "sub dir"), withIntermediateDirectories: false)
        _ = try folder.write("seven", to: "sub dir/7.txt")
        let text = """
            POST http://a.example/
            \(body)   # A comment.
            HTTP 200
            [Asserts]
            header "X-Body" == `\(sent.utf8.map { String($0, radix: 16) }.joined(separator: "-"))`
            header "X-Type" == "\(type)"
            """
        let run = try await run(text, answering: "", "--variable", "n=7", "--variable", "quote=a\"b")
        #expect(run.code == .success, "\(run.output)\(run.errors)")
    }

    @Test(
        "G7 a response body is compared: JSON by value, other text exactly, and bytes",
        arguments: [
            ("{\"b\": [1.0], \"a\": null}", "{\"a\":null,\"b\":[1]}", true), ("{\"a\": 1}", "{\"a\": 2}", false),
            ("```\na\n```", "a\n", true), ("```\na\n```", "a", false), ("`a`", "a", true), ("hex,61;", "a", true),
            ("base64,YQ==;", "b", false), ("```json\n[1]\n```", " [ 1 ]", true), ("<a>1</a>", "<a>1</a>", true),
            ("file,data.txt;", "file text", true), ("{}", "no", false), ("null", "null", true),
        ])
    func responseBodies(expected: String, reply: String, passes: Bool) async throws {
        _ = try folder.write("file text", to: "data.txt")
        let run = try await run("GET a.example\nHTTP 200\n\(expected)\n", answering: reply)
        #expect(run.code == (passes ? .success : .checkFailed), "\(run.output)\(run.errors)")
    }

    // Each filter and predicate, on one document.
    @Test(
        "G7 queries, filters and predicates",
        arguments: [
            #"jsonpath "$.list" count == 3"#, #"jsonpath "$.list" first == 1"#, #"jsonpath "$.list" last == 3"#,
            #"jsonpath "$.list" nth -2 == 2"#, #"jsonpath "$.text" regex /Hello (\w+)!/ == "Bob""#,
            #"jsonpath "$.text" regex "(B.)" == "Bo""#, #"jsonpath "$.text" replace "Bob" "Al" == "Hello Al!""#,
            #"jsonpath "$.text" replaceRegex /(B)(.)b/ "$2$1" == "Hello oB!""#,
            #"jsonpath "$.text" replace /l+/ "L" == "HeLo Bob!""#, #"jsonpath "$.ips" split ", " count == 2"#,
            #"jsonpath "$.ips" split ", " nth 1 == "10.0.0.1""#, #"jsonpath "$.id" toInt == 123"#,
            #"jsonpath "$.pi" toFloat > 3.14"#, #"jsonpath "$.n" toString == "1.5""#, #"jsonpath "$.n" toInt == 1"#,
            #"jsonpath "$.url" urlEncode == "https%3A//a.example/%3Fx%3D%C3%A9""#,
            #"jsonpath "$.url" urlQueryParam "x" == "é""#, #"jsonpath "$.encoded" urlDecode == "a é""#,
            #"jsonpath "$.b64" base64Decode == hex,68c3a9;"#, #"jsonpath "$.b64" base64Decode utf8Decode == "hé""#,
            #"jsonpath "$.b64" base64Decode base64Encode == "aMOp""#,
            #"jsonpath "$.b64" base64Decode toHex == "68c3a9""#,
            #"jsonpath "$.text" utf8Encode base64UrlSafeEncode == "SGVsbG8gQm9iIQ""#,
            #"jsonpath "$.html" htmlUnescape == "<é> & x""#,
            #"jsonpath "$.html" htmlUnescape htmlEscape == "&lt;é&gt; &amp; x""#,
            #"jsonpath "$.json" jsonpath "$.a[1]" == 5"#, #"jsonpath "$.text" uppercase == "HELLO BOB!""#,
            #"jsonpath "$.padded" trim == "x""#, #"bytes decode "utf-8" jsonpath "$.id" == "123""#,
            #"jsonpath "$.date" toDate "%+" format "%A, %e %B %Y %H:%M" == "Monday, 23 January 2023 16:25""#,
            #"jsonpath "$.date" toDate "%Y-%m-%dT%H:%M:%S%.f%z" isDate"#, #"jsonpath "$.date" isIsoDate"#,
            #"jsonpath "$.http" toDate "%a, %d %b %Y %H:%M:%S GMT" daysBeforeNow > 1000"#,
            #"jsonpath "$.http" format "%F %T" == "2021-01-13 22:23:01""#, #"jsonpath "$.uuid" isUuid"#,
            #"jsonpath "$.ip" isIpv4"#, #"jsonpath "$.ip6" isIpv6"#, #"jsonpath "$.text" not isIpv6"#,
            #"jsonpath "$.list" isList"#, #"jsonpath "$.object" isObject"#, #"jsonpath "$.object" isCollection"#,
            #"jsonpath "$.n" isFloat"#, #"jsonpath "$.n" isNumber"#, #"jsonpath "$.n" not isInteger"#,
            #"jsonpath "$.flag" isBoolean"#, #"jsonpath "$.flag" == true"#, #"jsonpath "$.nil" == null"#,
            #"jsonpath "$.nil" exists"#, #"jsonpath "$.none" not exists"#, #"jsonpath "$.empty" isEmpty"#,
            #"jsonpath "$.object" not isEmpty"#, #"jsonpath "$.list" includes 2"#, #"jsonpath "$.list" contains 2"#,
            #"jsonpath "$.list" not includes 9"#, #"jsonpath "$.list" == [1, 2.0, 3]"#,
            #"jsonpath "$.object" == {"a b": 1}"#,
            #"jsonpath "$.text" equals "Hello Bob!""#, #"jsonpath "$.text" notEquals "x""#,
            #"jsonpath "$.n" greaterThan 1"#, #"jsonpath "$.n" greaterThanOrEquals 1.5"#, #"jsonpath "$.n" lessThan 2"#,
            #"jsonpath "$.n" lessThanOrEquals 1.5"#, #"jsonpath "$.text" < "I""#,
            #"jsonpath "$.text" matches "^Hello \\w{3}!$""#,
            #"jsonpath "$.text" matches /(?i)^hello/"#, #"jsonpath "$.text" == "Hello \u{42}ob!""#,
            #"jsonpath "$.text" == `Hello Bob!`"#, #"jsonpath "$['object']['a b']" == 1"#,
            #"jsonpath "$..price" count == 3"#, #"jsonpath "$.items[?(@.price < 10 && @.kind == 'a')].id" == 1"#,
            #"jsonpath "$.items[?(!@.kind || @.price >= 30)]" count == 2"#, #"jsonpath "$.items[0,2].id" == [1, 3]"#,
            #"jsonpath "$.items[1:].id" == [2, 3]"#, #"jsonpath "$.items[:-1].id" == [1, 2]"#,
            #"jsonpath "$.items[*].id" count == 3"#, #"jsonpath "$.items[?(@.id == 9)]" not exists"#,
            #"jsonpath "$.items[-1].id" == 3"#, #"jsonpath "$.items[?(@.tags[?(@ == 'x')])].id" == 2"#,
            #"jsonpath "$.items[?(@.id == 1)]" count == 1"#, #"jsonpath "$.items[?(@.id == 9)]" count == 0"#,
            #"jsonpath "$.items[?(@.id == 1)].id" includes 1"#, #"jsonpath "$.items[?(@.id == 9)]" isEmpty"#,
            #"jsonpath "$.items[?(@.id == 1)]" not isEmpty"#, #"jsonpath "$.items[?(@.id == 1)].id" isList"#,
            #"body jsonpath "$.items[?(@.id == 1)].id" not includes 9"#,
            #"jsonpath "$.items[?(@.id == 1)].id" nth 0 == 1"#, #"body jsonpath "$.items[?(@.id == 9)]" count == 0"#,
            #"jsonpath "$..*" count > 20"#, #"jsonpath "$.{{name}}" count == 3"#,
            #"jsonpath "$.id" matches "^{{one}}\\d+$""#,
            #"jsonpath "$.list[0]" == {{one}}"#, #"jsonpath "$.text" == "{{greeting}} Bob!""#,
            #"jsonpath "$.text" == {{ greeting replace "Hello" "Hello Bob!" }}"#, #"body contains "Bob""#,
            #"bytes startsWith hex,7b;"#, #"bytes endsWith "}""#, #"regex /"id": "(\d+)"/ == "123""#, #"status == 200"#,
            #"variable "one" == 1"#, #"variable "nothing" not exists"#, #"duration >= 0"#,
            #"url == "http://a.example/""#,
            #"sha256 != hex,00;"#, #"header "X-Type" == "-""#,
        ])
    func checks(line: String) async throws {
        let document = """
            {"list": [1, 2, 3], "text": "Hello Bob!", "ips": "10.0.0.2, 10.0.0.1", "id": "123", "pi": " 3.1416 ", "n": 1.5,
            "url": "https://a.example/?x=é", "encoded": "a%20%C3%A9", "b64": "aMOp", "html": "&lt;&#xE9;> &amp; &#120;",
            "json": "{\\"a\\": [4, 5]}", "padded": " x\\n", "date": "2023-01-23T18:25:43.511+02:00",
            "http": "Wed, 13 Jan 2021 22:23:01 GMT", "uuid": "01cc0f54-8885-4a1d-9121-ae5d316a33c5", "ip": "127.0.0.1",
            "ip6": "::1", "flag": true, "nil": null, "empty": [], "object": {"a b": 1},
            "items": [{"id": 1, "price": 5, "kind": "a"}, {"id": 2, "price": 30, "kind": "b", "tags": ["x"]},
            {"id": 3, "price": 7}]}
            """
        let text = "GET http://a.example/\nHTTP 200\n[Asserts]\n\(line)\n"
        let run = try await run(
            text, answering: document, "--variable", "one=1", "--variable", "name=list", "--variable", "greeting=Hello")
        #expect(run.code == .success, "\(run.output)\(run.errors)")
        // The opposite fails: no check passes whatever the value is.
        let words = ["==", "!=", "<", ">", ">=", "equals", "exists", "isList", "contains", "matches", "count"]
        guard words.contains(where: line.contains) else { return }
        let negated = try await self.run(
            text.replacingLast(in: line), answering: document, "--variable", "one=1", "--variable", "name=list",
            "--variable",
            "greeting=Hello")
        #expect(negated.code == .checkFailed || negated.code == .usage, "\(negated.output)\(negated.errors)")
    }

    @Test(
        "G7 a fault of a file names its line and column",
        arguments: [
            ("get http://a\n", "1:1: expected a request such as GET"), ("GET\n", "1:1: expected a request"),
            ("CONNECT a\n", "1:1: CONNECT isn't supported"),
            ("GET a\nnonsense\n", "2:1: expected a header field, a section, a body, HTTP or the next request"),
            ("GET a\n[Qery]\n", "2:1: [Qery] is not a section of a request (did you mean Query?)"),
            ("GET a\n[Asserts]\n", "2:1: [Asserts] is not a section of a request"),
            ("GET a\nHTTP 200\n[Query]\n", "3:1: [Query] is not a section of a response"),
            ("GET a\nHTTP/4 200\n", "2:1: unknown version HTTP/4"), ("GET a\nHTTP ok\n", "2:6: expected a status"),
            ("GET a\nHTTP\n", "2:5: expected a status such as 200, or *, and the line ends"),
            ("GET a\nHTTP 200 OK\n", "2:10: expected the end of the line, found \"OK\""),
            ("GET a\n{\"a\": 1,}\n", "2:9: invalid JSON: expected a key in quotes"),
            ("GET a\n{\"a\": {{b}}\n", "2:1: the JSON value has no end"),
            ("GET a\n{\"a\": ]\n", "2:7: unexpected \"]\""),
            ("GET a\n<a><b></a>\n", "2:7: </a> closes another element"), ("GET a\n<a>\n", "2:1: the XML has no end"),
            ("GET a\n```\nx\n", "2:1: ``` has no end"), ("GET a\n```yaml\n```\n", "2:4: unknown language \"yaml\""),
            ("GET a\nhex,0;\n", "2:1: invalid hexadecimal digits"), ("GET a\nfile,x\n", "2:6: file,… has no closing ;"),
            ("GET a\nX: \\q\n", "2:4: unknown escape \\q"), ("GET a\nX: {{a\n", "2:4: {{ has no }}"),
            ("GET a\nX: {{1}}\n", "2:6: expected the name of a variable after {{"),
            ("GET a\n[Options]\ninsecure: true\n", "3:1: the option insecure isn't supported; certificates are always"),
            ("GET a\n[Options]\nretri: 1\n", "3:1: the option retri isn't supported (did you mean retry?)"),
            ("GET a\n[Options]\nretry: -1\n", "3:8: retry: write a number from 0 to 10000"),
            ("GET a\n[Options]\ndelay: soon\n", "3:8: delay: write a duration such as 500ms or 2s"),
            ("GET a\n[BasicAuth]\na: b\nc: d\n", "3:1: [BasicAuth] has one line"),
            ("GET a\nHTTP 200\n[Captures]\n1a: body\n", "4:1: a capture starts with the name of a variable"),
            (
                "GET a\nHTTP 200\n[Captures]\na: bdy\n",
                "4:4: expected a query such as status, header or jsonpath, found \"bdy\" (did you mean body?)"
            ),
            ("GET a\nHTTP 200\n[Asserts]\nxpath \"//a\" exists\n", "4:1: xpath isn't supported"),
            ("GET a\nHTTP 200\n[Asserts]\nheader Content-Type exists\n", "4:8: expected a name in quotes after header"),
            ("GET a\nHTTP 200\n[Asserts]\njsonpath \"$.a[\" exists\n", "4:15: the JSONPath is incomplete"),
            ("GET a\nHTTP 200\n[Asserts]\njsonpath \"$[(@.length-1)]\" exists\n", "4:13: scripts such as"),
            (
                "GET a\nHTTP 200\n[Asserts]\njsonpath \"$[?length(@.a) > 1]\" exists\n",
                "4:14: the function length() isn't supported"
            ),
            ("GET a\nHTTP 200\n[Asserts]\nbody matches /a(b/\n", "4:16: the group has no \")\""),
            (
                "GET a\nHTTP 200\n[Asserts]\nbody matches /a(?!b)/\n",
                "4:18: \"(?!\" isn't supported: patterns have no lookaround"
            ),
            (
                "GET a\nHTTP 200\n[Asserts]\nbody matches /(a)\\1/\n",
                "4:19: back references such as \\1 aren't supported"
            ),
            (
                "GET a\nHTTP 200\n[Asserts]\nstatus == two\n",
                "4:11: expected a value (strings are in quotes), found \"two\""
            ),
            ("GET a\nHTTP 200\n[Asserts]\nbody == \"a\n", "4:9: the quote has no end"),
            ("GET a\nHTTP 200\n[Asserts]\nstatus\n", "4:7: expected a predicate"),
        ])
    func faults(text: String, message: String) async throws {
        let run = try await run(text)
        #expect(run.code == .usage)
        #expect(run.errors.contains("a.hurl:\(message)"), "\(run.errors)")
        #expect(run.output.isEmpty)
    }

    @Test("G7 files of bodies are read only below the folder of the request file, or --file-root")
    func fileRoot() async throws {
        let outside = TemporaryFolder()
        let secret = try outside.write("secret", to: "secret.txt")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("link.txt"), withDestinationPath: secret)
        for name in ["../\(outside.url.lastPathComponent)/secret.txt", secret, "link.txt", "a/../../x", "."] {
            let request = try await run("POST a.example\nfile,\(name);\n")
            #expect(request.code == .checkFailed)
            #expect(
                request.output.contains("is outside of") || request.output.contains("cannot read"), "\(request.output)")
            let response = try await run("GET a.example\nHTTP 200\nfile,\(name);\n", answering: "secret")
            #expect(response.code == .checkFailed)
            let part = try await run("POST a.example\n[Multipart]\na: file,\(name);\n")
            #expect(part.code == .checkFailed)
        }
        let inside = try await run(
            "GET a.example\nHTTP 200\nfile,secret.txt;\n", answering: "secret", "--file-root", outside.url.path)
        #expect(inside.code == .success, "\(inside.output)")
        #expect(try await run("POST a.example\nfile,none.txt;\n").output.contains("cannot read the file"))
    }

    @Test("G7 multipart forms have fields and files with their types")
    func multipart() async throws {
        _ = try folder.write("{}", to: "a.bin")
        let text = """
            POST http://a.example/
            [MultipartFormData]
            name: Ann B.
            doc: file,a.bin; application/json
            HTTP 200
            [Asserts]
            body contains "name=\\"name\\""
            body contains "Ann B."
            body contains "filename=\\"a.bin\\""
            body contains "Content-Type: application/json"
            """
        let run = try await run(text, answering: EchoTransport.sentBody)
        #expect(run.code == .success, "\(run.output)\(run.errors)")
    }

    @Test("G7 line ends, comments, escapes and templates in every place")
    func spelling() async throws {
        let text = """
            \u{FEFF}# A file with CRLF.

              GET http://a.example/{{one}} # not part of the URL
              X-Hash: a\\#b   # a comment
            # between
            X-Empty:
            X-{{one}}: {{one}}{{one}}

              HTTP   200   # any version

            [Asserts]

            status == 200# adjacent

            GET http://a.example/
            """
        let crlf = text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n")
        for text in [text, crlf, text + "\n\n"] {
            let run = try await run(text, answering: "", "--variable", "one=1")
            #expect(run.code == .success, "\(run.output)\(run.errors)")
            #expect(run.output.contains("2 requests"))
        }
        #expect(try await run("").output.hasSuffix("1 file, 0 requests: 1 passed, 0 failed\n"))
    }
}

extension String {
    /// The text with the check of its last line negated.
    fileprivate func replacingLast(in line: String) -> String {
        let predicates = [
            " ==", " !=", " >=", " <", " >", " equals", " notEquals", " greaterThan", " lessThan", " contains",
            " matches",
            " exists", " includes", " isEmpty", " is", " startsWith", " endsWith",
        ]
        for predicate in predicates {
            if let range = line.ranges(of: predicate).last {
                let isNegated = line[..<range.lowerBound].hasSuffix(" not")
                let head =
                    isNegated ? String(line[..<range.lowerBound].dropLast(4)) : line[..<range.lowerBound] + " not"
                return replacing(line, with: head + line[range.lowerBound...])
            }
        }
        return self
    }
}
