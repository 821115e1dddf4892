#if os(Linux)
import GodwitCore
import GodwitSockets
import GodwitTesting
import PeerSupport
import TestSupport
import Testing

/// Kept connections that ended while no request was on them.
@Suite("T11 connections that ended while they were idle", .timeLimit(.minutes(15)))
struct EndedConnectionTests {
    /// After so many calls, one at a time, their connection is left to callers: the loop isn't woken by its end.
    private static let lone = 20

    @Test(
        "T11 M4 no request goes out on a connection whose end has arrived: a POST isn't lost, and no sending is counted",
        arguments: [MockServer.Protocols.http1, .http2], [1, lone])
    func arrivedEnd(_ protocols: MockServer.Protocols, calls: Int) async throws {
        var options = MockServer.Options()
        options.protocols = protocols
        for _ in 0..<20 {
            let server = try await MockServer(options) { route in route.any("/a").reply(.text("ok")) }
            let transport = try SocketTransport {
                $0.protocols = protocols == .http1 ? .http1 : .http2PriorKnowledge
                $0.proxy = .none
            }
            let url = try HTTPURL("\(server.url)/a")
            for _ in 0..<calls { _ = try await transport.get(url) }
            await server.stop()
            let error = await transport.failure(of: HTTPRequest(method: .post, url: url))
            #expect(error?.shortDescription == "transport.cannot_connect")
            #expect(error?.resendCount == 0)
            await transport.shutdown(.cancelling)
        }
    }
}
#endif
