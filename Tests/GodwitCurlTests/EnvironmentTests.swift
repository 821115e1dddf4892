import Glibc
import Godwit
import GodwitTesting
import Testing

@Suite("T2 CurlTransport and the environment's proxies", .timeLimit(.minutes(5)))
struct EnvironmentTests {
    // In separate processes: all tests share the environment.
    @Test("T2 http_proxy is used, except for hosts in no_proxy")
    func environment() async throws {
        await #expect(processExitsWith: .success) {
            let proxy = try await MockServer { request in .text("proxied \(request.target)") }
            let server = try await MockServer { _ in .text("straight") }
            setenv("http_proxy", "http://127.0.0.1:\(proxy.url.port)", 1)
            setenv("no_proxy", "other.example,127.0.0.1", 1)
            let transport = try CurlTransport()
            #expect(try await text("http://service.invalid/a", transport) == "proxied http://service.invalid/a")
            #expect(try await text("\(server.url)", transport) == "straight")
            let direct = try CurlTransport { $0.proxy = .none }
            #expect(try await text("\(server.url)", direct) == "straight")
            #expect(proxy.requestCount == 1)
        }
    }

    @Test("T2 the configuration's proxy overrides the environment and its exceptions")
    func configured() async throws {
        await #expect(processExitsWith: .success) {
            let proxy = try await MockServer { request in .text("proxied \(request.target)") }
            setenv("http_proxy", "http://127.0.0.1:1", 1)
            setenv("no_proxy", "*", 1)
            let transport = try CurlTransport { $0.proxy = .url("http://127.0.0.1:\(proxy.url.port)") }
            #expect(try await text("http://service.invalid/a", transport) == "proxied http://service.invalid/a")
        }
    }
}

private func text(_ url: String, _ transport: CurlTransport) async throws -> String {
    let response = try await transport.send(HTTPRequest(url: HTTPURL(url)))
    return String(decoding: try await response.body.collect(upTo: 1000), as: UTF8.self)
}
