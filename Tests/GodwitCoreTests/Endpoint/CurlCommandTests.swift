import GodwitCore
import Testing

@Suite("A request as a curl command, and back")
struct CurlCommandTests {
    @Test("G4 a GET is its URL and its fields")
    func get() throws {
        var request = HTTPRequest(url: try HTTPURL("https://api.example.com/v1/articles?q=a%20b"))
        request.fields[.accept] = "application/json"
        #expect(
            request.curlCommand == "curl 'https://api.example.com/v1/articles?q=a%20b' -H 'Accept: application/json'")
    }

    @Test("G4 S1 credentials are omitted unless asked for, in fields, query and body")
    func secrets() throws {
        var request = HTTPRequest(method: .post, url: try HTTPURL("https://h.example/?access_token=s3cret"))
        request.fields[.authorization] = "Bearer s3cret"
        request.fields[.contentType] = "application/json"
        request.body = #"{"user": "ann", "password": "s3cret"}"#
        #expect(!request.curlCommand.contains("s3cret"))
        #expect(request.curlCommand.contains("ann"))
        let shown = request.curlCommand(secrets: .shown)
        #expect(shown.contains("Bearer s3cret") && shown.contains("access_token=s3cret"))
    }

    @Test("G4 a body that is not text comes through base64, a file by its path, a stream from standard input")
    func bodies() throws {
        var request = HTTPRequest(method: .put, url: try HTTPURL("https://h.example/x"))
        request.body = .bytes(Data([0, 255]))
        #expect(
            request.curlCommand
                == "echo AP8= | base64 -d | curl -X PUT https://h.example/x -H Content-Type: --data-binary @-")
        request.body = .file(at: URL(filePath: "/tmp/a b"))
        #expect(request.curlCommand.hasSuffix("--data-binary '@/tmp/a b'"))
        request.body = .stream { AsyncStream<Data> { $0.finish() } }
        #expect(request.curlCommand.hasSuffix("--data-binary @-"))
    }

    @Test(
        "G4 what curl would send is read from its command",
        arguments: [
            ("curl https://h.example/a", "GET https://h.example/a", ""),
            ("h.example/a", "GET http://h.example/a", ""),
            ("curl -X DELETE 'https://h.example/a'", "DELETE https://h.example/a", ""),
            ("curl -XPATCH -d x=1 https://h.example", "PATCH https://h.example/", "x=1"),
            ("curl https://h.example -d a=1 --data-raw b=@2", "POST https://h.example/", "a=1&b=@2"),
            ("curl -G https://h.example/s -d q=1 --data-urlencode 'w=a b'", "GET https://h.example/s?q=1&w=a%20b", ""),
            ("curl --json '{}' https://h.example", "POST https://h.example/", "{}"),
            ("curl -I https://h.example", "HEAD https://h.example/", ""),
            ("curl -sSL --compressed -o out https://h.example", "GET https://h.example/", ""),
        ])
    func parsed(_ command: String, _ line: String, _ body: String) async throws {
        let request = try HTTPRequest(curl: command)
        #expect(request.description == line)
        #expect(try await request.body?.collect(upTo: 1000) ?? Data() == Data(body.utf8))
    }

    @Test("G4 fields, credentials and limits are read")
    func fields() throws {
        let request = try HTTPRequest(
            curl:
                "curl https://h.example -H 'X-A: 1' -H 'Accept:' -u ann:pw -A me -b 'a=1; b=2' -m 2.5 -e https://r.example"
        )
        #expect(request.fields["X-A"] == "1")
        #expect(request.fields[.accept] == nil)
        #expect(request.fields[.authorization] == "Basic YW5uOnB3")
        #expect(request.fields[.userAgent] == "me")
        #expect(request.fields[.cookie] == "a=1; b=2")
        #expect(request.options.timeouts.total == .seconds(2.5))
    }

    @Test("G4 a form is a multipart body, and its files are named but not read")
    func form() async throws {
        let request = try HTTPRequest(
            curl: "curl https://h.example -F a=1 -F 'b=<x>;type=text/html' --form-string c=@d")
        #expect(request.method == .post)
        #expect(request.fields[.contentType]?.hasPrefix("multipart/form-data; boundary=") == true)
        let body = String(decoding: try await request.body?.collect(upTo: 10_000) ?? Data(), as: UTF8.self)
        #expect(body.contains("name=\"a\"\r\n\r\n1\r\n") && body.contains("text/html") && body.contains("@d"))
        #expect(throws: NetworkError.self) { try HTTPRequest(curl: "curl https://h.example -F a=@/no/such/file") }
    }

    @Test(
        "G4 an invalid command is rejected with the reason",
        arguments: [
            ("curl", "the command has no URL"), ("curl -k https://h.example", "-k is refused"),
            ("curl -x proxy:1 https://h.example", "set `proxy` of the client"),
            ("curl --frobnicate https://h.example", "unknown option --frobnicate"),
            ("curl https://h.example -H", "option -H needs a value"),
            ("curl https://h.example | jq", "needs a shell"), ("curl 'https://h.example", "a quote is not closed"),
            ("curl a.example b.example", "more than one URL"), ("curl -m soon a.example", "needs a number of seconds"),
            ("curl -d @file a.example", "use --data-binary @file"), ("curl -b jar.txt a.example", "a file of cookies"),
            ("curl -H 'no colon' a.example", "has no colon"), ("curl -X 'A B' a.example", "is not a method"),
            ("curl -F a=1 -d b a.example", "more than one body"), ("curl -T - a.example", "standard input"),
            ("curl -H 'A B: x' a.example", "is not a field name"),
        ])
    func refused(_ command: String, _ reason: String) throws {
        let error = #expect(throws: NetworkError.self) { try HTTPRequest(curl: command) }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }

    @Test("G4 a written command is read back as the same request")
    func roundTrip() async throws {
        var request = HTTPRequest(method: .post, url: try HTTPURL("https://h.example/it's?a=b"))
        request.fields[.contentType] = "text/plain"
        request.fields["X-Quote"] = #"a "b" 'c' $d"#
        request.body = "line\nit's"
        let again = try HTTPRequest(curl: request.curlCommand(secrets: .shown))
        #expect(again.url == request.url && again.method == .post && again.fields == request.fields)
        #expect(try await again.body?.collect(upTo: 100) == Data("line\nit's".utf8))
    }
}
