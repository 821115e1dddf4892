import Godwit
import GodwitHTTP3
import GodwitTesting
import PeerSupport
import Testing

/// How long connections and exchanges over QUIC live.
@Suite("HTTP/3: connections and their ends", .enabled(if: H3Peer.isAvailable, H3Peer.hint), .timeLimit(.minutes(15)))
struct HTTP3LifeTests {
    @Test("T15 T9 HTTP/3 alone warms up a QUIC connection, which the first request uses")
    func warmUp() async throws {
        let peer = try H3Peer()
        let transport = try peer.transport { $0.mode = .only }
        try await transport.warmUp(peer.at("/"), connections: 3)
        #expect(await transport.connectionCounts()?.open == 1)
        let (hello, metrics) = try await transport.hello(peer)
        #expect(hello.version == "3" && hello.count == 1)
        #expect(metrics.reusedConnection)
        await transport.shutdown(.finishing)
    }

    @Test(
        "T15 T16 a complete response ends a request whose stream goes on; over QUIC, its connection closes",
        arguments: [false, true])
    func earlyAnswer(isQUIC: Bool) async throws {
        let peer = try H3Peer()
        let transport: any HTTPTransport =
            isQUIC ? try peer.transport { $0.mode = .only } : try peer.tcpTransport()
        let ended = Watched(false)
        let body = HTTPBody.stream {
            AsyncStream<Data> { continuation in
                continuation.onTermination = { _ in ended.update { $0 = true } }
                continuation.yield(Data("some".utf8))
            }
        }
        var request = HTTPRequest.upload(body, to: try peer.at("/slow/0"), .post)
        request.options.timeouts.total = .seconds(20)
        #expect(try await transport.send(request).head.status == .ok)
        try await ended.wait { $0 }
        while isQUIC, await transport.connectionCounts()?.open != 0 { try await Task.sleep(for: .milliseconds(5)) }
        await transport.shutdown(.finishing)
    }

    @Test("T15 R1 a stream that is left in the middle ends, and the connection serves others")
    func left() async throws {
        let peer = try H3Peer()
        let transport = try peer.transport { $0.mode = .only }
        for _ in 0..<3 {
            let response = try await transport.get(peer.at("/bytes/\(8 << 20)"), .streamed)
            for try await chunk in response.body where !chunk.isEmpty { break }
        }
        #expect(try await transport.hello(peer).1.reusedConnection)
        await transport.shutdown(.finishing)
    }

    @Test("T15 T10 after a change of the network path, requests use new connections, and announcements are void")
    func pathChange() async throws {
        let peer = try H3Peer()
        let feed = PathFeed(NetworkPath(status: .satisfied, interfaces: [.wired]))
        let transport = try peer.transport { $0.sockets.pathMonitor = { feed } }
        for version in ["2", "3", "3"] { #expect(try await transport.hello(peer).0.version == version) }
        feed.update(NetworkPath(status: .satisfied, interfaces: [.wifi]))
        while await transport.connectionCounts()?.open != 0 { try await Task.sleep(for: .milliseconds(5)) }
        let (hello, metrics) = try await transport.hello(peer)
        #expect(hello.version == "2" && !metrics.reusedConnection)
        #expect(try await transport.hello(peer).0.version == "3")
        await transport.shutdown(.finishing)
    }

    @Test("T15 T16 HTTP/3 alone refuses trailers of a request; otherwise they are sent over HTTP/2")
    func trailers() async throws {
        let peer = try H3Peer()
        let body = HTTPBody("body").withTrailers(["X-Sum"], reducing: 0) {
            $0 += $1.count
        } fields: {
            ["X-Sum": "\($0)"]
        }
        let request = HTTPRequest.upload(body, to: try peer.at("/hello"), .post)
        let alone = try peer.transport { $0.mode = .only }
        #expect(await alone.failure(of: request)?.shortDescription == "unsupported")
        await alone.shutdown(.finishing)
        let both = try peer.transport { [url = try peer.at("/")] in $0.alternativeServices.expectHTTP3(at: url) }
        let response = try await both.send(request)
        #expect(response.metrics.protocolVersion == .http2)
        #expect(response.metrics.http3Fallback == "trailer fields of a request need HTTP/2 or HTTP/1.1")
        await both.shutdown(.finishing)
    }

    @Test("T15 T9 a shutdown ends what is under way, and refuses what comes later")
    func shutdown() async throws {
        let peer = try H3Peer()
        let transport = try peer.transport { $0.mode = .only }
        _ = try await transport.hello(peer)
        let url = try peer.at("/slow/30")
        let task = Task { await transport.failure(of: .get(url)) }
        try await Task.sleep(for: .milliseconds(100))
        await transport.shutdown(.cancelling)
        #expect(await task.value?.kind == .cancelled)
        #expect(await transport.failure(of: .get(url))?.kind == .shutdown)
    }

    @Test(
        "T15 T1 requests over QUIC that are canceled at random lose nothing, and released transports leave nothing behind"
    )
    func released() async throws {
        await #expect(processExitsWith: .success) {
            let peer = try H3Peer()
            // One for the process, which a transport starts when it has a connection.
            _ = SystemPathMonitor.shared
            try await cancelAtRandom(50, peer)
            let before = try await Usage.settled(to: Usage.now())
            for _ in 0..<5 { try await cancelAtRandom(200, peer) }
            let after = try await Usage.settled(to: before)
            #expect(after.descriptors <= before.descriptors, "\(before) \(after)")
            #expect(after.memory - before.memory < 50 << 20)
        }
    }
}

/// Sends requests, 16 at once, and cancels each after up to ten milliseconds; each must come back with its answer or `.cancelled`.
private func cancelAtRandom(_ count: Int, _ peer: H3Peer) async throws {
    let transport = try peer.transport { $0.mode = .only }
    let requests: [HTTPRequest] = [
        .get(try peer.at("/hello")), .get(try peer.at("/bytes/200000")), .get(try peer.at("/bytes/200000"), .streamed),
        .get(try peer.at("/slow/0.002")), .upload(.bytes(Data(count: 50_000)), to: try peer.at("/hello")),
    ]
    try await withThrowingTaskGroup(of: Void.self) { group in
        for index in 0..<count {
            if index >= 16 { try await group.next() }
            group.addTask {
                let task = Task { await transport.failure(of: requests[index % requests.count]) }
                try await Task.sleep(for: .microseconds(Int.random(in: 0...10_000)))
                task.cancel()
                let error = await task.value
                #expect(error == nil || error?.kind == .cancelled)
            }
        }
    }
}
