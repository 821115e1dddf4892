import Godwit
import GodwitCommand
import GodwitTesting
import TestSupport
import Testing

@Suite("G1 lines of curl and HTTPie, typed from memory", .timeLimit(.minutes(15)))
struct ForeignLineTests {
    private let folder: TemporaryFolder
    private let server: MockServer

    init() async throws {
        folder = TemporaryFolder()
        var signedIn = MockResponse.text("in")
        signedIn.fields.append("s=1", for: .setCookie)
        signedIn.fields.append("t=2; Path=/x; Max-Age=60; HttpOnly", for: .setCookie)
        server = try await MockServer { [signedIn] route in
            route.get("/in").reply(signedIn)
            route.get("/missing").reply(.text("no bird", status: .notFound))
            route.any("*").reply(.text("ok"))
        }
    }

    private var url: String { "\(server.url)a" }

    private func request() throws -> MockRequest { try #require(server.requests.first) }

    // MARK: Items

    @Test("G1 Name:@file and name==@file take the text of a file, without its last line breaks, as in HTTPie")
    func itemsFromFiles() async throws {
        let file = try folder.write("sea bird\n", to: "text")
        let run = await Run.godwit("get", url, "X-A:@\(file)", "q==@\(file)", "X\\:B==@\(file)")
        #expect(run.code == .success, "\(run.errors)")
        #expect(try request().fields["X-A"] == "sea bird")
        #expect(try request().queryItems.map { "\($0.name)|\($0.value)" } == ["q|sea bird", "X:B|sea bird"])
    }

    @Test("G1 a backslash before @ sends the text, as in HTTPie")
    func escapedItems() async throws {
        _ = await Run.godwit("post", url, "X-A:\\@f.txt", "q==\\@f.txt", "a=\\@f.txt")
        #expect(try request().fields["X-A"] == "@f.txt")
        #expect(try request().queryItems.map(\.value) == ["@f.txt"])
        #expect(try request().text == "{\"a\":\"@f.txt\"}")
    }

    @Test("G1 a file of an item that can't be read, or isn't a value, is an error, and nothing is sent")
    func badFiles() async throws {
        let lines = try folder.write("a\nb", to: "lines")
        for item in ["X-A:@\(folder.path("none"))", "q==@\(folder.path("none"))"] {
            let run = await Run.godwit("get", url, item)
            #expect(run.code == .file && run.errors.contains("cannot read"), "\(run.errors)")
        }
        let run = await Run.godwit("get", url, "X-A:@\(lines)")
        #expect(run.code == .usage && run.errors.contains("line break"), "\(run.errors)")
        #expect(server.requestCount == 0)
    }

    @Test("G1 name@file;type=TYPE has that type, as in HTTPie")
    func typedPart() async throws {
        let file = try folder.write("x", to: "a.json")
        let run = await Run.godwit("post", url, "--multipart", "f@\(file);type=text/x")
        #expect(run.code == .success, "\(run.errors)")
        #expect(try request().text.contains("filename=\"a.json\"\r\nContent-Type: text/x\r\n"))
    }

    // MARK: Output

    @Test("G1 -w prints a field of the response, and all of them as JSON, as curl 7.83")
    func fieldsInReport() async throws {
        let run = await Run.godwit(
            "\(server.url)in", "-qw", "%header{content-type}|%header{X-None}|%header{set-cookie}")
        #expect(run.output == "text/plain; charset=utf-8||s=1", "\(run.errors)")
        let json = await Run.godwit("\(server.url)in", "-qw", "%{header_json}").output
        let fields = try JSONDecoder().decode([String: [String]].self, from: Data(json.utf8))
        #expect(fields["set-cookie"] == ["s=1", "t=2; Path=/x; Max-Age=60; HttpOnly"])
        #expect(fields["content-length"] == ["2"])
    }

    @Test("G1 -w @FILE reads the format from a file, as curl")
    func reportFromFile() async throws {
        let file = try folder.write("%{http_code}\n", to: "format")
        #expect(await Run.godwit(url, "-qw", "@\(file)").output == "200\n")
        #expect(await Run.godwit(url, "-qw", "@\(folder.path("none"))").code == .usage)
    }

    @Test(
        "G1 -w refuses what it doesn't know, and names it",
        arguments: [
            ("%output{a}", "%output{…}"), ("%time{%s}", "%time{…}"), ("%header{a b}", "a b"), ("%header{a", "%header{"),
            ("%{stderr}", "stderr"), ("@-", "@-"),
        ])
    func unknownReport(format: String, named: String) async {
        let run = await Run.godwit(url, "-qw", format)
        #expect(run.code == .usage && run.errors.contains(named), "\(run.errors)")
        #expect(server.requestCount == 0)
    }

    @Test(
        "G1 -c - prints the cookies in curl's format after the body, and leaves no file",
        arguments: ["request", "download"])
    func jarOnOutput(verb: String) async throws {
        let more = verb == "download" ? ["--into", folder.url.path] : []
        let run = await Run.godwit([verb, "\(server.url)in", "-c", "-"] + more)
        #expect(run.code == .success, "\(run.errors)")
        let body = verb == "download" ? "\(folder.path("in"))\n" : "in"
        #expect(run.output.hasPrefix("\(body)# Netscape HTTP Cookie File\n"), "\(run.output)")
        #expect(run.output.contains("127.0.0.1\tFALSE\t/\tFALSE\t0\ts\t1\n"))
        #expect(run.output.contains("#HttpOnly_127.0.0.1\tFALSE\t/x\tFALSE\t"))
        #expect(!FileManager.default.fileExists(atPath: "-"))
    }

    @Test("G1 an option for a file that is kept refuses -", arguments: ["-b", "--hsts", "--har"])
    func dashAsFile(option: String) async {
        let run = await Run.godwit(url, option, "-")
        #expect(run.code == .usage && run.errors.contains("./-"), "\(run.errors)")
        #expect(server.requestCount == 0 && !FileManager.default.fileExists(atPath: "-"))
    }

    @Test("G1 -o of a failed status says that the file was not written")
    func unwrittenFile() async throws {
        let run = await Run.godwit("\(server.url)missing", "-o", folder.path("b"))
        #expect(run.code == .httpStatus && run.output == "no bird")
        #expect(run.errors.contains("\(folder.path("b")) was not written"), "\(run.errors)")
        #expect(try folder.names.isEmpty)
        let silent = await Run.godwit("\(server.url)missing", "-qo", folder.path("b"))
        #expect(silent.output.isEmpty && silent.errors.contains("was not written"), "\(silent.errors)")
    }

    @Test("G1 a device gets the body of a failed status too")
    func device() async {
        let run = await Run.godwit("\(server.url)missing", "-o", "/dev/null", "-w", "%{http_code}")
        #expect(run.output == "404" && run.code == .httpStatus, "\(run.output)")
        #expect(run.errors == "godwit: HTTP 404 from GET \(server.url)missing: no bird\n")
    }

    @Test("G1 --pretty and --compact say why a body was not formatted", arguments: ["--pretty", "--compact"])
    func unformatted(option: String) async throws {
        let long = Data("[\"".utf8) + Data(repeating: UInt8(ascii: "x"), count: 9 << 20) + Data("\" ]".utf8)
        let server = try await MockServer { route in
            route.get("/long").reply(.bytes(long, contentType: "application/json"))
            route.get("/broken").reply(.bytes(Data("{oops".utf8), contentType: "application/json"))
        }
        let output = CapturedOutput()
        let run = await Run.godwit("\(server.url)long", option, output: output)
        #expect(run.code == .success && run.errors.contains("larger than 8 MiB"), "\(run.errors)")
        #expect(output.data.count == long.count)
        let broken = await Run.godwit("\(server.url)broken", option)
        #expect(broken.code == .success && broken.output == "{oops")
        #expect(broken.errors.contains("not valid JSON"), "\(broken.errors)")
        #expect(await Run.godwit("\(server.url)broken", output: CapturedOutput(isTerminal: true)).errors.isEmpty)
    }

    // MARK: Words

    @Test(
        "G1 --raw with a text names --raw and what to write",
        arguments: [
            ["URL", "--raw", "hi"], ["--raw", "hi", "URL"], ["URL", "--raw", "{\"a\":1}"], ["post", "URL", "--raw=hi"],
            ["post", "URL", "--raw", "a text: b"],
        ])
    func raw(words: [String]) async {
        let run = await Run.godwit(words.map { $0 == "URL" ? url : $0 })
        #expect(run.code == .usage, "\(run.errors)")
        #expect(run.errors.contains("--raw") && run.errors.contains("-d TEXT"), "\(run.errors)")
        #expect(server.requestCount == 0)
    }

    @Test("G1 --raw before a method, a URL or an item is no mistake")
    func rawAlone() async {
        for words in [
            ["--raw", "GET", url], ["--raw", url], ["get", url, "--raw", "a==b"], ["get", "--raw", url, "a==b"],
        ] {
            let run = await Run.godwit(words)
            #expect(run.code == .success, "\(run.errors)")
        }
    }

    @Test("G1 upload URL FILE says that the file comes first")
    func uploadOrder() async throws {
        let file = try folder.write("x", to: "a.txt")
        for address in [url, "127.0.0.1:1/a"] {
            let run = await Run.godwit("upload", address, file)
            #expect(run.code == .usage, "\(run.errors)")
            #expect(run.errors.contains("the file comes first: godwit upload FILE URL"), "\(run.errors)")
        }
        #expect(await Run.godwit("upload", url).errors.contains("the file comes first"))
        #expect(server.requestCount == 0)
    }

    @Test(
        "G1 an option of curl that godwit doesn't have says what to write",
        arguments: [
            (["-4"], "--resolve"), (["-6"], "--resolve"), (["--ipv4"], "--resolve"), (["--ipv6"], "--resolve"),
            (["--limit-rate", "1k"], "through pv"), (["--url-query", "a=b"], "name==value"),
            (["--location-trusted"], "last URL"), (["--trace-ascii", "-"], "-v twice"), (["--trace", "-"], "-v twice"),
            (["--path-as-is"], "are always resolved"), (["--http3"], "GodwitHTTP3"),
        ])
    func advice(words: [String], hint: String) async {
        let run = await Run.godwit(["get", url] + words)
        #expect(run.code == .usage && run.errors.contains("unknown option \(words[0]) ("), "\(run.errors)")
        #expect(run.errors.contains(hint), "\(run.errors)")
        #expect(server.requestCount == 0)
    }
}
