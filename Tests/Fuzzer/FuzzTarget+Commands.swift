import Godwit
import GodwitCommand
import GodwitTesting

// What the command reads: files and options that may come from elsewhere.
extension FuzzTarget {
    static var commands: [FuzzTarget] { [netrc, cookieText, checks, requestFiles, settings, routes] }

    private struct NoOutput: OutputSink {
        var isTerminal: Bool { true }
        func write(_ data: Data) async throws(OutputError) {}
    }

    private struct NoInput: InputSource {
        func read() async throws -> Data? { nil }
    }

    /// Answers with a body that the checks can look into.
    private struct Echo: HTTPTransport {
        func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
            var head = HTTPResponseHead(status: .ok)
            head.fields[.contentType] = "application/json"
            let body = Data(
                #"{"items":[{"kind":"a","n":1.5},{"kind":"b"}],"text":"tide","date":"2026-01-02T03:04:05Z"}"#.utf8)
            return HTTPResponse(head: head, body: .bytes(body), request: request)
        }
    }

    private static func run(_ line: [String], _ environment: [String: String] = [:]) async {
        var command = Command(input: NoInput(), output: NoOutput(), errors: NoOutput(), environment: environment) { _ in
            Echo()
        }
        command.clock = ImmediateClock()
        _ = await command.run(line)
    }

    private static func file(_ data: Data, _ name: String = "input") throws -> String {
        let path = "\(folder)/\(name)"
        try PrivateFile(URL(filePath: path)).replace(with: data)
        return path
    }

    private static var netrc: FuzzTarget {
        FuzzTarget.bytes(
            "netrc", words: ["machine h ", "default ", "login a ", "password \"b c\" ", "macdef m\n", "\n\n", "#"]
        ) { data in
            await run(["http://h/", "--netrc-file", try file(data), "--offline", "--show-secrets"])
        }
    }

    private static var cookieText: FuzzTarget {
        FuzzTarget.bytes(
            "cookie-text", words: ["#HttpOnly_", "\tTRUE\t", "\t0\t", "h\tFALSE\t/\tFALSE\t0\ta\tb\n", "1e400"]
        ) { data in
            await run(["http://h/", "-b", try file(data), "--offline"])
        }
    }

    private static var checks: FuzzTarget {
        FuzzTarget.text(
            "checks",
            words: [
                "jsonpath \"$.items[?(@.n > 1)]\"", "status == 200", "body contains", "matches /a+/", "count", "nth 1",
                "regex", "not ",
            ]
        ) { text in
            let lines = text.split(separator: "\n").prefix(20).map(String.init)
            await run(["http://h/"] + lines.flatMap { ["--expect", $0] })
        }
    }

    private static var requestFiles: FuzzTarget {
        FuzzTarget.bytes(
            "request-files",
            words: [
                "GET http://h/\n", "HTTP 200\n", "[Asserts]\n", "[Captures]\n", "{{a}}", "```json\n", "[Options]\n",
            ]
        ) { data in
            await run(["run", try file(data, "a.hurl"), "--no-config"])
        }
    }

    private static var settings: FuzzTarget {
        FuzzTarget.text("settings", words: ["[h]\n", "-H 'A: b'\n", "--session me\n", "#"]) { text in
            let words = text.split(separator: "\n").first.map { [String($0.prefix(200))] } ?? []
            // Words that could make a file: only requests that are not sent, and their options.
            guard
                !words.contains(where: {
                    $0.hasPrefix("-o") || $0.hasPrefix("-O") || $0.hasPrefix("-c") || $0.hasPrefix("--")
                })
            else { return }
            await run(["http://h/", "--offline"] + words)
        }
    }

    private static var routes: FuzzTarget {
        FuzzTarget.text("write-out", words: ["%{http_code}", "%{", "\\n", "%%"]) { text in
            await run(["http://h/", "-s", "-w", text])
        }
    }
}
