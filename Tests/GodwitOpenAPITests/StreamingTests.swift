#if OpenAPI
import Godwit
import GodwitOpenAPI
import GodwitTesting
import HTTPTypes
import OpenAPIRuntime
import Testing

/// Bodies of a generated client, both ways.
@Suite("Streams of swift-openapi-generator's clients", .timeLimit(.minutes(15)))
struct StreamingTests {
    private func client(_ server: MockServer) throws -> Client {
        Client(
            serverURL: try #require(URL(string: "\(server.url)")),
            transport: GodwitTransport(APIClient(baseURL: server.url)))
    }

    /// A body of numbered chunks that can be sent once.
    private func chunks(_ count: Int, size: Int) -> OpenAPIRuntime.HTTPBody {
        let (stream, continuation) = AsyncStream<ArraySlice<UInt8>>.makeStream()
        for number in 0..<count { continuation.yield(ArraySlice(repeatElement(UInt8(number & 0xFF), count: size))) }
        continuation.finish()
        return OpenAPIRuntime.HTTPBody(stream, length: .unknown)
    }

    @Test("I2 a body of unknown length is sent in chunks, and its echo arrives in pieces, byte for byte")
    func echo() async throws {
        let server = try await MockServer {
            $0.put("/birds/:id/song").reply { request in .bytes(request.body) }
        }
        let client = try client(server)
        let input = Operations.PutSong.Input(id: 3, body: chunks(64, size: 10_000))
        guard case .ok(let song) = try await client.putSong(input) else {
            Issue.record("no song")
            return
        }
        var received: [UInt8] = []
        var pieces = 0
        for try await piece in song {
            received += piece
            pieces += 1
        }
        #expect(received == (0..<64).flatMap { [UInt8](repeating: UInt8($0), count: 10_000) })
        #expect(pieces > 1)
        #expect(server.requests[0].fields[.transferEncoding] == "chunked")
    }

    @Test(
        "I2 a body of known length is sent with its length, and a retry sends a body again that can be iterated again")
    func length() async throws {
        let server = try await MockServer {
            $0.put("/birds/:id/song").replies([.status(503), .text("kept")])
        }
        let api = APIClient(baseURL: server.url) { $0.clock = ImmediateClock() }
        let client = Client(
            serverURL: try #require(URL(string: "\(server.url)")), transport: GodwitTransport(api))
        let song = OpenAPIRuntime.HTTPBody([UInt8](repeating: 7, count: 5000))
        guard case .ok = try await client.putSong(.init(id: 3, body: song)) else {
            Issue.record("not kept")
            return
        }
        #expect(server.requests.map(\.body.count) == [5000, 5000])
        #expect(server.requests.map { $0.fields[.contentLength] } == ["5000", "5000"])
    }

    @Test("I2 leaving the loop over a response ends its transfer")
    func early() async throws {
        let server = try await MockServer { $0.get("/birds/1/song").reply(.bytes(Data(count: 50_000_000))) }
        let client = try client(server)
        func first() async throws -> Int {
            guard case .ok(let song) = try await client.getSong(1) else { return 0 }
            for try await piece in song { return piece.count }
            return 0
        }
        #expect(try await first() > 0)
        try await server.waitUntilConnectionsClose()
    }
}
#endif
