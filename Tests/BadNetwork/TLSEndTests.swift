import Godwit
import GodwitTesting
import PeerSupport
import TestSupport
import Testing

extension BadNetwork {
    /// Responses over TLS whose body only the end of the connection delimits (RFC 9112 section 9.8).
    @Suite("The end of TLS")
    struct TLSEnd {
        private static let body = MockResponse.text("content").framed(.untilClose)

        /// Sends a request to a separate TLS server.
        private func send(_ response: MockResponse, _ delivery: Delivery = .buffered) async throws -> String {
            let server = try await MockServer(.tls) { $0.get("/").reply(response) }
            let transport = try Subject.sockets.make { $0.tls.trust(server) }
            return try await text(of: transport.get(server.url, delivery))
        }

        @Test(
            "T14 a body without close_notify is incomplete, however much of it arrived", arguments: [0, 3, 100],
            [Delivery.buffered, .streamed])
        func truncated(_ count: Int, _ delivery: Delivery) async throws {
            let error = await #expect(throws: NetworkError.self) {
                try await send(Self.body.truncated(after: .bytes(count)), delivery)
            }
            #expect(error?.shortDescription == "transport.connection_lost")
            #expect(error?.phase == .receiving)
            #expect(error?.response?.status == .ok)
            #expect(
                error?.description.contains("TLS ended without close_notify") == true, "\(String(describing: error))")
        }

        @Test("T14 close_notify completes a body", arguments: [Delivery.buffered, .streamed])
        func complete(_ delivery: Delivery) async throws {
            #expect(try await send(Self.body, delivery) == "content")
        }

        @Test("T14 a body of a declared length is complete without close_notify")
        func declared() async throws {
            #expect(try await send(.text("content").truncated(after: .bytes(100))) == "content")
        }

        @Test("T14 over plain http the end of the connection completes a body")
        func plain() async throws {
            let server = try await MockServer { $0.get("/").reply(Self.body.truncated(after: .bytes(100))) }
            #expect(try await text(of: Subject.sockets.make().get(server.url)) == "content")
        }

        @Test("T14 a connection that ends without close_notify between two requests fails neither")
        func idle() async throws {
            let server = try await MockServer(.tls) {
                $0.any("*").reply(.text("content").truncated(after: .bytes(100)))
            }
            let transport = try Subject.sockets.make { $0.tls.trust(server) }
            for _ in 0..<20 {
                #expect(try await text(of: transport.get(server.url)) == "content")
            }
        }
    }
}
