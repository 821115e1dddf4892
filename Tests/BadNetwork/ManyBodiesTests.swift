import Godwit
import PeerSupport
import Testing

extension BadNetwork {
    /// Several large bodies that arrive at the same time over HTTP/2: one read has bytes of several streams, and the ends of some.
    @Suite("Large bodies over HTTP/2", .enabled(if: Nginx.hasCertificates, Nginx.hint), .serialized)
    struct ManyBodies {
        private typealias Kind = BodyServer.Kind

        /// How many calls at a time, and how often.
        private static let loads = [(2, 20), (4, 20), (10, 10), (50, 2)]

        @Test(
            "T2 large bodies at once over one connection arrive whole: nghttpd",
            .enabled(if: Kind.nghttpd.isAvailable, BodyServer.hint), arguments: loads)
        func nghttpd(_ calls: Int, _ rounds: Int) async throws {
            try await share(.nghttpd, calls, rounds)
        }

        @Test(
            "T2 large bodies at once over one connection arrive whole: Node",
            .enabled(if: Kind.node.isAvailable, BodyServer.hint), arguments: loads)
        func node(_ calls: Int, _ rounds: Int) async throws {
            try await share(.node, calls, rounds)
        }

        @Test(
            "T2 large bodies at once over one connection arrive whole: nginx",
            .enabled(if: Kind.nginx.isAvailable, BodyServer.hint), arguments: loads)
        func nginx(_ calls: Int, _ rounds: Int) async throws {
            try await share(.nginx, calls, rounds)
        }

        @Test("T2 large bodies at once over one connection arrive whole: MockServer", arguments: loads)
        func mockServer(_ calls: Int, _ rounds: Int) async throws {
            try await share(.mockServer, calls, rounds)
        }

        @Test(
            "T2 large bodies with prior knowledge arrive whole",
            .enabled(if: Kind.nghttpd.isAvailable && Kind.node.isAvailable, BodyServer.hint),
            arguments: [BodyServer.Kind.nghttpd, .node, .mockServer], [(1, 20), (50, 2)])
        func plain(_ kind: BodyServer.Kind, _ load: (calls: Int, rounds: Int)) async throws {
            let server = try await BodyServer(kind, isSecure: false)
            let transport = try server.transport()
            for _ in 0..<load.rounds { _ = try await fetch(load.calls, from: server, over: transport) }
        }

        @Test(
            "T17 a body that nobody reads holds up no other on its connection",
            .enabled(if: Kind.nghttpd.isAvailable && Kind.node.isAvailable, BodyServer.hint),
            arguments: [BodyServer.Kind.nghttpd, .node, .mockServer])
        func unread(_ kind: BodyServer.Kind) async throws {
            let server = try await BodyServer(kind, isSecure: true)
            let transport = try server.transport()
            _ = try await fetch(1, from: server, over: transport)
            for _ in 0..<5 {
                let unread = try await transport.get(server.url, .streamed)
                _ = try await fetch(4, from: server, over: transport)
                #expect(try await bytes(of: unread) == BodyServer.content)
            }
        }

        /// If the last byte fills a buffer, the end of the stream has arrived too, and nothing follows.
        @Test(
            "T2 bodies without a length that just fill a buffer end",
            .enabled(if: Kind.node.isAvailable, BodyServer.hint),
            arguments: [true, false])
        func unsized(_ isSecure: Bool) async throws {
            let server = try await BodyServer(.node, isSecure: isSecure)
            let transport = try server.transport()
            for size in [0, 1, 16_332, 16_383, 16_384, 16_385, 32_716, 32_768, 49_152] {
                let answer = try await transport.get(HTTPURL("\(server.url.origin)/unsized/\(size)")) {
                    $0.options.timeouts.inactivity = .seconds(3)
                }
                #expect(try await bytes(of: answer) == BodyServer.content.prefix(size))
            }
        }

        /// Has calls share a connection, again and again until one fails. Half of the rounds make it, the others use it.
        private func share(_ kind: Kind, _ calls: Int, _ rounds: Int) async throws {
            let server = try await BodyServer(kind, isSecure: true)
            for _ in 0..<rounds / 2 {
                let transport = try server.transport()
                let ports = try await fetch(calls, from: server, over: transport)
                #expect(try await fetch(calls, from: server, over: transport) == ports)
                #expect(ports.count == 1, "they had several connections")
            }
        }

        /// Sends calls at once. Returns the ports of their connections.
        private func fetch(
            _ calls: Int, from server: BodyServer, over transport: any HTTPTransport
        ) async throws -> Set<Int> {
            let outcomes = await withTaskGroup(of: Result<Int, NetworkError>.self) { group in
                for _ in 0..<calls { group.addTask { await Self.outcome(of: server.url, over: transport) } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            let faults = outcomes.compactMap {
                if case .failure(let error) = $0 { "\(error)" } else { nil }
            }
            try #require(faults.isEmpty, "\(faults.count) of \(calls) calls failed: \(faults[0])")
            return Set(try outcomes.map { try $0.get() })
        }

        private static func outcome(
            of url: HTTPURL, over transport: any HTTPTransport
        ) async -> Result<Int, NetworkError> {
            do throws(NetworkError) {
                let answer = try await transport.get(url) { $0.options.timeouts.inactivity = .seconds(3) }
                #expect(try await bytes(of: answer) == BodyServer.content)
                return .success(answer.metrics.localPort ?? 0)
            } catch {
                return .failure(error)
            }
        }
    }
}
