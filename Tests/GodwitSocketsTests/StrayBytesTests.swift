#if os(Linux)
import Glibc
import Godwit
import GodwitSockets
import GodwitTesting
import PeerSupport
import Testing

/// Bytes that a server sends between two responses belong to no request.
@Suite("T21 bytes that nobody asked for", .timeLimit(.minutes(15)))
struct StrayBytesTests {
    private static let right = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nright"
    private static let stray = "HTTP/1.1 408 Request Timeout\r\nContent-Length: 5\r\n\r\nstray"

    @Test(
        "T21 what arrived on an idle connection is no answer, even if the loop hasn't seen its event",
        arguments: [false, true])
    func unseen(isEnd: Bool) async throws {
        let idle = Watched<Listener.Connection?>(nil)
        let listener = try Listener()
        listener.serve { connection in
            while connection.readHead() != nil {
                connection.write(Self.right)
                idle.update { $0 = connection }
            }
        }
        let transport = try SocketTransport { $0.proxy = .none }
        for method in [HTTPMethod.get, .post] {
            #expect(try await text(of: transport.get(listener.url)) == "right")
            try await idle.wait { $0 != nil }
            let connection = try #require(idle.value)
            // On the loop's thread, which doesn't ask for events meanwhile.
            let response = try await withTaskExecutorPreference(transport.taskExecutor) {
                if isEnd { connection.end() } else { connection.write(Self.stray) }
                connection.waitUntilAcknowledged()
                return try await transport.send(HTTPRequest(method: method, url: listener.url))
            }
            #expect(response.head.status == .ok)
            #expect(try await text(of: response) == "right")
            #expect(!response.metrics.reusedConnection && response.metrics.resendCount == 0)
        }
        await transport.shutdown(.cancelling)
    }

    @Test("T21 over TLS, a record behind a response is no answer of the call that waits for the connection")
    func queued() async throws {
        let identity = try TLSPeer.Identity()
        let listener = try Listener()
        listener.serve { connection in
            guard let peer = TLSPeer(identity, over: connection) else { return }
            while peer.readHead() != nil {
                // Both records in one segment.
                connection.cork(true)
                _ = peer.write(Array(Self.right.utf8)[...]) && peer.write(Array(Self.stray.utf8)[...])
                connection.cork(false)
            }
        }
        let transport = try SocketTransport {
            $0.proxy = .none
            $0.maximumConnectionsPerHost = 1
            $0.tls.authorities["127.0.0.1"] = .only(.pem(identity.authority))
        }
        let url = try HTTPURL("https://127.0.0.1:\(listener.url.port)/")
        let bodies = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<8 { group.addTask { try await text(of: transport.get(url)) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(bodies == Array(repeating: "right", count: 8))
        await transport.shutdown(.cancelling)
    }
}

extension Listener.Connection {
    /// Whether what is sent waits for more.
    fileprivate func cork(_ isCorked: Bool) {
        var on: Int32 = isCorked ? 1 : 0
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_CORK, &on, socklen_t(MemoryLayout<Int32>.size))
    }
}
#endif
