import GodwitCore
import GodwitTesting
import Testing

@Suite("U1 paths in variables", .timeLimit(.minutes(15)))
struct PathTextTests {
    private func path<Value>(_ endpoint: Endpoint<Value>) throws -> String {
        let api = APIClient(baseURL: "https://h/v1", transport: ScriptedTransport())
        return try api.request(for: endpoint).url.path
    }

    @Test("U1 every method takes a path that is a string, or a part of one")
    func methods() throws {
        let text = "files/a b?.txt"
        let paths = [
            try path(Endpoint<String>.get(text)), try path(Endpoint<String>.post(text)),
            try path(Endpoint<String>.put(text)), try path(Endpoint<String>.patch(text)),
            try path(Endpoint<String>.delete(text)), try path(Endpoint<String>.options(text)),
            try path(Endpoint<String>.custom(.get, text)), try path(Endpoint<Void>.get(text)),
            try path(Endpoint<Void>.head(text)), try path(Endpoint<Void>.post(text)),
            try path(Endpoint<Void>.put(text)),
            try path(Endpoint<Void>.patch(text)), try path(Endpoint<Void>.delete(text)),
            try path(Endpoint<Void>.options(text)), try path(Endpoint<Void>.custom(.get, text)),
            try path(Endpoint<Void>.get(text.dropFirst(0))), try path(Endpoint<Void>.get("files/" + "a b?.txt")),
        ]
        #expect(Set(paths) == ["/v1/files/a%20b%3F.txt"])
    }

    @Test("U1 a literal is a template still: its values stay in their segments, its escapes as they are")
    func literals() throws {
        let name = "a/b"
        #expect(try path(Endpoint<String>.get("files/\(name)")) == "/v1/files/a%2Fb")
        #expect(try path(Endpoint<Void>.delete("files/a%2Fb")) == "/v1/files/a%2Fb")
        #expect(throws: NetworkError.self) { try path(Endpoint<Void>.get("files?page=2")) }
    }

    @Test("U5 a variable that leads out of the base is refused before anything is sent")
    func escape() async throws {
        let transport = ScriptedTransport()
        let api = APIClient(baseURL: "https://h/v1", transport: transport)
        let id = "../admin"
        let error = await failure { () throws(NetworkError) in
            try await api.send(Endpoint<Void>.delete("articles/" + id))
        }
        #expect(error?.shortDescription == "invalid_url")
        #expect(transport.requests.isEmpty)
    }

    @Test("U1 a WebSocket's path may be a string")
    func socket() async {
        let transport = ScriptedTransport(404)
        let api = APIClient(baseURL: "https://h/v1", transport: transport)
        let room = "rooms/" + "tea time"
        _ = await failure { () throws(NetworkError) in try await api.webSocket(room) }
        #expect(transport.requests.first?.url.path == "/v1/rooms/tea%20time")
    }
}
