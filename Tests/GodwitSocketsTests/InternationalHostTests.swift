import GodwitCore
import GodwitSockets
import GodwitTesting
import Testing

@Suite("U5 hosts that have several spellings, over real sockets", .timeLimit(.minutes(15)))
struct InternationalHostTests {
    private static func server(over address: MockServer.Address? = nil) async throws -> MockServer {
        var options = MockServer.Options()
        if let address { options.address = address }
        return try await MockServer(options) { route in
            route.get("/moved").reply(.redirect(to: "/a"))
            route.webSocket("/socket") { socket in try await socket.send("open") }
            route.any("*").reply(.text("ok"))
        }
    }

    @Test("U5 a name outside ASCII is looked up and sent in ASCII, and shown as it was typed")
    func name() async throws {
        let server = try await Self.server()
        let port = server.url.port
        let transport = try SocketTransport {
            $0.addressOverrides = ["Bücher.example:\(port)": ["127.0.0.1"]]
            $0.proxy = .none
        }
        let api = APIClient(baseURL: "http://Bücher.example:\(port)", transport: transport) {
            $0.plaintextHosts = ["bücher.example"]
        }
        #expect(try await api.send(Endpoint<String>.get("moved")) == "ok")
        #expect(server.requests.map { $0.fields[.host] } == Array(repeating: "xn--bcher-kva.example:\(port)", count: 2))
        await server.stop()
        let error = await #expect(throws: NetworkError.self) { try await api.send(Endpoint<String>.get("a")) }
        #expect(error?.description.contains("[GET http://Bücher.example:\(port)/a]") == true, "\(error as Any)")
    }

    @Test("U5 a redirect to a name outside ASCII is followed, encoded or not")
    func redirect() async throws {
        let server = try await MockServer { route in
            route.get("/encoded").reply { request in
                .status(.found).field(.location, "http://%E2%9C%8C%EF%B8%8F.example:\(request.url?.port ?? 0)/a")
            }
            route.get("/plain").reply { request in
                .status(.found).field(.location, "http://✌\u{FE0F}.example:\(request.url?.port ?? 0)/a")
            }
            route.any("*").reply(.text("ok"))
        }
        let port = server.url.port
        let transport = try SocketTransport {
            $0.addressOverrides = ["xn--7bi.example:\(port)": ["127.0.0.1"]]
            $0.proxy = .none
        }
        let api = APIClient(baseURL: server.url, transport: transport) { $0.plaintextHosts = ["✌.example"] }
        for path in ["encoded", "plain"] { #expect(try await api.send(Endpoint<String>.get("\(path)")) == "ok") }
        let hosts = server.requests.filter { $0.path == "/a" }.map { $0.fields[.host] }
        #expect(hosts == ["xn--7bi.example:\(port)", "xn--7bi.example:\(port)"])
    }

    @Test("U5 connection targets, Host fields and proxies may have names outside ASCII")
    func settings() async throws {
        let server = try await Self.server()
        let port = server.url.port
        let targeted = try SocketTransport {
            $0.connectionTargets = ["BÜCHER.example:\(port)": "127.0.0.1:\(port)"]
            $0.hostFields = ["bücher.example:\(port)": "shop.example"]
            $0.proxy = .none
        }
        let url = try HTTPURL("http://bücher.example:\(port)/a")
        _ = try await targeted.send(HTTPRequest(url: url))
        #expect(server.requests.last?.fields[.host] == "shop.example")
        let proxied = try SocketTransport {
            $0.proxy = .url("http://bücher.invalid:\(port)")
        }
        let error = await #expect(throws: NetworkError.self) {
            try await proxied.send(HTTPRequest(url: try HTTPURL("http://a.example/")))
        }
        #expect(error?.kind == .transport(.cannotResolveProxy))
        #expect(throws: NetworkError.self) {
            try SocketTransport { $0.addressOverrides = ["bücher.example": ["127.0.0.1"]] }
        }
    }

    @Test("U5 the zone of an IPv6 address names the interface, and isn't in Host; for WebSockets too")
    func zone() async throws {
        let server = try await Self.server(over: .ipv6())
        let port = server.url.port
        for spelling in ["[::1%lo]", "[::1%25lo]"] {
            let api = APIClient(baseURL: "http://\(spelling):\(port)", transport: try SocketTransport())
            #expect(try await api.send(Endpoint<String>.get("moved")) == "ok")
            let socket = try await api.webSocket("socket")
            #expect(try await socket.receive() == .text("open"))
            await socket.close()
        }
        #expect(Set(server.requests.map { $0.fields[.host] }) == ["[::1]:\(port)"])
    }

    @Test("U5 an interface that this machine doesn't have is named in the error, and nothing is sent")
    func absentInterface() async throws {
        let transport = try SocketTransport()
        let error = await #expect(throws: NetworkError.self) {
            try await transport.send(HTTPRequest(url: try HTTPURL("http://[fe80::1%25none7]/")))
        }
        #expect(error?.kind == .transport(.cannotConnect("this machine has no network interface none7")))
    }
}
