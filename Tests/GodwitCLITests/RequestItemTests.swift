import Godwit
import GodwitCommand
import GodwitTesting
import TestSupport
import Testing

@Suite("G1 godwit request: items", .timeLimit(.minutes(15)))
struct RequestItemTests {
    private let server: MockServer

    init() async throws {
        server = try await MockServer { _ in .text("ok") }
    }

    private var url: String { "\(server.url)items" }

    private func request() throws -> MockRequest { try #require(server.requests.first) }

    @Test("G1 name==value adds to the query that the URL already has, encoded")
    func query() async throws {
        let run = await Run.godwit("get", "\(url)?a=1", "page==2", "q==a b&c", "x\\=y==z")
        #expect(run.code == .success)
        #expect(try request().method == .get)
        #expect(try request().queryItems.map { "\($0.name)|\($0.value)" } == ["a|1", "page|2", "q|a b&c", "x=y|z"])
    }

    @Test("G1 Name:value sets a header field, Name; sends it empty, Name: removes a default one")
    func fields() async throws {
        let run = await Run.godwit("get", url, "X-Trace:on:1", "X-Empty;", "User-Agent:", "Accept:", "-H", "X-Two: a b")
        #expect(run.code == .success)
        let fields = try request().fields
        #expect(fields["X-Trace"] == "on:1")
        #expect(fields["X-Empty"] == "")
        #expect(fields["X-Two"] == "a b")
        #expect(!fields.contains(.userAgent) && !fields.contains(.accept))
    }

    @Test("G1 default header fields: User-Agent and Accept")
    func defaults() async throws {
        _ = await Run.godwit("get", url)
        #expect(try request().fields[.userAgent]?.hasPrefix("godwit/") == true)
        #expect(try request().fields[.accept] == "*/*")
        #expect(try !request().fields.contains("X-Request-ID"))
    }

    @Test("G1 name=value and name:=json make a JSON object in the order given, numbers as they were written")
    func json() async throws {
        let run = await Run.godwit(
            "request", url, "title=Spring \"tides\"", "id:=42", "size:=1.10", "tags:=[\"a\", null]", "a\\:b=c")
        #expect(run.code == .success)
        #expect(try request().method == .post)
        #expect(
            try request().text
                == #"{"title":"Spring \"tides\"","id":42,"size":1.10,"tags":["a",null],"a:b":"c"}"#)
        #expect(try request().fields[.contentType] == "application/json")
        #expect(try request().fields[.accept] == "application/json, */*;q=0.5")
    }

    @Test("G1 name=@file and name:=@file take the value from a file")
    func valuesFromFiles() async throws {
        let folder = TemporaryFolder()
        let text = try folder.write("two\nlines", to: "text")
        let json = try folder.write("{\"n\": 1}", to: "json")
        _ = await Run.godwit("post", url, "a=@\(text)", "b:=@\(json)")
        #expect(try request().text == #"{"a":"two\nlines","b":{"n":1}}"#)
    }

    @Test("G1 --form writes the items as an HTML form")
    func form() async throws {
        _ = await Run.godwit("post", url, "--form", "name=Ada L", "x=1&2")
        #expect(try request().text == "name=Ada+L&x=1%262")
        #expect(try request().fields[.contentType] == "application/x-www-form-urlencoded")
    }

    @Test("G1 --multipart sends fields and files, each file under its name and type")
    func multipart() async throws {
        let folder = TemporaryFolder()
        let path = try folder.write("{}", to: "draft.json")
        let run = await Run.godwit("post", url, "--multipart", "caption=Me", "doc@\(path)")
        #expect(run.code == .success)
        let text = try request().text
        #expect(try request().fields[.contentType]?.hasPrefix("multipart/form-data; boundary=") == true)
        #expect(text.contains("name=\"caption\"\r\n\r\nMe\r\n"))
        #expect(text.contains("name=\"doc\"; filename=\"draft.json\"\r\nContent-Type: application/json\r\n\r\n{}\r\n"))
    }

    @Test("G1 -F makes a multipart form, as in curl")
    func curlForm() async throws {
        let folder = TemporaryFolder()
        let path = try folder.write("x", to: "a.txt")
        _ = await Run.godwit("request", url, "-F", "caption=Me", "-F", "file=@\(path)")
        #expect(try request().method == .post)
        #expect(try request().text.contains("name=\"file\"; filename=\"a.txt\"\r\n"))
        #expect(try request().text.contains("name=\"caption\"\r\n\r\nMe\r\n"))
    }

    @Test("G1 @file is the body, with the type of its extension")
    func contentFile() async throws {
        let folder = TemporaryFolder()
        let path = try folder.write("<a/>", to: "a.xml")
        _ = await Run.godwit("put", url, "@\(path)")
        #expect(try request().method == .put)
        #expect(try request().text == "<a/>")
        #expect(try request().fields[.contentType]?.hasSuffix("/xml") == true)
    }

    @Test("G1 --json takes text, a file or standard input", arguments: ["text", "file", "input"])
    func jsonOption(source: String) async throws {
        let folder = TemporaryFolder()
        let path = try folder.write("{\"a\": 1}", to: "a.json")
        let argument = ["text": "{\"a\": 1}", "file": "@\(path)", "input": "-"][source] ?? ""
        let run = await Run.godwit("post", url, "--json", argument, input: ["{\"a\"", ": 1}"])
        #expect(run.code == .success)
        #expect(try request().text == "{\"a\": 1}")
        #expect(try request().fields[.contentType] == "application/json")
    }

    @Test("G1 --data sends text unchanged; several are joined, and Content-Type can be set")
    func data() async throws {
        _ = await Run.godwit("request", url, "-d", "a=1", "-d", "b=2", "Content-Type:text/x-odd")
        #expect(try request().method == .post)
        #expect(try request().text == "a=1&b=2")
        #expect(try request().fields.values(of: .contentType) == ["text/x-odd"])
    }

    @Test("G1 -u signs in by HTTP Basic, -H @FILE reads fields from lines")
    func credentials() async throws {
        let folder = TemporaryFolder()
        let path = try folder.write("X-A: 1\n\nX-B: 2\n", to: "fields")
        _ = await Run.godwit("get", url, "-u", "ada:secret", "-H", "@\(path)")
        #expect(try request().fields[.authorization] == "Basic YWRhOnNlY3JldA==")
        #expect(try request().fields["X-A"] == "1")
        #expect(try request().fields["X-B"] == "2")
    }

    @Test(
        "G1 the method is the command's, the first word's, or -X's",
        arguments: [
            (["delete", "URL"], "DELETE"), (["patch", "URL", "a=1"], "PATCH"), (["request", "URL"], "GET"),
            (["request", "PURGE", "URL"], "PURGE"), (["request", "put", "URL", "a=1"], "PUT"),
            (["request", "-X", "OPTIONS", "URL"], "OPTIONS"), (["get", "-I", "URL"], "HEAD"),
        ])
    func methods(line: [String], method: String) async throws {
        let arguments = line.map { $0 == "URL" ? url : $0 }
        let errors = CapturedOutput()
        let command = Command(input: ScriptedInput([]), output: CapturedOutput(), errors: errors)
        #expect(await command.run(arguments) == .success, "\(errors.text)")
        #expect(try request().method.rawValue == method)
    }

    @Test("G1 a URL may omit the scheme, or be a local port")
    func shortURL() async throws {
        let port = server.url.port
        #expect(await Run.godwit("get", "127.0.0.1:\(port)/a").code == .success)
        #expect(await Run.godwit("get", ":\(port)/b").code == .success)
        #expect(server.requests.map(\.path) == ["/a", "/b"])
    }
}
