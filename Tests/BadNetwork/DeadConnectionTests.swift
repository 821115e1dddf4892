import Glibc
import Godwit
import GodwitTesting
import PeerSupport
import TestSupport
import Testing

extension BadNetwork {
    @Suite("Connections that die")
    struct DeadConnections {
        /// The protocol through the relay.
        enum Way: String, CaseIterable, Sendable {
            case http1, tls, http2

            func relay(_ server: MockServer) throws -> Relay {
                switch self {
                case .http1: try Relay(to: server.url.port)
                case .tls: try Relay(to: Nginx.tls1.at("/").port)
                case .http2: try Relay(to: Nginx.h2.at("/").port)
                }
            }

            func url(_ relay: Relay) throws -> HTTPURL {
                try relay.at("/1k.json", scheme: self == .http1 ? "http" : "https")
            }
        }

        private func impatient(_ url: HTTPURL, _ limit: Duration = .seconds(1)) -> HTTPRequest {
            .get(url) { $0.options.timeouts.inactivity = limit }
        }

        @Test(
            "T10 a silent connection is closed after one timeout, and nothing is sent on it again",
            .enabled(if: Nginx.isRunning, Nginx.hint), arguments: Way.allCases)
        func silence(_ way: Way) async throws {
            let server = try await MockServer { $0.any("*").reply(.text("ok")) }
            let relay = try way.relay(server)
            let transport = try Subject.sockets.makeTrusting()
            let url = try way.url(relay)
            _ = try await transport.get(url)
            relay.silence()
            #expect(await transport.failure(of: impatient(url))?.kind == .timedOut(.inactivity))
            #expect(relay.droppedBytes > 0)
            await eventually { relay.openConnections == 0 }
            let dropped = relay.droppedBytes
            for _ in 0..<3 { #expect(try await transport.send(impatient(url, .seconds(20))).head.status == .ok) }
            #expect(relay.droppedBytes == dropped)
            #expect(relay.connections == 2)
        }

        @Test(
            "T10 other requests on a connection that is given up end immediately, and can be repeated",
            .enabled(if: Nginx.isRunning, Nginx.hint))
        func others() async throws {
            let relay = try Relay(to: Nginx.h2.at("/").port)
            let transport = try Subject.sockets.makeTrusting()
            let url = try relay.at("/1k.json", scheme: "https")
            _ = try await transport.get(url)
            relay.silence()
            let patient = (0..<5).map { _ in Task { await transport.failure(of: impatient(url, .seconds(60))) } }
            try await relay.waitUntilDropped()
            // All requests were sent by now.
            usleep(200_000)
            let start = ContinuousClock.now
            #expect(await transport.failure(of: impatient(url))?.kind == .timedOut(.inactivity))
            for task in patient {
                let error = await task.value
                #expect(error?.description.contains("given up: nothing arrived for") == true)
                #expect(error?.shortDescription == "transport.connection_lost")
                #expect(error?.isRetryable == true)
            }
            #expect(ContinuousClock.now - start < .seconds(30))
            #expect(try await transport.get(url).head.status == .ok)
            #expect(relay.connections == 2)
        }

        @Test(
            "T10 a client's call on a dead connection succeeds by itself on a new one",
            .enabled(if: Nginx.isRunning, Nginx.hint))
        func repeated() async throws {
            let relay = try Relay(to: Nginx.h2.at("/").port)
            let api = try APIClient(baseURL: relay.at("/", scheme: "https"), transport: Subject.sockets.makeTrusting())
            {
                $0.retry.backoff = Backoff(base: .milliseconds(1), factor: 2, cap: .milliseconds(10))
            }
            let url = try relay.at("/1k.json", scheme: "https")
            _ = try await api.send(HTTPRequest(url: url))
            relay.silence()
            let response = try await api.send(impatient(url, .milliseconds(400)))
            #expect(response.head.status == .ok)
            #expect(response.metrics.attempt == 2)
            #expect(relay.connections == 2)
        }

        @Test(
            "T10 an idle HTTP/2 connection that the server closed is closed", .enabled(if: Nginx.isRunning, Nginx.hint))
        func closedHTTP2() async throws {
            let relay = try Relay(to: Nginx.h2.at("/").port)
            let transport = try Subject.sockets.makeTrusting()
            let url = try relay.at("/1k.json", scheme: "https")
            for _ in 0..<3 {
                #expect(try await transport.send(.upload(nil, to: url, .get)).head.status == .ok)
                relay.close()
                await eventually { relay.openConnections == 0 && SocketTable.closeWaits(toPort: url.port) == 0 }
            }
            #expect(relay.connections == 3)
        }

        @Test(
            "T10 calls that end at their total limit, or are canceled, get a new connection next time",
            .enabled(if: Nginx.isRunning, Nginx.hint), arguments: [true, false])
        func impatience(isCancelled: Bool) async throws {
            let relay = try Relay(to: Nginx.h2.at("/").port)
            let transport = try Subject.sockets.makeTrusting()
            let url = try relay.at("/1k.json", scheme: "https")
            _ = try await transport.get(url)
            relay.silence()
            let task = Task {
                await transport.failure(
                    of: .get(url) { if !isCancelled { $0.options.timeouts.total = .milliseconds(1200) } })
            }
            if isCancelled {
                try await relay.waitUntilDropped()
                try await Task.sleep(for: .milliseconds(2200))
                task.cancel()
            }
            #expect(await task.value?.kind == (isCancelled ? .cancelled : .timedOut(.total)))
            #expect(try await transport.get(url).head.status == .ok)
            #expect(relay.connections == 2)
        }

        @Test(
            "T10 a slow request on a live connection ends alone",
            .enabled(if: Nginx.isRunning, Nginx.hint))
        func slowAlone() async throws {
            // If the machine is so busy that nothing moves for half of the limit, the connection looks dead.
            var connections = 0
            for _ in 0..<3 where connections != 1 { connections = try await connectionsAroundSlowRequest() }
            #expect(connections == 1)
        }

        private func connectionsAroundSlowRequest() async throws -> Int {
            let relay = try Relay(to: Nginx.h2.at("/").port)
            let transport = try Subject.sockets.makeTrusting()
            let silent = try await MockServer { $0.any("*").reply(.hang) }
            let hanging = try relay.at("/websocket/\(silent.url.port)/", scheme: "https")
            let url = try relay.at("/1k.json", scheme: "https")
            _ = try await transport.get(url)
            let isOver = Watched(false)
            let slow = Task {
                defer { isOver.update { $0 = true } }
                return await transport.failure(of: impatient(hanging, .seconds(3)))
            }
            // The others keep the connection busy, so that it is not silent.
            while !isOver.value { _ = try await transport.get(url) }
            #expect(await slow.value?.kind == .timedOut(.inactivity))
            _ = try await transport.get(url)
            return relay.connections
        }

        @Test("T10 bytes between two responses are not taken for the next one")
        func unasked() async throws {
            let listener = try Listener()
            listener.serve { connection in
                guard connection.readHead() != nil else { return }
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
                usleep(50_000)
                connection.write("HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n")
                connection.waitUntilPeerLeaves()
            }
            let transport = try Subject.sockets.make()
            #expect(try await transport.get(listener.url).head.status == .ok)
            usleep(200_000)
            #expect(try await transport.get(listener.url).head.status == .ok)
            #expect(listener.connections == 2)
        }

        @Test(
            "T10 a TLS connection that the server closed while idle is replaced, for a POST too",
            .enabled(if: Nginx.isRunning, Nginx.hint), arguments: ["close", "notify"])
        func closedTLS(_ manner: String) async throws {
            let peer = try TLSCloser(manner)
            let transport = try Subject.sockets.makeTrusting { $0.versions = .http1 }
            for round in 1...4 {
                let request = HTTPRequest.upload("content", to: peer.url, round % 2 == 0 ? .get : .post) {
                    if round % 2 == 0 { $0.body = nil }
                }
                #expect(try await transport.send(request).head.status == .ok)
                try await peer.waitForClose()
            }
        }
    }
}
