import Glibc
import Godwit
import GodwitTesting
import PeerSupport
import Testing

extension BadNetwork {
    @Suite("Several addresses of a host", .serialized, .timeLimit(.minutes(15)))
    struct Addresses {
        private static let name = "service.example"

        private func makeTransport(
            _ addresses: [String], _ port: Int, _ configure: (inout Setup) -> Void = { _ in }
        ) throws -> any HTTPTransport {
            try Subject.sockets.make {
                $0.addressOverrides = ["\(Self.name):\(port)": addresses]
                configure(&$0)
            }
        }

        private func makeServer() async throws -> (server: MockServer, port: Int, url: HTTPURL) {
            let server = try await MockServer { $0.any("*").reply(.text("ok")) }
            return (server, server.url.port, try HTTPURL("http://\(Self.name):\(server.url.port)/"))
        }

        @Test("T12 a silent first address costs less than 300 ms, and the connection is kept")
        func silentFirst() async throws {
            let (server, port, url) = try await makeServer()
            let silent = try SilentAddress("127.0.0.2", port: port)
            let time = try await fastest(below: .milliseconds(300)) {
                let transport = try makeTransport(["127.0.0.2", "127.0.0.1"], port)
                let response = try await transport.get(url)
                #expect(response.metrics.remoteAddress == "127.0.0.1:\(port)")
                #expect(response.metrics.connect.map { $0 >= .milliseconds(150) } == true)
                #expect(try await transport.get(url).metrics.reusedConnection)
            }
            #expect(time < .milliseconds(300))
            withExtendedLifetime((server, silent)) {}
        }

        @Test("T12 two silent addresses cost twice as much, and no timeout")
        func twoSilent() async throws {
            let (server, port, url) = try await makeServer()
            let silent = try ["127.0.0.2", "127.0.0.3"].map { try SilentAddress($0, port: port) }
            let time = try await fastest(below: .milliseconds(550)) {
                let transport = try makeTransport(["127.0.0.2", "127.0.0.3", "127.0.0.1"], port)
                #expect(try await text(of: transport.get(url)) == "ok")
            }
            #expect(time < .milliseconds(550))
            withExtendedLifetime((server, silent)) {}
        }

        @Test("T12 addresses that refuse cost nothing, at any position")
        func refused() async throws {
            let (server, port, url) = try await makeServer()
            let time = try await fastest(below: .milliseconds(100)) {
                let transport = try makeTransport(["127.0.0.4", "127.0.0.5", "127.0.0.1"], port)
                #expect(try await text(of: transport.get(url)) == "ok")
            }
            #expect(time < .milliseconds(100))
            let silent = try SilentAddress("127.0.0.2", port: port)
            let mixed = try await fastest(below: .milliseconds(300)) {
                let transport = try makeTransport(["127.0.0.2", "127.0.0.4", "127.0.0.5", "127.0.0.1"], port)
                #expect(try await text(of: transport.get(url)) == "ok")
            }
            #expect(mixed < .milliseconds(300))
            withExtendedLifetime((server, silent)) {}
        }

        @Test("T12 addresses of both families are raced")
        func families() async throws {
            let (server, port, url) = try await makeServer()
            let silent = try ["::1", "127.0.0.2"].map { try SilentAddress($0, port: port) }
            let time = try await fastest(below: .milliseconds(550)) {
                let transport = try makeTransport(["::1", "127.0.0.2", "127.0.0.1"], port)
                #expect(try await transport.get(url).metrics.remoteAddress == "127.0.0.1:\(port)")
            }
            #expect(time < .milliseconds(550))
            withExtendedLifetime((server, silent)) {}
        }

        @Test("T12 only silent addresses throw .timedOut(.connect) after the limit, and leave no socket")
        func allSilent() async throws {
            let silent = try SilentAddress("127.0.0.2")
            let port = silent.port
            let others = try ["127.0.0.3", "127.0.0.6"].map { try SilentAddress($0, port: port) }
            let transport = try makeTransport(["127.0.0.2", "127.0.0.3", "127.0.0.6"], port)
            let url = try HTTPURL("http://\(Self.name):\(port)/")
            let clock = ContinuousClock()
            let start = clock.now
            let error = await transport.failure(of: .get(url) { $0.options.timeouts.connect = .milliseconds(700) })
            #expect(error?.kind == .timedOut(.connect))
            #expect(clock.now - start >= .milliseconds(700))
            await transport.shutdown(.cancelling)
            // The fillers of the three backlogs are left.
            #expect(Self.attempts(to: port) <= 12)
            withExtendedLifetime((silent, others)) {}
        }

        @Test("T12 a call that is canceled during the race leaves no socket")
        func canceled() async throws {
            let silent = try SilentAddress("127.0.0.2")
            let port = silent.port
            let other = try SilentAddress("127.0.0.3", port: port)
            let before = Self.attempts(to: port)
            let transport = try makeTransport(["127.0.0.2", "127.0.0.3"], port)
            let url = try HTTPURL("http://\(Self.name):\(port)/")
            let call = Task { await transport.failure(of: .get(url))?.kind }
            while Self.attempts(to: port) < before + 2 { try await Task.sleep(for: .milliseconds(5)) }
            call.cancel()
            #expect(await call.value == .cancelled)
            while Self.attempts(to: port) > before { try await Task.sleep(for: .milliseconds(5)) }
            withExtendedLifetime((silent, other)) {}
        }

        @Test("T12 a hundred concurrent calls to a host with a silent address are all answered")
        func many() async throws {
            let (server, port, url) = try await makeServer()
            let silent = try SilentAddress("127.0.0.2", port: port)
            let transport = try makeTransport(["127.0.0.2", "127.0.0.1"], port)
            let answers = try await withThrowingTaskGroup { group in
                for _ in 0..<100 { group.addTask { try await text(of: transport.get(url)) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers == Array(repeating: "ok", count: 100))
            withExtendedLifetime((server, silent)) {}
        }

        @Test("T12 a WebSocket's host is raced too")
        func webSocket() async throws {
            let server = try await MockServer {
                $0.webSocket("/echo") { socket in
                    while true { try await socket.send(try await socket.receive()) }
                }
            }
            let port = server.url.port
            let silent = try SilentAddress("127.0.0.2", port: port)
            let time = try await fastest(below: .milliseconds(400)) {
                let transport = try Subject.sockets.make {
                    $0.addressOverrides = ["localhost:\(port)": ["127.0.0.2", "127.0.0.1"]]
                }
                let client = APIClient(baseURL: try HTTPURL("http://localhost:\(port)"), transport: transport)
                let socket = try await client.webSocket("echo")
                try await socket.send("hello")
                #expect(try await socket.receive() == .text("hello"))
                await socket.close()
            }
            #expect(time < .milliseconds(400))
            withExtendedLifetime((server, silent)) {}
        }

        @Test("T12 a proxy's addresses are raced too")
        func proxy() async throws {
            let server = try await MockServer { request in .text("proxied \(request.target)") }
            let port = server.url.port
            let silent = try SilentAddress("127.0.0.2", port: port)
            let time = try await fastest(below: .milliseconds(300)) {
                let transport = try makeTransport(["127.0.0.2", "127.0.0.1"], port) {
                    $0.proxy = "http://\(Self.name):\(port)"
                }
                let response = try await transport.get(HTTPURL("http://elsewhere.example/"))
                #expect(try await text(of: response) == "proxied http://elsewhere.example/")
            }
            #expect(time < .milliseconds(300))
            withExtendedLifetime((server, silent)) {}
        }

        @Test("T12 the winner of a race uses TLS like any other connection", .enabled(if: Nginx.isRunning, Nginx.hint))
        func tls() async throws {
            let port = try Nginx.h2.at("/").port
            let silent = try SilentAddress("127.0.0.2", port: port)
            let time = try await fastest(below: .milliseconds(400)) {
                let transport = try Subject.sockets.makeTrusting {
                    $0.addressOverrides = ["localhost:\(port)": ["127.0.0.2", "127.0.0.1"]]
                }
                let response = try await transport.get(HTTPURL("https://localhost:\(port)/1k.json"))
                #expect(response.metrics.protocolVersion == .http2)
                #expect(response.metrics.remoteAddress == "127.0.0.1:\(port)")
            }
            #expect(time < .milliseconds(400))
            withExtendedLifetime(silent) {}
        }

        /// How many sockets of this machine try to connect to a port.
        private static func attempts(to port: Int) -> Int {
            let descriptor = open("/proc/net/tcp", O_RDONLY)
            defer { close(descriptor) }
            var bytes: [UInt8] = []
            var page = [UInt8](repeating: 0, count: 64 << 10)
            while case let count = read(descriptor, &page, page.count), count > 0 { bytes += page[..<count] }
            let table = String(decoding: bytes, as: UTF8.self)
            let digits = String(port, radix: 16, uppercase: true)
            let name = ":" + String(repeating: "0", count: 4 - digits.count) + digits
            return table.split(separator: "\n").count { line in
                let fields = line.split(separator: " ")
                return fields.count > 3 && fields[2].hasSuffix(name) && fields[3] == "02"
            }
        }
    }
}
