import Godwit
import GodwitTesting
import PeerSupport
import TestSupport
import Testing

extension BadNetwork {
    @Suite("Warming up")
    struct WarmUps {
        @Test("T10 connections are opened before the first request, which uses them, and nothing is sent on them")
        func http1() async throws {
            let server = try await MockServer { $0.any("*").reply(.text("ok").delayed(by: .milliseconds(50))) }
            let transport = try Subject.sockets.make()
            try await transport.warmUp(server.url, connections: 3)
            await eventually { server.openConnectionCount == 3 }
            #expect(server.requestCount == 0)
            let reused = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<3 { group.addTask { try await transport.get(server.url).metrics.reusedConnection } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(reused == [true, true, true])
            #expect(server.connectionCount == 3)
        }

        @Test("T10 TLS connections are opened completely", .enabled(if: Nginx.isRunning, Nginx.hint))
        func tls() async throws {
            let relay = try Relay(to: Nginx.tls1.at("/").port)
            let transport = try Subject.sockets.makeTrusting()
            let url = try relay.at("/1k.json", scheme: "https")
            try await transport.warmUp(url, connections: 2)
            #expect(relay.connections == 2)
            let metrics = try await transport.get(url).metrics
            #expect(metrics.reusedConnection)
            #expect(relay.connections == 2)
        }

        @Test(
            "T10 one connection is enough for HTTP/2, and the first request uses it",
            .enabled(if: Nginx.isRunning, Nginx.hint))
        func http2() async throws {
            // TLS session tickets and the server's SETTINGS arrive together or separately.
            for _ in 0..<20 {
                let relay = try Relay(to: Nginx.h2.at("/").port)
                let transport = try Subject.sockets.makeTrusting()
                let url = try relay.at("/1k.json", scheme: "https")
                try await transport.warmUp(url, connections: 5)
                #expect(relay.connections == 1)
                let first = try await transport.get(url).metrics
                #expect(first.protocolVersion == .http2)
                #expect(first.reusedConnection)
                #expect(relay.connections == 1)
                await transport.shutdown(.cancelling)
            }
        }

        @Test("T10 a client warms up its own host")
        func client() async throws {
            let server = try await MockServer { $0.any("*").reply(.text("ok")) }
            let api = APIClient(baseURL: server.url)
            try await api.warmUp(connections: 2)
            await eventually { server.openConnectionCount == 2 }
            await api.shutdown(.finishing)
        }

        @Test("T10 errors of connecting are thrown")
        func failure() async throws {
            let transport = try Subject.sockets.make()
            await #expect(throws: NetworkError.self) {
                try await transport.warmUp(Listener.closedPort(), connections: 2)
            }
            let api = APIClient(baseURL: "no URL", transport: transport)
            await #expect(throws: NetworkError.self) { try await api.warmUp() }
            await transport.shutdown(.finishing)
            await #expect(throws: NetworkError.self) {
                try await transport.warmUp(Listener.closedPort(), connections: 1)
            }
        }
    }
}
