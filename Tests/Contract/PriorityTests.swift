#if canImport(Glibc)
import Godwit
import GodwitHTTP3
import GodwitTesting
import PeerSupport
import Testing

/// What servers get of a request's priority.
@Suite("Contract: priorities (RFC 9218)", .timeLimit(.minutes(15)))
struct PriorityTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var priority = RequestPriority.normal
        var delivery: Delivery = .buffered(limit: 1 << 20)
        var own: String?
        let sent: String

        var testDescription: String { sent.isEmpty ? "none" : sent }

        static let all = [
            Case(sent: ""), Case(priority: .high, sent: "u=1"), Case(priority: .low, sent: "u=5"),
            Case(delivery: .streamed, sent: "i"), Case(priority: .high, delivery: .streamed, sent: "u=1, i"),
            Case(priority: .high, own: "u=0", sent: "u=0"),
        ]

        func request(_ url: HTTPURL) -> HTTPRequest {
            var request = HTTPRequest(url: url, delivery: delivery)
            request.options.priority = priority
            if let own { request.fields["Priority"] = own }
            return request
        }
    }

    private func check(_ example: Case, _ peer: H3Peer, _ transport: any HTTPTransport, _ version: String) async throws
    {
        let response = try await transport.send(example.request(peer.at("/hello")))
        let hello = try JSONDecoder().decode(H3Peer.Hello.self, from: try await bytes(of: response))
        #expect(hello.version == version)
        #expect(hello.priority == example.sent)
        let logged = example.request(try peer.at("/hello"))
        let shown = logged.fields[.priority] ?? transport.addedFields(for: logged)[.priority] ?? ""
        #expect(shown == example.sent)
        await transport.shutdown(.finishing)
    }

    @Test(
        "T19 over HTTP/2, the server gets urgency and incremental delivery, unless the request has a field of its own",
        .enabled(if: H2Peer.isAvailable, H2Peer.hint), arguments: Case.all)
    func http2(_ example: Case) async throws {
        let peer = try H3Peer("--alt-svc", "no")
        try await check(example, peer, peer.tcpTransport(), "2")
    }

    @Test(
        "T19 over HTTP/3, too", .enabled(if: H3Peer.isAvailable, H3Peer.hint), arguments: Case.all)
    func http3(_ example: Case) async throws {
        let peer = try H3Peer()
        try await check(example, peer, peer.transport { $0.mode = .only }, "3")
    }

    @Test("T19 over HTTP/1.1 alone nothing shares the connection, and there is no field", arguments: Case.all)
    func http1(_ example: Case) async throws {
        let server = try await MockServer { $0.any("*").reply(.text("ok")) }
        let response = try await Subject.sockets.make().send(example.request(server.url))
        #expect(response.head.status == .ok)
        #expect(server.requests.first?.fields["Priority"] == example.own)
        await server.stop()
    }
}
#endif
