import Godwit
import GodwitTesting
import PeerSupport
import Testing

extension BadNetwork {
    /// How many HTTP/2 connections an engine has with one origin.
    @Suite("Connections with one origin", .enabled(if: H2Peer.isAvailable, H2Peer.hint), .serialized)
    struct OriginConnections {
        /// Sends requests at the same time to a server that allows four streams on a connection.
        private func send(
            _ count: Int, to peer: H2Peer, over transport: any HTTPTransport
        ) async throws -> [TransferMetrics] {
            try await withThrowingTaskGroup { group in
                for number in 0..<count {
                    let url = try HTTPURL(peer.secure + "/ok?id=\(count)-\(number)")
                    group.addTask { try await transport.get(url).metrics }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
        }

        private static func ports(_ metrics: [TransferMetrics]) -> Set<Int> { Set(metrics.compactMap(\.localPort)) }

        @Test("T17 when the streams of a connection are used up, another is opened, and the metrics tell")
        func growing() async throws {
            let peer = try H2Peer("--streams", "4", "--delay", "200")
            let transport = try Subject.sockets.makeTrusting()
            let first = try await send(1, to: peer, over: transport)
            #expect(first[0].openConnections == 1 && first[0].protocolVersion == .http2)
            let metrics = try await send(16, to: peer, over: transport)
            // The first connection carries four at most.
            #expect(Self.ports(metrics).count >= 4 && Self.ports(metrics).isSuperset(of: Self.ports(first)))
            let opened = metrics.compactMap(\.openConnections)
            #expect(metrics.allSatisfy { ($0.openConnections == nil) == $0.reusedConnection })
            #expect(try #require(opened.max()) >= 4 && opened.allSatisfy { (2...16).contains($0) })
            await transport.shutdown(.cancelling)
            let count = try await peer.count()
            #expect(count.processed == 17 && count.twice == 0)
            // One of them counts.
            #expect(count.connections == Self.ports(first + metrics).count + 1)
        }

        @Test("T17 at most as many connections are opened as the host may have, and the other requests wait")
        func bounded() async throws {
            let peer = try H2Peer("--streams", "4", "--delay", "50")
            let transport = try Subject.sockets.makeTrusting { $0.connectionsPerHost = 2 }
            let metrics = try await send(1, to: peer, over: transport) + send(32, to: peer, over: transport)
            #expect(Self.ports(metrics).count == 2)
            #expect(metrics.compactMap(\.openConnections) == [1, 2])
            await transport.shutdown(.cancelling)
            let count = try await peer.count()
            #expect(count.processed == 33 && count.twice == 0 && count.connections == 3)
        }

        @Test("T17 a burst before the server has said how many streams it takes loses nothing")
        func burst() async throws {
            let peer = try H2Peer("--streams", "4", "--delay", "20")
            let transport = try Subject.sockets.makeTrusting()
            let metrics = try await send(64, to: peer, over: transport)
            await transport.shutdown(.cancelling)
            #expect(metrics.count == 64)
            let count = try await peer.count()
            #expect(count.processed == 64 && count.twice == 0)
        }
    }
}
