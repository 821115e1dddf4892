import Godwit
import GodwitOAuth
import GodwitTesting
import Testing

@Suite("A7 tokens that are bound to a certificate", .timeLimit(.minutes(15)))
struct CertificateTokenTests {
    @Test("A7 the client shows its certificate for a token, and for the API that the token is for (RFC 8705)")
    func certificate() async throws {
        let server = try await MockServer(.tls { $0.clientAuthentication = .required }) { route in
            route.post("/token").reply { request in
                request.tls?.clientCertificate == nil
                    ? .json(["error": "invalid_client"], status: .unauthorized)
                    : .json(["access_token": "at", "token_type": "Bearer"])
            }
            route.get("/articles").reply { request in
                request.tls?.clientCertificate != nil && request.fields[.authorization] == "Bearer at"
                    ? .json(["tides"]) : .status(.unauthorized)
            }
        }
        let transport = try SocketTransport { $0.tls.trust(server) }
        let oauth = OAuth2(
            OAuthServer(tokenURL: try server.url.resolving("/token")), client: OAuthClient(certificateID: "importer"),
            over: transport)
        let token = try await oauth.clientCredentials().token
        let api = APIClient(baseURL: server.url, transport: transport) { $0.authentication = .credential { token } }
        #expect(try await api.send(Endpoint<[String]>.get("articles")) == ["tides"])
        #expect(server.requests.first?.text == "grant_type=client_credentials&client_id=importer")
        await server.stop()
    }
}
