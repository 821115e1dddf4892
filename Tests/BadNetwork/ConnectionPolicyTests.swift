import Glibc
import Godwit
import GodwitTesting
import PeerSupport
import TestSupport
import Testing

extension BadNetwork {
    @Suite("Connection policy")
    struct ConnectionPolicies {
        private func makeTransport(_ configure: (inout SocketConfiguration) -> Void = { _ in }) throws
            -> SocketTransport
        {
            try SocketTransport {
                $0.proxy = .none
                $0.additionalAuthorities = Nginx.authorities
                configure(&$0)
            }
        }

        /// Opens so many connections: each request is answered after all have arrived.
        private func open(_ count: Int, _ transport: any HTTPTransport, _ url: HTTPURL) async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<count { group.addTask { _ = try await transport.get(url) } }
                try await group.waitForAll()
            }
        }

        @Test(
            "T10 five seconds after the server closed 50 kept connections, none is in CLOSE-WAIT",
            .enabled(if: Nginx.isRunning, Nginx.hint), arguments: [false, true])
        func closeWait(isTLS: Bool) async throws {
            let server = try await MockServer { $0.any("*").reply(.text("ok").delayed(by: .milliseconds(300))) }
            let relay = try Relay(to: isTLS ? Nginx.tls1.at("/").port : server.url.port)
            relay.throttle(to: isTLS ? 20_000 : nil)
            let transport = try makeTransport { $0.protocols = .http1 }
            let url = try relay.at("/1k.json", scheme: isTLS ? "https" : "http")
            try await open(50, transport, url)
            let count = relay.openConnections
            #expect(count >= 40)
            relay.close()
            let start = ContinuousClock.now
            await eventually { relay.openConnections == 0 && SocketTable.closeWaits(toPort: url.port) == 0 }
            print("\(count) closed connections were gone after \(ContinuousClock.now - start)")
            #expect(try await transport.get(url).head.status == .ok)
        }

        @Test("T10 connections are closed after the idle timeout, without a further request")
        func idle() async throws {
            let server = try await MockServer { $0.any("*").reply(.text("ok").delayed(by: .milliseconds(50))) }
            let transport = try makeTransport { $0.connections.idleTimeout = .milliseconds(300) }
            try await open(10, transport, server.url)
            #expect(server.openConnectionCount > 0)
            await eventually { server.openConnectionCount == 0 }
            #expect(try await !transport.get(server.url).metrics.reusedConnection)
        }

        @Test("T10 a connection that was written to until its response arrived is kept")
        func uploads() async throws {
            let server = try await MockServer { $0.any("*").reply(.text("ok")) }
            let transport = try makeTransport()
            for size in [0, 1, 100_000, 2_000_000] {
                for _ in 0..<5 {
                    _ = try await transport.send(.upload(.bytes(Data(count: size)), to: server.url, .post))
                    usleep(5000)
                }
            }
            #expect(server.connectionCount == 1)
        }

        @Test("T10 a connection whose response waits for its reader is not idle")
        func paused() async throws {
            let server = try await MockServer { $0.any("*").reply(.bytes(Data(count: 4 << 20))) }
            let transport = try makeTransport {
                $0.connections.idleTimeout = .milliseconds(100)
                $0.streamBuffer = 64 << 10
            }
            let response = try await transport.get(server.url, .streamed)
            // Another connection makes the engine check.
            for _ in 0..<3 {
                _ = try await transport.get(server.url, .streamed).body.collect(upTo: 8 << 20)
                try await Task.sleep(for: .milliseconds(200))
            }
            #expect(try await response.body.collect(upTo: 8 << 20).count == 4 << 20)
        }

        @Test("T10 a connection is not used beyond its lifetime, and closed if it is idle")
        func lifetime() async throws {
            let server = try await MockServer { $0.any("*").reply(.text("ok")) }
            let transport = try makeTransport { $0.connections.maximumLifetime = .milliseconds(300) }
            _ = try await transport.get(server.url)
            await eventually { server.openConnectionCount == 0 }
            #expect(try await !transport.get(server.url).metrics.reusedConnection)
        }

        @Test(
            "T10 a connection that is never idle is replaced after its lifetime, and no request fails",
            .enabled(if: Nginx.isRunning, Nginx.hint))
        func busyLifetime() async throws {
            let relay = try Relay(to: Nginx.h2.at("/").port)
            let transport = try makeTransport { $0.connections.maximumLifetime = .milliseconds(300) }
            let url = try relay.at("/100k.json", scheme: "https")
            _ = try await transport.get(url)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask { while relay.connections < 4 { _ = try await transport.get(url) } }
                }
                try await group.waitForAll()
            }
            await eventually { relay.openConnections <= 1 }
        }

        @Test("T10 when the network path changes, idle connections are closed and those in use finish")
        func pathChange() async throws {
            let server = try await MockServer {
                $0.any("/large").reply(.bytes(Data(count: 4 << 20)))
                $0.any("*").reply(.text("ok"))
            }
            let feed = PathFeed(NetworkPath(status: .satisfied, interfaces: [.wifi]))
            let transport = try makeTransport {
                $0.pathMonitor = { feed }
                $0.streamBuffer = 64 << 10
            }
            let response = try await transport.get(server.at("/large"), .streamed)
            _ = try await transport.get(server.url)
            #expect(server.openConnectionCount == 2)
            // The path is watched after a connection has been kept for a moment.
            await eventually { feed.waitingCount == 1 }
            feed.update(NetworkPath(status: .satisfied, interfaces: [.wired]))
            await eventually { server.openConnectionCount == 1 }
            #expect(try await !transport.get(server.url).metrics.reusedConnection)
            #expect(try await response.body.collect(upTo: 8 << 20).count == 4 << 20)
            // The active connection is not used again.
            await eventually { server.openConnectionCount == 1 }
            #expect(try await transport.get(server.url).metrics.reusedConnection)
            await transport.shutdown(.finishing)
            await eventually { feed.waitingCount == 0 }
        }

        @Test("T10 one host gets 64 connections unless more are allowed")
        func limit() async throws {
            let server = try await MockServer { $0.any("*").reply(.text("ok").delayed(by: .milliseconds(100))) }
            try await open(150, makeTransport(), server.url)
            #expect(server.connectionCount <= 64)
            let before = server.connectionCount
            try await open(100, makeTransport { $0.connections.maximumPerHost = .max }, server.url)
            #expect(server.connectionCount - before > 64)
        }

        @Test("T10 invalid limits are refused")
        func faults() {
            let changes: [@Sendable (inout SocketConfiguration) -> Void] = [
                { $0.connections.maximumPerHost = 0 }, { $0.connections.idleTimeout = .zero },
                { $0.connections.maximumLifetime = .seconds(-1) }, { $0.connections.keepAlive?.probes = 0 },
                { $0.connections.unacknowledgedTimeout = .zero },
            ]
            for change in changes {
                #expect(throws: NetworkError.self) { _ = try makeTransport(change) }
            }
            // Extreme values do no harm.
            #expect(throws: Never.self) {
                _ = try makeTransport {
                    $0.connections.maximumPerHost = .max
                    $0.connections.idleTimeout = .seconds(Int64.max)
                    $0.connections.maximumLifetime = .nanoseconds(1)
                    $0.connections.keepAlive = .init(idle: .seconds(Int64.max), interval: .nanoseconds(1), probes: .max)
                    $0.connections.unacknowledgedTimeout = .seconds(Int64.max)
                }
            }
        }

        @Test("T10 a shutdown reaches all event loops before it waits for any")
        func shutdown() async throws {
            let server = try await MockServer { $0.any("*").reply(.text("ok").delayed(by: .milliseconds(700))) }
            let transport = try makeTransport { $0.eventLoops = 3 }
            let slow = Task { try await transport.get(server.url).head.status }
            await eventually { server.requestCount == 1 }
            let end = Task { await transport.shutdown(.finishing) }
            // Loops get requests in turn: from the first refusal on, each of them refuses.
            var refusals = 0
            while refusals < 3, let error = await transport.failure(of: .get(server.url)) {
                #expect(error.kind == .shutdown)
                refusals += 1
            }
            await end.value
            #expect(try await slow.value == .ok)
        }
    }
}
