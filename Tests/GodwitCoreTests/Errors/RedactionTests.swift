import GodwitCore
import GodwitTesting
import Testing

@Suite("M2 no secret is printed anywhere", .timeLimit(.minutes(15)))
struct RedactionTests {
    /// A place in which a secret travels.
    enum Place: String, CaseIterable, Sendable {
        case authorization = "Authorization"
        case proxyAuthorization = "Proxy-Authorization"
        case cookie = "Cookie"
        case apiKey = "X-API-Key"
        case customToken = "X-Acme-Token"
        case session = "X-Session-Id"
        case secret = "Client-Secret"
        case appId = "AppId", ticket = "X-Ticket", userKey = "X-User-Key"
        case referer = "Referer"
        case appIdItem = "appid", ticketItem = "ticket"
        case token, apiKeyItem = "api_key", accessToken = "access_token", signature = "X-Amz-Signature"
        case password, code, encoded = "to%6Ben"
        case fragment, path
        case json, pair, pairAtCut, form, text

        var isField: Bool { rawValue.first?.isUppercase == true && self != .signature }
        var isItem: Bool {
            [.appIdItem, .ticketItem, .token, .apiKeyItem, .accessToken, .signature, .password, .code, .encoded]
                .contains(self)
        }
    }

    private static let secret = "s3cr3t"

    private func request(_ place: Place) throws -> HTTPRequest {
        let suffix =
            switch place {
            case _ where place.isItem: "?a=1&\(place.rawValue)=\(Self.secret)"
            case .fragment: "#t=\(Self.secret)"
            case .path: "/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.\(Self.secret)/b"
            default: ""
            }
        var request = HTTPRequest(method: .post, url: try HTTPURL("https://api.example.com/v1/a\(suffix)"))
        if place.isField, let name = HTTPField.Name(place.rawValue) {
            request.fields[name] =
                place == .referer ? "https://u:\(Self.secret)@b.com/?code=\(Self.secret)" : Self.secret
        }
        switch place {
        case .json:
            request.fields[.contentType] = "application/json"
            request.body = .bytes(
                Data(#"{"password":"\#(Self.secret)","nested":{"refreshToken":["\#(Self.secret)"]}}"#.utf8))
        case .pair, .pairAtCut:
            request.fields[.contentType] = "application/json"
            let rest = place == .pair ? #","name":"password"}]}"# : #""#
            request.body = .bytes(Data(#"{"login":[{"value":"\#(Self.secret)"\#(rest)"#.utf8))
        case .form:
            request.fields[.contentType] = "application/x-www-form-urlencoded"
            request.body = .bytes(Data("user=ann&client_secret=\(Self.secret)".utf8))
        case .text:
            request.fields[.contentType] = "application/octet-stream"
            request.body = .bytes(Data(Self.secret.utf8))
        default: break
        }
        return request
    }

    /// What a server may answer: secrets in fields and in the body.
    private func answer(to request: HTTPRequest, status: Int) -> HTTPResponse {
        .reply(
            to: request, status, #"{"access_token":"\#(Self.secret)","message":"no"}"#,
            [
                .contentType: "application/json", .setCookie: "sid=\(Self.secret); Path=/",
                .location: "https://u:\(Self.secret)@c.com/cb?code=\(Self.secret)#access_token=\(Self.secret)",
                .link: "</2?token=\(Self.secret)>; rel=next", "X-Refresh-Token": Self.secret,
            ])
    }

    private func texts(of value: Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        return ["\(value)", String(reflecting: value), dumped]
    }

    private func expectNoSecret(_ texts: [String], _ what: String) {
        for text in texts {
            #expect(!text.contains(Self.secret), "\(what): \(text)")
            #expect(!text.contains(Data(Self.secret.utf8).base64EncodedString()), "\(what): \(text)")
        }
    }

    @Test("M2 not in a log line, at any level", arguments: Place.allCases, [LogLevel.basic, .headers, .bodies])
    func logs(place: Place, level: LogLevel) async throws {
        let messages = Collected<String>()
        var options = LogOptions(level: level)
        options.destination = { messages.append($0) }
        let request = try request(place)
        for status in [200, 302, 0] {
            let transport = ScriptedTransport { request throws(NetworkError) in
                guard status > 0 else {
                    throw NetworkError(.transport(.connectionLost("gone")), phase: .receiving, request: request)
                }
                return answer(to: request, status: status)
            }
            _ = try? await Chain([Logging(options)], over: transport).send(request)
        }
        #expect(messages.values.count == 6)
        expectNoSecret(messages.values, "\(place)")
    }

    @Test("M2 not in a request, response, call or error, however it is printed", arguments: Place.allCases)
    func values(place: Place) throws {
        let request = try request(place)
        var response = answer(to: request, status: 403)
        response.metrics.total = .seconds(1)
        var error = NetworkError(
            .forbidden, phase: .validating, request: request, response: response.head,
            underlying: NetworkError(.cancelled, phase: .sending, request: request))
        error.body = Data(Self.secret.utf8)
        let values: [Any] = [
            request, request.fields, request.options, response, response.head, Call(request), error,
            Result<HTTPResponse, NetworkError>.failure(error), [request], ["url": request.url],
        ]
        for value in values { expectNoSecret(texts(of: value), "\(place) in \(type(of: value))") }
        for field in request.fields where place != .referer && place != .text {
            expectNoSecret(texts(of: field), "\(place)")
        }
    }

    @Test(
        "M2 not in what a client throws for a status, whatever the body says",
        arguments: [400, 401, 403, 404, 422, 500])
    func thrown(status: Int) async throws {
        let api = articles(ScriptedTransport { request throws(NetworkError) in answer(to: request, status: status) }) {
            $0.defaultFields = [.authorization: Self.secret]
        }
        let error = try #require(await api.failure(of: Endpoint<Article>.get("a", query: ["token": Self.secret])))
        expectNoSecret(texts(of: error) + [error.shortDescription, error.userMessage ?? ""], "\(status)")
    }

    @Test("M2 not in an endpoint or a query")
    func endpoints() {
        let query: QueryItems = ["token": Self.secret, "page": 2]
        let endpoint = Endpoint<Void>.post("a", body: .json(["password": Self.secret])).query(query)
            .header("X-Api-Token", Self.secret)
        for value in [endpoint, query, query.items] as [Any] { expectNoSecret(texts(of: value), "\(type(of: value))") }
        #expect("\(query)" == "token=<redacted>&page=2")
    }

    @Test("M2 not in an archive, with bodies or without", arguments: Place.allCases.filter { $0 != .text }, [0, 4096])
    func archive(place: Place, bodyLimit: Int) async throws {
        var options = HAROptions()
        options.bodyLimit = bodyLimit
        let recorder = HARRecorder(options: options)
        let transport = ScriptedTransport { request throws(NetworkError) in answer(to: request, status: 302) }
        _ = try await Chain([recorder], over: transport).send(request(place))
        expectNoSecret([String(decoding: try recorder.data(), as: UTF8.self)], "\(place)")
    }

    @Test("M2 a credential under any name is omitted of logs and archives of attempts")
    func credentials() async throws {
        let messages = Collected<String>()
        var options = LogOptions(level: .bodies)
        options.destination = { messages.append($0) }
        let origin = try HTTPURL("https://api.example.com").origin
        for credential in [Credential.apiKey(Self.secret, field: "X-Mine"), .apiKey(Self.secret, queryItem: "appid")] {
            let recorder = HARRecorder()
            let chain = Chain(
                [Authentication(credential, for: [origin]), Logging(options), recorder], over: ScriptedTransport())
            _ = try await chain.send(HTTPRequest(url: try HTTPURL("https://api.example.com/")))
            expectNoSecret(messages.values + [String(decoding: try recorder.data(), as: UTF8.self)], "\(credential)")
        }
        #expect(messages.values.count == 4)
    }

    @Test("M2 other values are still shown")
    func plain() throws {
        var request = HTTPRequest(url: try HTTPURL("https://a.com/?page=2&author=ann"))
        request.fields = ["Access-Control-Allow-Credentials": "true", .accept: "text/html"]
        #expect("\(request)" == "GET https://a.com/?page=2&author=ann")
        #expect("\(request.fields)" == "Access-Control-Allow-Credentials: true\nAccept: text/html")
    }
}
