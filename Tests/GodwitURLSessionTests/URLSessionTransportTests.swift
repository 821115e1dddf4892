import GodwitCore
import GodwitTesting
import GodwitURLSession
import Testing

@Suite("URLSessionTransport", .timeLimit(.minutes(1)))
struct URLSessionTransportTests {
    @Test("T3 a GET has status, fields and body")
    func get() async throws {
        let server = try await MockServer { $0.get("/a").reply(.text("hello", status: .created).field("X-One", "1")) }
        let transport = try URLSessionTransport()
        let response = try await transport.send(HTTPRequest(url: server.at("/a?b=c%20d")))
        #expect(response.head.status == .created)
        #expect(response.head.fields["x-one"] == "1")
        #expect(try await text(of: response) == "hello")
        #expect(server.requests.map(\.target) == ["/a?b=c%20d"])
    }
}
