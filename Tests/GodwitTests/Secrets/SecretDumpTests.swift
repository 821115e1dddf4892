import Godwit
import GodwitOAuth
import GodwitTesting
import TestSupport
import Testing

@Suite("S6 printing a public value shows no secret")
struct SecretDumpTests {
    private static let secret = "S3KR1T-42"

    private func texts(of value: Any) -> String {
        var dumped = ""
        dump(value, to: &dumped)
        var parts = "\(value) \(String(reflecting: value)) \(dumped)"
        for child in Mirror(reflecting: value).children { parts += " \(child.value)" }
        return parts
    }

    private func expectNoSecret(_ value: Any) {
        let text = texts(of: value)
        let bytes = Self.secret.utf8.map { "- \($0)" }.joined(separator: "\n")
        #expect(!text.contains("S3KR1T"), "\(type(of: value)): \(text)")
        #expect(!text.contains(Data(Self.secret.utf8).base64EncodedString()), "\(type(of: value)): \(text)")
        #expect(!text.replacing(" ", with: "").contains(bytes.replacing(" ", with: "")), "\(type(of: value))")
    }

    @Test("S6 credentials, tokens and sign-ins")
    func credentials() throws {
        let secret = Self.secret
        let token = AccessToken(access: secret, refresh: secret)
        expectNoSecret(token)
        expectNoSecret(MemoryTokenStore(token))
        for credential in [
            Credential.bearer(secret), .basic(user: "a", password: secret), .apiKey(secret, field: "X-A"),
            .apiKey(secret, queryItem: "a"), .provided { .bearer(secret) },
            .tokens(TokenRefresher(store: MemoryTokenStore(token)) { $0 }),
        ] {
            expectNoSecret(credential)
            expectNoSecret(ClientAuthentication.credential(credential))
            expectNoSecret(Authentication(credential, for: []))
        }
        expectNoSecret(PasswordCredential(user: "a", password: secret))
        expectNoSecret(OAuthClient(id: "a", secret: secret))
        let server = OAuthServer(
            tokenURL: try HTTPURL("https://a.com/token"), authorizationURL: try HTTPURL("https://a.com/authorize"))
        expectNoSecret(
            OAuth2(server, client: OAuthClient(id: "a", secret: secret), over: APIClient(baseURL: "https://a.com")))
    }

    @Test("S6 requests, endpoints, bodies, forms and clients")
    func messages() throws {
        let secret = Self.secret
        let url = try HTTPURL("https://a.com/;jsessionid=\(secret)?token=\(secret)")
        var request = HTTPRequest(
            method: .post, url: url, fields: ["X-Session-Token": secret, .cookie: "a=\(secret)"],
            body: .bytes(Data("password=\(secret)".utf8)))
        expectNoSecret(request)
        request.fields = [:]
        expectNoSecret([request])
        expectNoSecret(Call(request))
        expectNoSecret(
            HTTPResponse(head: HTTPResponseHead(status: .ok, fields: [.setCookie: secret]), request: request))
        expectNoSecret(RequestBody.form(["password": secret]))
        expectNoSecret(RequestBody.multipart { $0.field("password", secret) })
        var form = MultipartForm()
        form.field("password", secret)
        expectNoSecret(form)
        let endpoint = Endpoint<Void>.post("a", query: ["token": secret], body: .form(["password": secret]))
        expectNoSecret(endpoint.header("X-Api-Key", secret))
        expectNoSecret(Endpoint<Void>.get("/x?api_key=S3KR1T-42"))
        expectNoSecret(QueryItems(dictionaryLiteral: ("token", secret)))
        let api = APIClient(baseURL: "https://a.com") {
            $0.defaultFields = ["X-Api-Key": secret]
            $0.authentication = .credential(.bearer(secret))
        }
        expectNoSecret(api)
        expectNoSecret(HTTPBody.bytes(Data(secret.utf8)))
    }

    @Test("S6 configurations of clients and transports")
    func configurations() throws {
        let secret = Self.secret
        var configuration = ClientConfiguration()
        configuration.defaultFields = ["X-Api-Key": secret]
        configuration.authentication = .credential(.bearer(secret))
        configuration.inspector = .page(at: "http://127.0.0.1:8642/\(secret)/")
        expectNoSecret(configuration)
        expectNoSecret(Inspector.page(at: "http://127.0.0.1:8642/\(secret)/"))
        var tls = TLSConfiguration()
        tls.clientCertificates["a.com"] = .pkcs12(.data(Data(secret.utf8)), password: secret)
        expectNoSecret(tls)
        var curl = SocketConfiguration()
        curl.proxy = .url("http://ann:\(secret)@127.0.0.1:9")
        expectNoSecret(curl)
    }

    @Test("S6 an error's text never quotes a query, whatever is wrong with the URL")
    func urls() async throws {
        let secret = Self.secret
        let api = APIClient(baseURL: "https://a.com")
        var errors: [NetworkError] = []
        for path in [
            "/x?api_key=S3KR1T-42", "x#token=S3KR1T-42", "a b?key=S3KR1T-42", "//x?key=S3KR1T-42",
            "https://b.com/?key=S3KR1T-42",
            "a/../b?key=S3KR1T-42", "%?key=S3KR1T-42", "a;jsessionid=S3KR1T-42/../b",
        ] as [EndpointPath] {
            do throws(NetworkError) { try await api.send(Endpoint<Void>.get(path)) } catch { errors.append(error) }
            expectNoSecret(Endpoint<Void>.get(path))
        }
        #expect(errors.count == 8)
        for url in [
            "https://user:\(secret)@a.com/", "https://user:\(secret)", "https://a.com:x\(secret)/?key=\(secret)",
            "https://a b/?key=\(secret)", "a.com/?key=\(secret)", "ftp://a.com/?key=\(secret)",
            "https://a_b%/?key=\(secret)",
            "https:x;token=\(secret)?key=\(secret)", "https://a.com/\u{1}?key=\(secret)",
        ] {
            do throws(NetworkError) { _ = try HTTPRequest(url: url) } catch { errors.append(error) }
            do throws(NetworkError) {
                _ = try HTTPRequest(curl: "curl '\(url)' -H 'X-Api-Key: \(secret)' --unknown=\(secret)")
            } catch { errors.append(error) }
            do throws(NetworkError) {
                try await APIClient(baseURL: url).send(Endpoint<Void>.get("a"))
            } catch { errors.append(error) }
        }
        for error in errors {
            expectNoSecret(error)
            expectNoSecret(error.kind)
            expectNoSecret(error.underlying as Any)
            expectNoSecret(error.userMessage ?? "")
        }
    }
}
