@testable import GodwitGenerator
import Testing

@Suite("G2 Credentials in samples")
struct SampleSecretsTests {
    private func read(_ samples: [Sample]) throws -> APIDescription {
        try SampleReader.read(samples, title: nil, guessesEnums: true)
    }

    @Test("G2 a login gets no credentials, and its tokens are a type of their own")
    func login() throws {
        let tokens = #"{"access_token": "a", "refresh_token": "b", "token_type": "Bearer", "expires_in": 60}"#
        let result = try read([
            .of("POST /auth/login", tokens, request: #"{"email": "a@b.example", "password": "p"}"#),
            .of("POST /auth/refresh", tokens, request: #"{"refresh_token": "b"}"#),
            .of("GET /articles/1", #"{"id": 1}"#),
        ])
        #expect(
            SampleOutline.types(result).first
                == "TokenPair {access_token: string, refresh_token: string, token_type: string, expires_in: integer}")
        #expect(
            SampleOutline.operations(result)[0]
                == "login POST /auth/login < {email: string, password: string} -> 200 TokenPair")
        #expect(result.securitySchemes == [SecurityScheme(name: "bearer", kind: .bearer)])
        #expect(result.security == [SecurityRequirement(schemes: [.init(name: "bearer")])])
        #expect(result.operations.map(\.security) == [[], [], nil])
        #expect(result.notes.contains { $0.text == "`login` needs no credentials: its answer has the tokens" })
        #expect(result.notes.contains { $0.text.hasPrefix("other operations need the access token of `login`") })
    }

    @Test("G2 a body's type alone doesn't say that an operation needs no credentials")
    func typedBody() throws {
        var photo = Sample("PUT", "/boats/1/photo", status: 204)
        photo.requestFields = [.init("Content-Type", "image/jpeg")]
        photo.requestBody = SourceFile(name: "boat.jpg", data: Data([0xFF, 0xD8]))
        let result = try read([.of("POST /login", #"{"access_token": "abcdefgh"}"#), photo])
        #expect(result.operations.map(\.security) == [[], nil])
    }

    @Test("G2 the credentials of a client that gets its token aren't those of the API")
    func clientCredentials() throws {
        var token = Sample("POST", "/oauth/token", status: 200)
        token.requestFields = [.init("Authorization", "Basic Y2xpZW50OnNlY3JldA==")]
        token.form = [.init("grant_type", value: "client_credentials")]
        token.responseBody = SourceFile(name: "a", data: Data(#"{"access_token": "abcdefgh"}"#.utf8))
        let result = try read([token, .of("GET /articles/1", #"{"id": 1}"#)])
        #expect(result.securitySchemes.map(\.kind) == [.bearer])
        #expect(result.operations.map(\.security) == [[], nil])
    }

    @Test("G2 a token alone is a session, in an envelope too")
    func session() throws {
        let result = try read([.of("POST /login", #"{"data": {"token": "a", "user": {"id": 1}}}"#)])
        #expect(
            SampleOutline.types(result) == [
                "Session {token: string, user: {id: integer}}", "SessionEnvelope {data: Session}",
            ])
        let device = try read([.of("POST /devices", #"{"id": 1, "token": "a"}"#)])
        #expect(SampleOutline.types(device) == ["Device {id: integer, token: string}"])
        #expect(device.security.isEmpty && device.securitySchemes.isEmpty)
    }

    @Test(
        "G2 fields, queries and users of URLs become security schemes",
        arguments: [
            (
                "GET https://a.example/x", "Authorization", "Bearer abcdefgh",
                SecurityScheme(name: "bearer", kind: .bearer)
            ),
            ("GET https://a.example/x", "Authorization", "Basic YTpi", SecurityScheme(name: "basic", kind: .basic)),
            (
                "GET https://a.example/x", "X-API-Key", "abcdefgh",
                SecurityScheme(name: "apiKey", kind: .apiKey(name: "X-API-Key", location: .header))
            ),
            (
                "GET https://a.example/x", "X-Auth-Token", "abcdefgh",
                SecurityScheme(name: "authToken", kind: .apiKey(name: "X-Auth-Token", location: .header))
            ),
            (
                "GET https://a.example/x?api_key=abcdefgh&page=1", "Accept", "*/*",
                SecurityScheme(name: "apiKey", kind: .apiKey(name: "api_key", location: .query))
            ),
            ("GET https://me:abcdefgh@a.example/x", "Accept", "*/*", SecurityScheme(name: "basic", kind: .basic)),
        ])
    func schemes(line: String, name: String, value: String, scheme: SecurityScheme) throws {
        let result = try read([.of(line, "{}", fields: [.init(name, value)])])
        #expect(result.securitySchemes == [scheme])
        #expect(result.security == [SecurityRequirement(schemes: [.init(name: scheme.name)])])
        #expect(result.operations[0].parameters.allSatisfy { $0.name == "page" })
        #expect(result.operations[0].security == nil)
        #expect(!String(reflecting: result).contains("abcdefgh"))
        #expect(result.servers.map(\.url) == ["https://a.example"])
    }

    @Test(
        "G2 an operation that is called without credentials needs none; one that shows nothing needs those of the API")
    func open() throws {
        let result = try read([
            .of("GET /me", "{}", fields: [.init("Authorization", "Bearer abcdefgh")]),
            .of("GET /health", "{}", fields: [.init("Accept", "*/*")]), .of("GET /articles", "[]"),
            .of("GET /admin", "{}", fields: [.init("X-API-Key", "abcdefgh")]),
        ])
        #expect(result.operations.map { $0.security?.map { $0.schemes.map(\.name) } } == [nil, [], nil, [["apiKey"]]])
    }

    @Test("G2 no credential of any kind is left in the description")
    func redaction() throws {
        let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2VjcmV0"
        var form = Sample("POST", "/sessions", status: 201)
        form.form = [.init("user", value: "me"), .init("password", value: "form-secret")]
        let answer = """
            {"id": 1, "apiKey": "key-secret", "nested": {"client_secret": ["list-secret"], "credentials": {"user": "deep-secret"}},
             "status": "header-secret", "text": "Use header-secret now", "otp": 123987, "link": "https://a.example/?token=url-secret&a=1",
             "jwt": "\(jwt)", "note": "\(jwt)", "total_tokens": 57, "token_type": "Bearer",
             "settings": [{"name": "password", "value": "named-secret"}, {"value": "named-secret-2", "key": "token"}],
             "password_changed_at": "2026-05-01"}
            """
        let result = try read([
            .of(
                "GET https://u:user-secret@a.example/v1/things/\(jwt)?access_token=query-secret&q=header-secret",
                answer,
                fields: [
                    .init("Authorization", "Bearer header-secret"), .init("Cookie", "sid=cookie-secret; a=b"),
                    .init("X-CSRF-Token", "csrf-secret"),
                    .init("Proxy-Authorization", "Basic cHJveHk6cHJveHktc2VjcmV0"),
                ]), form,
            .of("POST /login", #"{"token": "login-secret"}"#, request: #"{"password": "body-secret"}"#),
            .of("GET /echo/login-secret", #"{"status": "login-secret", "state": "body-secret"}"#),
        ])
        let all = String(reflecting: result)
        for part in ["-secret", "eyJ", "123987", "cHJveHk"] { #expect(!all.contains(part), "\(part)") }
        let example = try #require(result.operations[0].responses[0].contents[0].examples.first?.value)
        #expect(example["total_tokens"]?.value == .number("57"))
        #expect(example["token_type"]?.string == "Bearer")
        #expect(example["password_changed_at"]?.string == "2026-05-01")
        #expect(example["link"]?.string == "https://a.example/?token=redacted&a=1")
        #expect(example["text"]?.string == "redacted")
        #expect(result.operations.map(\.path) == ["/things/{token}", "/sessions", "/login", "/echo/{token}"])
        #expect(result.notes.contains { $0.kind == .omission && $0.text.hasPrefix("cookies of 1 samples") })
    }

    @Test("G2 dates and URLs next to tokens keep their type, and other texts there are hidden")
    func inherited() throws {
        let answer = #"{"tokens": [{"value": "abcdefgh", "at": "2026-05-01", "uses": 3}], "pin": 1234}"#
        let result = try read([.of("GET /access", answer)])
        #expect(
            SampleOutline.types(result) == ["Access {tokens: [{value: string, at: date, uses: integer}], pin: integer}"]
        )
        let example = try #require(result.operations[0].responses[0].contents[0].examples.first?.value)
        #expect(example["tokens"]?.elements.first?["value"]?.string == "redacted")
        #expect(example["tokens"]?.elements.first?["uses"]?.value == .number("3"))
        #expect(example["pin"]?.value == .number("0"))
    }

    @Test("S6 a HAR's session and cookies reach no generated text: names are secret by the one rule")
    func sessions() throws {
        let answer = #"{"session": "s3cr3t-session", "access_key": "s3cr3t-key", "sessions_count": 2}"#
        let result = try read([.of("GET /access", answer)])
        let example = try #require(result.operations[0].responses[0].contents[0].examples.first?.value)
        #expect(example["session"]?.string == "redacted" && example["access_key"]?.string == "redacted")
        #expect(example["sessions_count"]?.value == .number("2"))
    }
}
