import GodwitCore
import Testing

@Suite("S3 HTTPS only", .timeLimit(.minutes(15)))
struct HTTPSOnlyTests {
    private func failure(_ url: String, except hosts: [String] = []) async throws -> (NetworkError?, [HTTPRequest]) {
        let transport = ScriptedTransport()
        let request = HTTPRequest(url: try HTTPURL(url))
        do throws(NetworkError) {
            _ = try await Chain([HTTPSOnly(except: hosts)], over: transport).send(request)
            return (nil, transport.requests)
        } catch {
            return (error, transport.requests)
        }
    }

    @Test(
        "S3 HTTPS is allowed, and so is HTTP to this machine",
        arguments: [
            "https://a.example/", "http://localhost/", "http://api.localhost:8080/", "http://127.0.0.1:1/",
            "http://127.9.9.9/", "http://[::1]:8080/",
        ])
    func passes(url: String) async throws {
        #expect(try await failure(url).0 == nil)
    }

    @Test(
        "S3 HTTP to other hosts is rejected, and nothing is sent",
        arguments: [
            "http://a.example/", "http://localhost.example/", "http://127.0.0.1.example/", "http://10.0.0.1/",
            "http://[fe80::1]/", "http://0.0.0.0/", "http://a.example:443/",
        ])
    func refused(url: String) async throws {
        let (error, requests) = try await failure(url)
        #expect(error?.kind == .insecure(.plaintext(host: try HTTPURL(url).host)))
        #expect(error?.request?.url.absoluteString == url)
        #expect(error?.isRetryable == false)
        #expect(requests.isEmpty)
    }

    @Test(
        "S3 HTTP is allowed to listed hosts only",
        arguments: [
            ("http://printer.example/", true), ("http://PRINTER.example:8080/", true),
            ("http://printer.example./", true), ("http://a.printer.example/", false), ("http://example/", false),
            ("http://10.0.0.7/", true), ("http://10.0.0.70/", false), ("http://[fe80::7]/", true),
            ("http://[fe80::7%25eth0]/", true), ("http://[fe80::8%25eth0]/", false), ("http://bücher.example/", true),
            ("http://xn--bcher-kva.example/", true), ("http://[::1%25lo]/", true),
        ])
    func named(url: String, passes: Bool) async throws {
        let hosts = ["Printer.Example", "10.0.0.7", "fe80::7", "bücher.example", "http://b.example/", ""]
        #expect((try await failure(url, except: hosts).0 == nil) == passes)
        #expect(try await failure("http://b.example/", except: hosts).0 != nil)
    }

    @Test("S3 every redirect hop is checked")
    func hops() async throws {
        let transport = ScriptedTransport([{ .redirect(of: $0, to: "http://elsewhere.example/") }, { .reply(to: $0) }])
        let chain = Chain([Redirects(), HTTPSOnly(except: ["a.example"])], over: transport)
        let error = await #expect(throws: NetworkError.self) {
            try await chain.send(HTTPRequest(url: HTTPURL("http://a.example/")))
        }
        #expect(error?.kind == .insecure(.plaintext(host: "elsewhere.example")))
        #expect(transport.requests.map(\.url.host) == ["a.example"])
    }

    @Test("S3 a redirect from HTTPS to HTTP is rejected, even to a listed host")
    func downgrade() async throws {
        let transport = ScriptedTransport([{ .redirect(of: $0, to: "http://b.example/") }])
        let chain = Chain([Redirects(), HTTPSOnly(except: ["b.example"])], over: transport)
        let error = await #expect(throws: NetworkError.self) {
            try await chain.send(HTTPRequest(url: HTTPURL("https://a.example/")))
        }
        #expect(error?.kind == .insecure(.downgrade(to: "http://b.example/")))
    }
}
