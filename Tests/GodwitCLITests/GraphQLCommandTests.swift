import Godwit
import GodwitCommand
import GodwitTesting
import TestSupport
import Testing

@Suite("G3 G1 godwit graphql", .timeLimit(.minutes(15)))
struct GraphQLCommandTests {
    private func server(_ replies: MockResponse...) async throws -> MockServer {
        try await MockServer { $0.any("*").replies(replies) }
    }

    private func result(_ text: String) -> MockResponse {
        .bytes(Data(text.utf8), contentType: "application/json")
    }

    @Test("G3 a query is sent with its variables and fields, and its data is printed in the server's order")
    func query() async throws {
        let server = try await server(result(#"{"data":{"z":1,"a":[1.5,"ü\"",null,true]}}"#))
        let run = await Run.godwit(
            "graphql", "\(server.url)api?v=2", "query A($id: ID!, $first: Int) { z a }", "id=7", "first:=10",
            "filter[tags][]=sea", "X-Key:k", "--bearer", "feather", "--variables", #"{"id":"1","after":null}"#)
        #expect(run.code == .success, "\(run.errors)")
        #expect(run.output == #"{"z":1,"a":[1.5,"ü\"",null,true]}"# + "\n")
        let request = try #require(server.requests.first)
        #expect(request.method == .post && request.target == "/api?v=2")
        #expect(request.fields["X-Key"] == "k" && request.fields[.authorization] == "Bearer feather")
        let body = try JSONCoding().decode(JSONValue.self, from: Data(request.text.utf8))
        #expect(body["query"] == "query A($id: ID!, $first: Int) { z a }")
        #expect(body["operationName"] == "A")
        #expect(
            body["variables"] == ["id": "7", "first": 10, "after": nil, "filter": ["tags": ["sea"]]])
    }

    @Test("G3 numbers are sent and printed as they were written, in variables of any depth and in the data")
    func numbers() async throws {
        let data = #"{"price":1.10,"big":123456789012345678901234567890,"list":[1e2,-0.0,{"b":1.0,"a":"\u0041"}]}"#
        let server = try await server(result(#"{"data":\#(data)}"#))
        let run = await Run.godwit(
            "graphql", "\(server.url)", "query ($a: A) { a }", "price:=1.10", "input[size]:=2.50", "input[z]:=1",
            "--variables", #"{"id":12345678901234567890123,"rate":{"b":1.00,"a":1E3}}"#)
        #expect(run.code == .success, "\(run.errors)")
        #expect(run.output == data + "\n")
        let text = try #require(server.requests.first?.text)
        for part in [
            #""price":1.10"#, #""input":{"size":2.50,"z":1}"#, #""id":12345678901234567890123"#,
            #""rate":{"b":1.00,"a":1E3}"#,
        ] {
            #expect(text.contains(part), "\(text)")
        }
    }

    @Test("G3 name==value is a query item of the URL, as in other commands", arguments: [[], ["--get"]])
    func queryItems(options: [String]) async throws {
        let server = try await server(result(#"{"data":{"a":1}}"#))
        let run = await Run.godwit(
            ["graphql", "\(server.url)api?v=2", "query ($id: ID) { a }", "id=7", "region==north sea"] + options)
        #expect(run.code == .success, "\(run.errors)")
        let target = try #require(server.requests.first?.target)
        #expect(target.hasPrefix("/api?v=2&region=north%20sea"), "\(target)")
    }

    @Test("G3 the query is read from a file or from standard input, and sent with GET if asked")
    func sources() async throws {
        let folder = TemporaryFolder()
        try Data("{ a }".utf8).write(to: URL(filePath: folder.path("a.graphql")))
        let server = try await server(result(#"{"data":{"a":1}}"#))
        let file = await Run.godwit("graphql", "\(server.url)", "@\(folder.path("a.graphql"))", "--get")
        #expect(file.code == .success && file.output == "{\"a\":1}\n", "\(file.errors)")
        #expect(server.requests.first?.method == .get)
        #expect(server.requests.first?.target == "/?query=%7B%20a%20%7D", "\(server.requests.first?.target as Any)")
        let input = await Run.godwit("graphql", "\(server.url)", "-", input: ["{ ", "a }"])
        #expect(input.code == .success, "\(input.errors)")
    }

    @Test("G3 partial data is printed, its errors go to standard error, and the exit code is 22")
    func partial() async throws {
        let body =
            #"{"data":{"a":null},"errors":[{"message":"no a","path":["a",0],"locations":[{"line":1,"column":3}]}]}"#
        let server = try await server(result(body))
        let run = await Run.godwit("graphql", "\(server.url)", "{ a }")
        #expect(run.code == .httpStatus)
        #expect(run.output == "{\"a\":null}\n")
        #expect(run.errors == "godwit: a[0]: no a (line 1, column 3 of the query)\n")
        let whole = await Run.godwit("graphql", "\(server.url)", "{ a }", "--json-output")
        #expect(whole.code == .httpStatus && whole.errors.isEmpty)
        #expect(
            whole.output == #"{"data":{"a":null},"errors":[{"message":"no a","path":["a",0],"#
                + #""locations":[{"line":1,"column":3}]}]}"# + "\n")
    }

    @Test("G3 --json-output keeps the extensions of the response and of its errors")
    func extensions() async throws {
        let body =
            #"{"data":{"a":null},"errors":[{"message":"no a","extensions":{"code":"GONE","at":[1.5]}}],"#
            + #""extensions":{"cost":{"used":3},"a":"ü"}}"#
        let server = try await server(result(body))
        let run = await Run.godwit("graphql", "\(server.url)", "{ a }", "--json-output")
        #expect(run.output.contains(#""message":"no a","code":"GONE","extensions":{"at":[1.5],"code":"GONE"}"#))
        #expect(run.output.hasSuffix(#","extensions":{"a":"ü","cost":{"used":3}}}"# + "\n"), "\(run.output)")
    }

    @Test("G3 --json-output has the errors of an operation without data, with their extensions")
    func failureAsJSON() async throws {
        let server = try await server(result(#"{"errors":[{"message":"no","extensions":{"code":"GONE"}}]}"#))
        let run = await Run.godwit("graphql", "\(server.url)", "{ a }", "--json-output")
        #expect(run.code == .httpStatus)
        let errors = #""errors":[{"message":"no","code":"GONE","extensions":{"code":"GONE"}}]}"#
        #expect(run.output.hasPrefix(#"{"error":{"kind":"#) && run.output.hasSuffix(errors + "\n"), "\(run.output)")
    }

    @Test("G3 a refused query exits with 22 and says why; a page of HTML is not a response")
    func refused() async throws {
        let server = try await server(result(#"{"errors":[{"message":"Cannot query field b"}]}"#))
        let run = await Run.godwit("graphql", "\(server.url)", "{ b }")
        #expect(run.code == .httpStatus && run.output.isEmpty)
        #expect(run.errors.contains("Cannot query field b"))
        let page = try await self.server(.text("<html>"))
        #expect(await Run.godwit("graphql", "\(page.url)", "{ b }").code == .network)
    }

    @Test("G3 an upload is sent as a form")
    func upload() async throws {
        let folder = TemporaryFolder()
        try Data("feathers".utf8).write(to: URL(filePath: folder.path("note.txt")))
        let server = try await server(result(#"{"data":{"a":1}}"#))
        let path = folder.path("note.txt")
        let run = await Run.godwit(
            "graphql", "\(server.url)", "mutation ($file: Upload!, $more: [Upload!]) { a }", "file@\(path)",
            "more[]@\(path)")
        #expect(run.code == .success, "\(run.errors)")
        let text = try #require(server.requests.first?.text)
        #expect(
            text.contains(#""variables.file""#) && text.contains(#""variables.more.0""#) && text.contains("feathers"))
    }

    @Test(
        "G3 a subscription prints each event on a line, and ends with the server's end", arguments: ["ws", "legacy-ws"])
    func subscription(carrier: String) async throws {
        let name = carrier == "ws" ? "graphql-transport-ws" : "graphql-ws"
        let type = carrier == "ws" ? "next" : "data"
        let seen = Watched<[String]>([])
        let server = try await MockServer { route in
            route.webSocket("/live", subprotocols: [name]) { socket in
                seen.update { $0.append(socket.request.fields["X-Key"] ?? "") }
                if case .text(let text) = try await socket.receive() { seen.update { $0.append(text) } }
                try await socket.send(#"{"type":"connection_ack"}"#)
                _ = try await socket.receive()
                for number in 1...2 {
                    try await socket.send(#"{"id":"1","type":"\#(type)","payload":{"data":{"z":\#(number),"a":0}}}"#)
                }
                try await socket.send(#"{"id":"1","type":"complete"}"#)
                for try await _ in socket.messages {}
            }
        }
        let run = await Run.godwit(
            "graphql", "\(server.url)live", "subscription { z a }", "X-Key:k", "--over", carrier, "--init", #"{"t":1}"#)
        #expect(run.code == .success, "\(run.errors)")
        #expect(run.output == "{\"z\":1,\"a\":0}\n{\"z\":2,\"a\":0}\n")
        #expect(seen.value == ["k", #"{"type":"connection_init","payload":{"t":1}}"#])
    }

    @Test(
        "G3 with a URL of ws, each kind of operation goes over the WebSocket",
        arguments: [
            ("subscription { z }", "{\"z\":1}\n{\"z\":2}\n", 2), ("{ z }", "{\n  \"z\": 1\n}\n", 1),
            ("mutation { z }", "{\n  \"z\": 1\n}\n", 1),
        ])
    func socketURL(query: String, output: String, count: Int) async throws {
        let seen = Watched<[String]>([])
        let server = try await Self.socketServer(results: count, seen)
        let url = "ws\(server.url)live".replacing("wshttp", with: "ws")
        let run = await Run.godwit("graphql", url, query, "region==sea", "n:=1", "--pretty")
        #expect(run.code == .success, "\(run.errors)")
        #expect(run.output == output)
        #expect(seen.value.count == 1 && seen.value[0].contains(#""variables":{"n":1}"#), "\(seen.value)")
        #expect(server.requests.map(\.target) == ["/live?region=sea"])
    }

    @Test("G3 a mutation whose connection is lost is not sent again")
    func lostMutation() async throws {
        let seen = Watched<[String]>([])
        let server = try await Self.socketServer(results: 0, seen)
        let run = await Run.godwit(
            "graphql", "ws://127.0.0.1:\(server.url.port)/live", "mutation { z }", "--retry", "3")
        #expect(run.code == .network, "\(run.errors)")
        #expect(seen.value.count == 1)
    }

    /// Answers with some results and the end; without results, it closes the connection.
    private static func socketServer(results count: Int, _ seen: Watched<[String]>) async throws -> MockServer {
        try await MockServer { route in
            route.webSocket("/live", subprotocols: ["graphql-transport-ws"]) { socket in
                _ = try await socket.receive()
                try await socket.send(#"{"type":"connection_ack"}"#)
                if case .text(let text) = try await socket.receive() { seen.update { $0.append(text) } }
                guard count > 0 else { return await socket.close(.internalError) }
                for number in 1...count {
                    try await socket.send(#"{"id":"1","type":"next","payload":{"data":{"z":\#(number)}}}"#)
                }
                try await socket.send(#"{"id":"1","type":"complete"}"#)
                for try await _ in socket.messages {}
            }
        }
    }

    @Test("G3 a URL of ws refuses what needs HTTP", arguments: ["--schema", "--get", "--persisted", "--over=sse"])
    func socketOptions(option: String) async {
        let run = await Run.godwit("graphql", "wss://127.0.0.1:1/", "{ a }", option)
        #expect(run.code == .usage)
        #expect(run.errors.contains("needs a URL of http or https"), "\(run.errors)")
    }

    @Test("G3 a subscription over server-sent events prints each event on a line")
    func events() async throws {
        let server = try await server(
            .events([
                ServerSentEvent(data: #"{"data":{"a":1}}"#, type: "next"),
                ServerSentEvent(data: #"{"data":{"a":null},"errors":[{"message":"no a"}]}"#, type: "next"),
                ServerSentEvent(data: "", type: "complete"),
            ]))
        let run = await Run.godwit("graphql", "\(server.url)", "subscription { a }", "--over", "sse", "X-Key:k")
        #expect(run.code == .httpStatus, "\(run.errors)")
        #expect(run.output == "{\"a\":1}\n{\"a\":null}\n")
        #expect(run.errors == "godwit: no a\n")
        #expect(server.requests.first?.fields["X-Key"] == "k")
    }

    @Test("G3 a subscription over a single stream of server-sent events prints each event on a line")
    func singleEvents() async throws {
        let isStarted = Watched(false)
        let server = try await MockServer { route in
            route.put("*").reply(MockResponse(status: .created, body: .bytes(Data("token-1".utf8))))
            route.get("*").reply(
                .events { index in
                    try await isStarted.wait { $0 }
                    if index == 0 {
                        return ServerSentEvent(data: #"{"id":"1","payload":{"data":{"a":1}}}"#, type: "next")
                    }
                    return index == 1 ? ServerSentEvent(data: #"{"id":"1"}"#, type: "complete") : nil
                })
            route.post("*").reply { _ in
                isStarted.update { $0 = true }
                return .status(.accepted)
            }
        }
        let run = await Run.godwit("graphql", "\(server.url)", "subscription { a }", "--over", "single-sse")
        #expect(run.code == .success, "\(run.errors)")
        #expect(run.output == "{\"a\":1}\n")
    }

    @Test("G3 a subscription over a multipart response prints each event on a line")
    func multipart() async throws {
        let part = "--x\r\nContent-Type: application/json\r\n\r\n{\"payload\":{\"data\":{\"a\":1.0}}}\r\n"
        let server = try await server(
            .bytes(Data("\(part)\(part)--x--\r\n".utf8), contentType: "multipart/mixed; boundary=x"))
        let run = await Run.godwit("graphql", "\(server.url)", "subscription { a }", "--over", "multipart")
        #expect(run.code == .success, "\(run.errors)")
        #expect(run.output == "{\"a\":1.0}\n{\"a\":1.0}\n")
    }

    @Test("G3 --schema prints the schema, also of a server that knows only older introspection")
    func schema() async throws {
        let types =
            #"{"kind":"OBJECT","name":"Query","fields":[{"name":"a","args":[],"type":{"kind":"SCALAR","name":"Int"}}]}"#
        let schema = #"{"data":{"__schema":{"queryType":{"name":"Query"},"types":[\#(types)],"directives":[]}}}"#
        let server = try await server(
            result(#"{"errors":[{"message":"Cannot query field isOneOf"}]}"#),
            result(#"{"errors":[{"message":"Cannot query field specifiedByURL"}]}"#), result(schema))
        let run = await Run.godwit("graphql", "\(server.url)", "--schema")
        #expect(run.code == .success, "\(run.errors)")
        #expect(run.output == "type Query {\n  a: Int\n}\n")
        #expect(server.requestCount == 3)
    }

    @Test("G3 a schema with a name that is not one is refused")
    func hostileSchema() async throws {
        let types = #"{"kind":"OBJECT","name":"Query {\n evil","fields":[]}"#
        let schema = #"{"data":{"__schema":{"queryType":{"name":"Query"},"types":[\#(types)],"directives":[]}}}"#
        let server = try await server(result(schema))
        let run = await Run.godwit("graphql", "\(server.url)", "--schema")
        #expect(run.code == .network && run.output.isEmpty)
        #expect(run.errors.contains("is not a GraphQL name"), "\(run.errors)")
    }

    @Test(
        "G3 a wrong line is refused before anything is sent",
        arguments: [
            ([], "the query is missing"), (["viewer.graphql"], "write '{ … }', or @viewer.graphql"),
            (["{ a }", "@file"], "would be the body"),
            (["{ a }", "--variables", "[1]"], "must be a JSON object"), (["{ a }", "n:=x"], "is not valid JSON"),
            (["{ a }", "--over", "tcp"], "--over needs ws"), (["--schema", "{ a }"], "sends its own query"),
            (["{ a }", "--init", "{"], "--init is not valid JSON"),
        ] as [([String], String)])
    func usage(words: [String], reason: String) async throws {
        let server = try await server(result("{}"))
        let run = await Run.godwit(["graphql", "\(server.url)"] + words)
        #expect(run.code == .usage)
        #expect(run.errors.contains(reason), "\(run.errors)")
        #expect(server.requestCount == 0)
    }
}
