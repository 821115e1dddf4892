import Godwit
import GodwitCommand
import GodwitTesting
import Testing

@Suite("G1 G7 --expect and --capture", .timeLimit(.minutes(15)))
struct ExpectTests {
    private static let body =
        #"{"items":[{"id":42,"name":"Ann"},{"id":7,"name":"Bo"}],"token":"a'b","empty":[],"ratio":1.5}"#

    private func server() async throws -> MockServer {
        try await MockServer { route in
            route.get("/").reply(
                MockResponse(
                    status: .ok,
                    fields: [
                        "Content-Type": "application/json", "X-Count": "12", "Set-Cookie": "s=1; Path=/a; Secure",
                    ],
                    body: .bytes(Data(Self.body.utf8))))
            route.get("/missing").reply(.text("no", status: .notFound))
            route.get("/text").reply(.text("one\ntwo\nid: 55\n"))
        }
    }

    @Test(
        "G7 an expectation that holds prints the body and exits with 0",
        arguments: [
            "status == 200", "status < 300", "status >= 200", "status not == 1", ".items[0].id == 42",
            "header Content-Type contains json", "header X-Count == 12", "header X-Count toInt > 11",
            "header X-None not exists", "duration < 60s", "duration < 60000ms",
            ".items count == 2", "body matches /\"id\":\\d+/", "body matches id", ".items[*].id == [42, 7]",
            ".items[0] == {\"name\": \"Ann\", \"id\": 42.0}", ".items[?(@.name == 'Bo')].id == 7",
            ".items[1].name == Bo",
            ".items[1].name == \"Bo\"", ".items[-1].id == 7", "$.ratio isFloat", ".empty isEmpty", ".token isString",
            ".items isCollection", ".items[0].id isInteger", ".items[0].id != 41", ".items[0].name startsWith A",
            ".items[0].name endsWith n", ".items[*].name includes Ann", ".none not exists",
            ".items[0].name not contains x",
            "cookie s == 1", "cookie s[Path] == /a", "cookie s[Secure] exists", "regex /\"id\":(\\d+)/ == 42",
            "bytes count > 10", "url contains 127.0.0.1", "version == 1.1", "jsonpath \"$..id\" count == 2",
            ".items[0].name lowercase == ann",
            "sha256 == hex,\(sha256)", "md5 == hex,\(md5);",
        ])
    func holds(expectation: String) async throws {
        let server = try await server()
        let run = await Run.godwit("get", "\(server.url)", "--expect", expectation)
        #expect(run.code == .success, "\(run.errors)")
        #expect(run.output == Self.body)
        #expect(run.errors.isEmpty)
    }

    // Computed with sha256sum and md5sum.
    private static let sha256 = "d4d1fc080e253130afc519079fb9c38d8b11b28e48735e4a5aff7d4aa079de97"
    private static let md5 = "aad844a518dab3b47c7201e5f41710cb"

    @Test("G7 a failed expectation says what was expected and found, and exits with 10")
    func fails() async throws {
        let server = try await server()
        let run = await Run.godwit(
            "get", "\(server.url)", "-q", "--expect", ".items[0].id == 41", "--expect", "status == 200", "--expect",
            "header X-None == a")
        #expect(run.code == .checkFailed)
        #expect(run.code.rawValue == 10)
        #expect(
            run.errors == """
                godwit: expectation failed: .items[0].id == 41
                  expected: == 41
                  found:    42
                godwit: expectation failed: header X-None == a
                  expected: == "a"
                  found:    nothing

                """)
    }

    @Test("G7 a failed comparison of JSON values shows their differences")
    func differences() async throws {
        let server = try await server()
        let run = await Run.godwit(
            "get", "\(server.url)", "-q", "--expect", #".items == [{"id":41,"name":"Ann","x":1}]"#)
        #expect(run.code == .checkFailed)
        #expect(
            run.errors == """
                godwit: expectation failed: .items == [{"id":41,"name":"Ann","x":1}]
                  differences (- expected, + found, ~ changed):
                    ~ $[0].id: expected 41, found 42
                    - $[0].x: 1 is missing
                    + $[1]: {"id":7,"name":"Bo"} is not expected

                """)
    }

    @Test("G7 a status of 400 or above exits with 22, unless an expectation tests the status")
    func status() async throws {
        let server = try await server()
        let tested = await Run.godwit("get", "\(server.url)missing", "--expect", "status == 404")
        #expect(tested.code == .success)
        #expect(tested.errors.isEmpty)
        #expect(tested.output == "no")
        let untested = await Run.godwit("get", "\(server.url)missing", "--expect", "body == no")
        #expect(untested.code == .httpStatus)
        #expect(await Run.godwit("get", "\(server.url)missing", "--expect", "status == 200").code == .checkFailed)
    }

    @Test(
        "G7 a check of the wrong kind of value says what it needs",
        arguments: [
            (".items > 3", "> can't compare a list with a number"),
            ("header X-Count > 3", "convert it with toInt"),
            (".items[0].id contains 4", "contains needs strings or bytes, and the value is a number: 42"),
            (".token nth 0 exists", "nth needs a list"), (".ratio matches 1", "matches needs a string"),
            ("body regex /x/ == 1", "has no group"), (".ratio isEmpty", "isEmpty needs a list"),
        ])
    func wrongKind(expectation: String, words: String) async throws {
        let server = try await server()
        let run = await Run.godwit("get", "\(server.url)", "-q", "--expect", expectation)
        #expect(run.code == .checkFailed)
        #expect(run.errors.contains(words), "\(run.errors)")
    }

    @Test("G7 a body that isn't JSON fails a check of a path")
    func notJSON() async throws {
        let server = try await server()
        let run = await Run.godwit("get", "\(server.url)text", "-q", "--expect", ".a exists")
        #expect(run.code == .checkFailed)
        #expect(run.errors.contains("expectation failed: .a exists: the body is not JSON: line 1, column 1"))
        #expect(await Run.godwit("get", "\(server.url)text", "--expect", "regex 'id: (\\d+)' == 55").code == .usage)
        #expect(
            await Run.godwit("get", "\(server.url)text", "--expect", "regex \"id: (\\\\d+)\" == 55").code == .success)
    }

    @Test(
        "G7 an invalid expectation is a usage error that names the column, and sends nothing",
        arguments: [
            ("", 1, "expected a query"), ("staus == 200", 1, "did you mean status?"),
            ("status", 7, "expected a predicate such as ==, contains or exists, and the text ends"),
            ("status = 200", 8, "expected a predicate"), ("status ==", 10, "expected a value"),
            (".items[0 == 1", 10, "unexpected \"=\" in the JSONPath"), (".a[0", 3, "\"[\" has no \"]\""),
            ("header", 7, "a space after header"),
            (".a containz b", 4, "did you mean contains?"), ("body matches /(/", 15, "has no \")\""),
            ("body matches /(?=a)/", 17, "no lookaround"), ("duration < soon", 12, "500ms"),
            (".a == [1", 7, "no end"), ("xpath \"//a\" exists", 1, "xpath isn't supported"),
            (".a exists now", 11, "expected the end"), ("$.a.length() == 1", 5, "use a filter such as count"),
            (".a == hex,0", 7, "hexadecimal"),
        ])
    func syntax(expectation: String, column: Int, words: String) async throws {
        let run = await Run.godwit("get", "http://127.0.0.1:1/", "--expect", expectation)
        #expect(run.code == .usage)
        #expect(run.errors.contains("--expect '\(expectation)': column \(column): "), "\(run.errors)")
        #expect(run.errors.contains(words), "\(run.errors)")
    }

    @Test("G7 --capture prints names and values for a shell instead of the body")
    func captures() async throws {
        let server = try await server()
        let run = await Run.godwit(
            "get", "\(server.url)", "--capture", "token=.token", "--capture", "id=.items[0].id", "--capture",
            "type=header Content-Type", "--capture", "all=.items[0]", "--capture", "code=status", "--capture",
            "s=cookie s", "--capture", "n=regex /name\":\"(\\w+)/")
        #expect(run.code == .success)
        #expect(
            run.output == """
                token='a'\\''b'
                id=42
                type=application/json
                all='{"id":42,"name":"Ann"}'
                code=200
                s=1
                n=Ann

                """)
        let json = await Run.godwit("get", "\(server.url)", "--capture", "id=.items[0].id", "--json-output")
        #expect(json.output == "{\"id\":42}\n")
    }

    @Test("G7 captured numbers keep their digits, and members are told apart by code units")
    func exactValues() async throws {
        let text = #"{"u": 18446744073709551615, "d": 1.0, "e": 0.1000000000000000055, "\u00e1": 1, "a\u0301": 2}"#
        let server = try await MockServer { route in
            route.get("/").reply(.bytes(Data(text.utf8), contentType: "application/json"))
        }
        let run = await Run.godwit(
            "get", "\(server.url)", "--capture", "u=.u", "--capture", "d=.d", "--capture", "e=.e", "--capture",
            "c=jsonpath \"$['a\u{301}']\"", "--expect", ".u == 18446744073709551615", "--expect", ".d == 1")
        #expect(run.code == .success, "\(run.errors)")
        #expect(run.output == "u=18446744073709551615\nd=1.0\ne=0.1000000000000000055\nc=2\n")
        for wrong in [".u == 18446744073709551614", ".u > 18446744073709551615", ".d isInteger", ".e == 0.1"] {
            #expect(await Run.godwit("get", "\(server.url)", "--expect", wrong).code == .checkFailed, "\(wrong)")
        }
    }

    @Test("G7 a capture that finds nothing exits with 10; an invalid one is a usage error")
    func missingCapture() async throws {
        let server = try await server()
        let run = await Run.godwit("get", "\(server.url)", "--capture", "a=.none")
        #expect(run.code == .checkFailed)
        #expect(run.output.isEmpty)
        #expect(run.errors == "godwit: the capture a finds nothing\n")
        for (text, words) in [("=.a", "starts with a name"), ("a.b", "= after the name"), ("a=.b == 1", "the end")] {
            let run = await Run.godwit("get", "\(server.url)", "--capture", text)
            #expect(run.code == .usage)
            #expect(run.errors.contains(words), "\(run.errors)")
        }
        let failed = await Run.godwit("get", "\(server.url)missing", "--capture", "a=status")
        #expect(failed.code == .httpStatus)
        #expect(failed.output == "a=404\n")
    }
}
