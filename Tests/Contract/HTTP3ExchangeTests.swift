import Godwit
import GodwitHTTP3
import GodwitSockets
import PeerSupport
import Testing

/// What holds for every exchange, over HTTP/2 and HTTP/3 to the same server.
@Suite("HTTP/3: exchanges, as over HTTP/2", .enabled(if: H3Peer.isAvailable, H3Peer.hint), .timeLimit(.minutes(15)))
struct HTTP3ExchangeTests {
    static let versions = [HTTPVersion.http2, .http3]

    /// A transport for one version, and its server.
    private func pair(_ version: HTTPVersion) throws -> (H3Peer, any HTTPTransport, HTTPVersion) {
        let peer = try H3Peer()
        return (peer, try transport(to: peer, version), version)
    }

    private func transport(
        to peer: H3Peer, _ version: HTTPVersion, _ configure: (inout SocketConfiguration) -> Void = { _ in }
    ) throws -> any HTTPTransport {
        guard version == .http3 else { return try peer.tcpTransport(configure) }
        return try peer.transport {
            $0.mode = .only
            configure(&$0.sockets)
        }
    }

    @Test("T15 T2 every status arrives, with or without a body", arguments: versions)
    func statuses(_ version: HTTPVersion) async throws {
        let (peer, transport, used) = try pair(version)
        for status in [200, 204, 301, 404, 418, 500, 503] {
            let response = try await transport.get(peer.at("/status/\(status)"))
            #expect(response.head.status.code == status)
            #expect(response.metrics.protocolVersion == used)
        }
        var head = HTTPRequest(method: .head, url: try peer.at("/hello"))
        head.delivery = .buffered
        #expect(try await bytes(of: transport.send(head)).isEmpty)
        await transport.shutdown(.finishing)
    }

    @Test("T15 T2 bodies of any size go both ways unharmed", arguments: versions)
    func bodies(_ version: HTTPVersion) async throws {
        let (peer, transport, used) = try pair(version)
        for size in [0, 1, 1200, 65_537, 3_000_000] {
            let sent = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            let response = try await transport.send(.upload(.bytes(sent), to: peer.at("/echo"), .post))
            #expect(response.metrics.protocolVersion == used)
            #expect(try await bytes(of: response) == sent)
            #expect(response.metrics.bytesSent == Int64(size))
        }
        await transport.shutdown(.finishing)
    }

    @Test("T15 T2 a streamed upload of unknown length arrives", arguments: versions)
    func streamedUpload(_ version: HTTPVersion) async throws {
        let (peer, transport, _) = try pair(version)
        let body = HTTPBody.stream {
            AsyncStream<Data> { continuation in
                for _ in 0..<50 { continuation.yield(Data(repeating: 7, count: 10_000)) }
                continuation.finish()
            }
        }
        let response = try await transport.send(.upload(body, to: peer.at("/hello"), .post))
        let hello = try JSONDecoder().decode(H3Peer.Hello.self, from: try await bytes(of: response))
        #expect(hello.received == 500_000)
        await transport.shutdown(.finishing)
    }

    @Test("T15 R1 a slow reader of a stream gets every byte, while others are served", arguments: versions)
    func slowReader(_ version: HTTPVersion) async throws {
        let (peer, transport, _) = try pair(version)
        let size = 8 << 20
        let response = try await transport.get(peer.at("/bytes/\(size)"), .streamed)
        var count = 0
        for try await chunk in response.body {
            if count == 0 { for _ in 0..<20 { _ = try await transport.hello(peer) } }
            count += chunk.count
        }
        #expect(count == size)
        await transport.shutdown(.finishing)
    }

    @Test("T15 T1 a canceled request ends at once, and the connection serves others", arguments: versions)
    func cancelled(_ version: HTTPVersion) async throws {
        let (peer, transport, _) = try pair(version)
        _ = try await transport.hello(peer)
        let url = try peer.at("/slow/30")
        let task = Task { await transport.failure(of: .get(url)) }
        try await Task.sleep(for: .milliseconds(100))
        task.cancel()
        #expect(await task.value?.kind == .cancelled)
        let (_, metrics) = try await transport.hello(peer)
        #expect(metrics.reusedConnection)
        await transport.shutdown(.finishing)
    }

    @Test("T15 T4 a server that doesn't answer is .timedOut, and others are served", arguments: versions)
    func timeout(_ version: HTTPVersion) async throws {
        let (peer, transport, _) = try pair(version)
        _ = try await transport.hello(peer)
        let slow = HTTPRequest.get(try peer.at("/slow/30")) { $0.options.timeouts.total = .milliseconds(300) }
        #expect(await transport.failure(of: slow)?.kind == .timedOut(.total))
        // A TCP connection that was silent until the limit is not used again.
        let (hello, metrics) = try await transport.hello(peer)
        #expect(hello.version == (version == .http3 ? "3" : "2"))
        #expect(metrics.reusedConnection || version != .http3)
        await transport.shutdown(.finishing)
    }

    @Test("T15 T2 many concurrent requests share a connection", arguments: versions)
    func concurrent(_ version: HTTPVersion) async throws {
        let (peer, transport, used) = try pair(version)
        let reused = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<300 {
                group.addTask {
                    let (_, metrics) = try await transport.hello(peer)
                    #expect(metrics.protocolVersion == used)
                    return metrics.reusedConnection
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(reused >= 280)
        await transport.shutdown(.finishing)
    }

    @Test("T15 T10 idle connections are closed in time", arguments: versions)
    func idle(_ version: HTTPVersion) async throws {
        let peer = try H3Peer()
        let transport = try transport(to: peer, version) { $0.connections.idleTimeout = .milliseconds(50) }
        _ = try await transport.hello(peer)
        // The engine's clock is the system's. libcurl before 8.15 counts whole seconds, and closes after the next one.
        try await Task.sleep(for: .milliseconds(2100))
        #expect(try await transport.hello(peer).1.reusedConnection == false)
        await transport.shutdown(.finishing)
    }
}
