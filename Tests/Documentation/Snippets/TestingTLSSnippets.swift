import Godwit
import GodwitTesting
import Testing

#if os(Linux)
enum TestingTLSSnippets {
    static func http2() async throws {
        // snippet: http2-server
        var options = MockServer.Options.tls
        options.protocols = .http2AndHTTP1  // by ALPN, or with prior knowledge over plain http
        let server = try await MockServer(options) { $0.get("/").reply(.text("hello")) }
        let api = APIClient(baseURL: server.url) { $0.tls.trust(server) }
        _ = try await api.send(Endpoint<String>.get(""))
        #expect(server.requests[0].version == .http2)
        // end
    }

    static func trusted() async throws {
        // snippet: tls-server
        let server = try await MockServer(.tls) { route in
            route.get("/articles/1").reply(json: ["id": 1, "title": "Tides"])
        }
        let api = APIClient(baseURL: server.url) { $0.tls.trust(server) }
        #expect(try await api.send(.article(id: 1)).title == "Tides")
        #expect(server.requests[0].tls?.version == .v1_3)
        // end
        await server.stop()
    }

    static func bad() async throws {
        // snippet: tls-expired
        let server = try await MockServer(.tls { $0.certificate = .expired }) { $0.get("/").reply(.text("never")) }
        let api = APIClient(baseURL: server.url) { $0.tls.trust(server) }
        let error = await #expect(throws: NetworkError.self) { try await api.send(Endpoint<String>.get("")) }
        #expect(error?.kind == .insecure(.certificateExpired))
        // end
        await server.stop()
    }

    static func mutual() async throws {
        // snippet: tls-mutual
        let server = try await MockServer(.tls { $0.clientAuthentication = .required }) { route in
            route.get("/me").reply { request in .text("\(request.tls?.clientCertificate?.count ?? 0) bytes of DER") }
        }
        let known = APIClient(baseURL: server.url) { $0.tls.trust(server) }  // shows server.clientCertificate
        let unknown = APIClient(baseURL: server.url) {
            $0.tls.trust(server)
            $0.tls.clientCertificates["127.0.0.1"] = nil
        }
        // end
        _ = try await known.send(Endpoint<String>.get("me"))
        guard case .insecure(.clientCertificate) = await unknown.result(of: Endpoint<String>.get("me")).failureKind
        else {
            Issue.record("let in without a certificate")
            return
        }
        await server.stop()
    }
}
#endif
