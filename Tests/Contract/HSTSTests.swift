import Godwit
import GodwitTesting
import PeerSupport
import TestSupport
import Testing

#if os(Linux)
@Suite("Contract: HSTS over real sockets", .timeLimit(.minutes(15)))
struct HSTSTests {
    /// A server for `birds.example`, and a transport that connects there by that name.
    private func server(_ field: String = "max-age=60; includeSubDomains") async throws -> (MockServer, SocketTransport)
    {
        let server = try await MockServer(.tls { $0.names = ["birds.example", "www.birds.example"] }) {
            $0.any("*").reply(.text("ok").field("Strict-Transport-Security", field))
        }
        let port = server.url.port
        let transport = try SocketTransport { configuration in
            configuration.tls.trust(server)
            for name in ["birds.example", "www.birds.example"] {
                configuration.addressOverrides["\(name):\(port)"] = ["127.0.0.1"]
            }
        }
        return (server, transport)
    }

    @Test("T18 after one response over TLS, the host's and its subdomain's http URLs go over TLS")
    func learned() async throws {
        let (server, transport) = try await server()
        let port = server.url.port
        let api = APIClient(baseURL: "https://birds.example:\(port)", transport: transport)
        _ = try await api.send(Endpoint<Void>.get("1"))
        for name in ["birds.example", "www.birds.example"] {
            let response = try await api.send(HTTPRequest(url: try HTTPURL("http://\(name):\(port)/2")))
            #expect(response.head.status == .ok)
            #expect(response.request.url.absoluteString == "https://\(name):\(port)/2")
            #expect(response.metrics.upgradeCount == 1)
        }
        #expect(server.requests.map { $0.tls != nil } == [true, true, true])
        await transport.shutdown(.finishing)
        await server.stop()
    }

    @Test("T18 a server whose certificate isn't trusted can't make a demand")
    func untrusted() async throws {
        let (server, _) = try await server()
        let port = server.url.port
        let api = APIClient(
            baseURL: "https://birds.example:\(port)",
            transport: try SocketTransport { $0.addressOverrides["birds.example:\(port)"] = ["127.0.0.1"] })
        await #expect(throws: NetworkError.self) { try await api.send(Endpoint<Void>.get("1")) }
        #expect(api.hstsStore?.hosts.isEmpty == true)
        await server.stop()
    }
}
#endif
