import Glibc
import Godwit
import GodwitTesting
import PeerSupport
import TestSupport
import Testing

extension BadNetwork {
    @Suite("Running out of descriptors")
    struct Descriptors {
        /// Lets this process open so many descriptors more. Their numbers may have gaps, so they are tried.
        private static func allow(more count: Int) {
            let taken = (0..<count).map { _ in open("/dev/null", O_RDONLY) }
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            limit.rlim_cur = rlim_t((taken.max() ?? 0) + 1)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            for descriptor in taken { close(descriptor) }
        }

        /// Whether the process still has what connections leave.
        private static func hasSpare() -> Bool {
            let taken = (0..<8).map { _ in open("/dev/null", O_RDONLY) }
            for descriptor in taken { close(descriptor) }
            return !taken.contains(-1)
        }

        private static let names = (0..<60).map { "host\($0).test" }

        /// A transport that resolves every name to this machine.
        private static func makeTransport(_ names: [String], _ port: Int) throws -> SocketTransport {
            try SocketTransport {
                $0.proxy = .none
                for name in names { $0.addressOverrides["\(name):\(port)"] = ["127.0.0.1"] }
            }
        }

        @Test("T10 idle connections make room for new ones")
        func idleConnections() async throws {
            let server = try await MockServer { $0.any("*").reply(.text("ok")) }
            await #expect(processExitsWith: .success) { [port = server.url.port as Int] in
                let transport = try Self.makeTransport(Self.names, port)
                _ = try await transport.get(HTTPURL("http://127.0.0.1:\(port)/"))
                Self.allow(more: 20)
                for name in Self.names {
                    #expect(try await transport.get(HTTPURL("http://\(name):\(port)/")).head.status == .ok)
                }
                // A WebSocket connects by itself: the server refuses it, and not the system.
                let api = APIClient(baseURL: "http://127.0.0.1:\(port)", transport: transport)
                for name in Self.names.prefix(5) {
                    _ = try await transport.get(HTTPURL("http://\(name):\(port)/"))
                    let error = await #expect(throws: NetworkError.self) { _ = try await api.webSocket("/socket") }
                    #expect(
                        error?.kind == .unexpectedStatus(200) || error?.response?.status == .ok,
                        "\(String(describing: error))")
                }
            }
        }

        @Test("T10 connections leave the process some descriptors, without which libdispatch traps")
        func spare() async throws {
            let server = try await MockServer { $0.any("*").reply(.text("ok")) }
            await #expect(processExitsWith: .success) { [port = server.url.port as Int] in
                let transport = try SocketTransport {
                    $0.proxy = .none
                    $0.maximumConnectionsPerHost = .max
                }
                Self.allow(more: 40)
                try? await transport.warmUp(HTTPURL("http://127.0.0.1:\(port)/"), connections: .max)
                #expect(Self.hasSpare())
                #expect(await transport.connectionCounts()?.idle ?? 0 > 0)
            }
        }

        @Test("T10 a mock server in the same process leaves them too, though its connections take three each")
        func spareBesideServer() async throws {
            await #expect(processExitsWith: .success) {
                let server = try await MockServer { $0.any("*").reply(.text("ok")) }
                let transport = try SocketTransport {
                    $0.proxy = .none
                    $0.maximumConnectionsPerHost = .max
                }
                Self.allow(more: 90)
                try? await transport.warmUp(server.url, connections: .max)
                #expect(Self.hasSpare())
            }
        }

        @Test("T10 a transport without a descriptor for its event loop throws")
        func transport() async throws {
            await #expect(processExitsWith: .success) {
                Self.allow(more: 4)
                var taken: [Int32] = []
                repeat { taken.append(open("/dev/null", O_RDONLY)) } while taken.last != -1
                let error = #expect(throws: NetworkError.self) { _ = try SocketTransport() }
                for descriptor in taken { close(descriptor) }
                _ = try SocketTransport()
                #expect(error?.kind == .transport(.tooManyOpenFiles))
            }
        }

        @Test("T10 calls without a descriptor throw .tooManyOpenFiles, and succeed when there are some again")
        func exhaustion() async throws {
            let server = try await MockServer {
                $0.any("/slow").reply(.text("ok").delayed(by: .milliseconds(500)))
                $0.any("*").reply(.text("ok"))
            }
            await #expect(processExitsWith: .success) { [port = server.url.port as Int] in
                let transport = try Self.makeTransport([], port)
                let url = try HTTPURL("http://127.0.0.1:\(port)/slow")
                _ = try await transport.get(url)
                Self.allow(more: 15)
                let errors = await withTaskGroup(of: NetworkError?.self) { group in
                    for _ in 0..<50 { group.addTask { await transport.failure(of: .get(url)) } }
                    return await group.reduce(into: []) { $0.append($1) }
                }
                let failed = errors.compactMap(\.self)
                #expect(failed.count > 0 && failed.count < 50)
                for error in failed {
                    #expect(error.kind == .transport(.tooManyOpenFiles), "\(error)")
                    #expect(error.phase == .connecting)
                    #expect(error.isRetryable)
                }
                #expect(failed.first?.description.contains("too many open files") == true)
                for _ in 0..<5 { #expect(try await transport.get(url).head.status == .ok) }
            }
        }

        @Test("T10 WebSockets whose start fails leave no descriptor and no memory")
        func sockets() async throws {
            let server = try await MockServer { $0.any("*").reply(.status(403)) }
            await #expect(processExitsWith: .success) { [origin = server.url.origin.description as String] in
                let transport = try Subject.sockets.make()
                let refusals = [origin, "http://127.0.0.1:1", "https://127.0.0.1:1"].map { url in
                    APIClient(baseURL: url, transport: transport) { $0.retry.maximumAttempts = 1 }
                }
                func fail(_ count: Int) async {
                    for number in 0..<count {
                        _ = try? await refusals[number % 3].webSocket("/socket")
                    }
                }
                await fail(60)
                let before = try await Usage.settled(to: Usage.now())
                await fail(600)
                let after = try await Usage.settled(to: before)
                #expect(after.descriptors <= before.descriptors + 1)
                #expect(after.memory - before.memory < 4 << 20)
            }
        }
    }
}
