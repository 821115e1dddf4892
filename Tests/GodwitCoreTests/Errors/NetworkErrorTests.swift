import GodwitCore
import Testing

@Suite("E4 what an error advises")
struct NetworkErrorTests {
    @Test(
        "E4 which errors are retryable",
        arguments: [
            .offline(.noPath), .offline(.cellularNotAllowed), .timedOut(.connect), .timedOut(.inactivity),
            .timedOut(.total),
            .rateLimited(retryAfter: nil),
            .transport(.cannotResolveHost("h")), .transport(.cannotConnect("")), .transport(.connectionLost("")),
            .transport(.proxy("")), .client(status: 408), .client(status: 425), .server(status: 500),
            .server(status: 502),
            .server(status: 503), .server(status: 504),
        ] as [NetworkError.Kind])
    func retryable(kind: NetworkError.Kind) {
        #expect(NetworkError(kind, phase: .sending).isRetryable)
    }

    @Test(
        "E4 which errors aren't retryable",
        arguments: [
            .cancelled, .invalidURL(reason: ""), .unauthorized, .forbidden, .notFound, .validationFailed([]),
            .client(status: 409),
            .server(status: 501), .server(status: 505), .decoding(.init(path: "", reason: "")), .insecure(.pinMismatch),
            .redirect(.bodyNotReplayable), .tooLarge(limit: 1), .file(reason: ""), .shutdown,
            .transport(.cannotSendBody("")),
            .transport(.protocolViolation("")), .unexpectedStatus(304),
        ] as [NetworkError.Kind])
    func permanent(kind: NetworkError.Kind) {
        #expect(!NetworkError(kind, phase: .sending).isRetryable)
    }

    @Test("E4 what is larger than a limit is named: a body, a head, a response")
    func tooLarge() throws {
        let request = HTTPRequest(method: .get, url: try HTTPURL("http://h/"))
        let head = HTTPResponseHead(status: .ok)
        func words(_ phase: NetworkError.Phase, _ response: HTTPResponseHead?) -> String {
            let error = NetworkError(.tooLarge(limit: 9), phase: phase, request: request, response: response)
            return error.description.replacing(" [GET http://h/]", with: "")
        }
        #expect(words(.building, nil) == "the body is larger than the limit of 9 bytes")
        #expect(words(.sending, nil) == "the head of the response is larger than the limit of 9 bytes")
        #expect(words(.receiving, nil) == "the head of the response is larger than the limit of 9 bytes")
        #expect(words(.receiving, head) == "the response is larger than the limit of 9 bytes")
        #expect(
            NetworkError(.tooLarge(limit: 9), phase: .receiving).description
                == "the response is larger than the limit of 9 bytes")
        #expect(words(.middleware, nil) == "larger than the limit of 9 bytes")
    }

    @Test("E4 a person is reported nothing of what they canceled, and something of the rest")
    func userMessage() {
        #expect(NetworkError(.cancelled, phase: .sending).userMessage == nil)
        let kinds: [NetworkError.Kind] = [
            .offline(.noPath), .timedOut(.total), .unauthorized, .server(status: 500), .validationFailed([]),
            .decoding(.init(path: "a", reason: "b")), .invalidURL(reason: "x"),
        ]
        for kind in kinds { #expect(NetworkError(kind, phase: .sending).userMessage?.isEmpty == false) }
    }

    @Test(
        "E4 messages suggest trying again only if that may help",
        arguments: [
            (.client(status: 409), "This was changed elsewhere in the meantime. Load it again before you change it."),
            (.client(status: 413), "This is larger than the server accepts."),
            (.client(status: 400), "The server did not accept this."),
            (.decoding(.init(path: "a", reason: "b")), "The server's response could not be understood."),
            (.encoding(reason: "x"), "This could not be sent."), (.forbidden, "You do not have access to this."),
            (.notFound, "This could not be found."), (.server(status: 501), "The server cannot do this."),
            (.server(status: 503), "The server has a problem. Try again later."),
            (.offline(.cellularNotAllowed), "This isn't allowed on the current network. Try again on another one."),
            (.rateLimited(retryAfter: nil), "There were too many requests. Wait a moment and try again."),
            (.rateLimited(retryAfter: .seconds(60)), "There were too many requests. Wait a moment and try again."),
            (.rateLimited(retryAfter: .seconds(61)), "There were too many requests. Try again in 2 minutes."),
            (.rateLimited(retryAfter: .seconds(1e6)), "There were too many requests. Try again later."),
        ] as [(NetworkError.Kind, String)])
    func advice(kind: NetworkError.Kind, message: String) {
        #expect(NetworkError(kind, phase: .validating).userMessage == message)
    }

    @Test("E4 the message of a 410 says that it was available once")
    func gone() {
        let error = NetworkError(.notFound, phase: .validating, response: HTTPResponseHead(status: .gone))
        #expect(error.userMessage == "This isn't available anymore.")
    }

    @Test("E4 a description shows the request without secrets, and its id")
    func description() throws {
        var request = HTTPRequest(url: try HTTPURL("https://a.com/x?access_token=s3cret&author=ann&code=1"))
        request.fields[.requestID] = "r1"
        let error = NetworkError(.notFound, phase: .validating, request: request)
        #expect(
            error.description
                == "not found [GET https://a.com/x?access_token=<redacted>&author=ann&code=<redacted>] (request r1)")
        #expect(error.shortDescription == "not_found")
    }

    private func error(
        _ status: Int, _ body: String = "", fields: HTTPFields = [:], sent: HTTPFields = [:]
    ) throws -> NetworkError {
        let request = HTTPRequest(method: .post, url: try HTTPURL("https://a.com/x"), fields: sent)
        let response = HTTPResponse(
            head: HTTPResponseHead(status: try #require(HTTPStatus(status)), fields: fields), request: request)
        return NetworkError(response, body: Data(body.utf8), readers: [], coding: JSONCoding())
    }

    @Test(
        "E4 a description of a status says what failed, for which request, and what the server says",
        arguments: [
            (404, "", "HTTP 404 from POST https://a.com/x: not found"),
            (
                409, #"{"title":"Locked","detail":"Ann is editing it"}"#,
                "HTTP 409 from POST https://a.com/x: Ann is editing it"
            ),
            (500, #"{"title":"Broken"}"#, "HTTP 500 from POST https://a.com/x: Broken"),
            (503, "<html>", "HTTP 503 from POST https://a.com/x: the server failed"),
            (400, #"{"message":"line\nbreak\u001b[31m"}"#, "HTTP 400 from POST https://a.com/x: line break [31m"),
            (
                422, #"{"errors":{"title":["too short"]}}"#,
                "HTTP 422 from POST https://a.com/x: validation failed: title: too short"
            ),
            (
                401, #"{"detail":"see https://a.com/?token=s3cr3t&x=1"}"#,
                "HTTP 401 from POST https://a.com/x: see https://a.com/?token=<redacted>&x=1"
            ),
        ])
    func answer(status: Int, body: String, expected: String) throws {
        #expect(try error(status, body).description == expected)
    }

    @Test("E4 the explanation is truncated after 200 characters, with the request's secrets redacted")
    func explanation() throws {
        let long = try error(400, #"{"detail":"\#(String(repeating: "x", count: 500))"}"#).description
        #expect(long.hasSuffix("x…") && long.count < 260)
        let echo = try error(
            401, #"{"detail":"the token abcdef123456 is bad"}"#, sent: [.authorization: "Bearer abcdef123456"]
        ).description
        #expect(echo == "HTTP 401 from POST https://a.com/x: the token <redacted> is bad")
    }

    @Test(
        "E6 Retry-After is read on any status, and of several the longest counts",
        arguments: [200, 202, 301, 404, 413, 429, 500, 503])
    func retryAfter(status: Int) throws {
        let code = try #require(HTTPStatus(status))
        #expect(HTTPResponseHead(status: code, fields: [.retryAfter: "7"]).retryAfter == .seconds(7))
        #expect(HTTPResponseHead(status: code, fields: [.retryAfter: "7", .retryAfter: "9"]).retryAfter == .seconds(9))
        #expect(HTTPResponseHead(status: code, fields: [.retryAfter: "1e30"]).retryAfter == nil)
        #expect(
            HTTPResponseHead(status: code, fields: [.retryAfter: "99999999999999999999"]).retryAfter
                == .seconds(365 * 86_400))
        #expect(HTTPResponseHead(status: code).retryAfter == nil)
        guard status >= 400 else { return }
        let error = try error(status, fields: [.retryAfter: "7"])
        #expect(error.suggestedRetryDelay == .seconds(7))
        #expect(error.isRetryable == (status != 404))
        #expect(try self.error(413).isRetryable == false)
    }
}

@Suite("M2 secrets are omitted of text")
struct RedactedTextTests {
    @Test(
        "M2 members with secret names are omitted, whatever their value",
        arguments: [
            (#"{"password": "x", "a": 1}"#, #"{"password": "<redacted>", "a": 1}"#),
            (#"{"apiKey":"a\"b","n":2}"#, #"{"apiKey":"<redacted>","n":2}"#),
            (#"{"token":{"a":["}","b"]},"n":2}"#, #"{"token":"<redacted>","n":2}"#),
            (#"{"secrets":[1,2],"n":[3]}"#, #"{"secrets":"<redacted>","n":[3]}"#),
            (#"{"pin":1234,"spin":5}"#, #"{"pin":"<redacted>","spin":5}"#),
            (#"{"author":"ann","auth":"x"}"#, #"{"author":"ann","auth":"<redacted>"}"#),
            (#"["password","x"]"#, #"["password","x"]"#),
            (#"{"token":"cut of"#, #"{"token":"<redacted>""#),
            (#"{"note":"say \"password\": no"}"#, #"{"note":"say \"password\": no"}"#),
            ("plain text", "plain text"), ("", ""),
        ])
    func json(text: String, expected: String) {
        #expect(RedactedText.json(Data(text.utf8), limit: 1000) == expected)
    }

    @Test("M2 text is cut at the limit and says so")
    func bounded() {
        #expect(RedactedText.json(Data("abcdef".utf8), limit: 3) == "abc…")
        #expect(RedactedText.json(Data(#"{"token":"abcdef"}"#.utf8), limit: 12) == #"{"token":"<redacted>"…"#)
    }

    @Test("M2 form items with secret names are omitted")
    func form() {
        #expect(
            RedactedText.form("user=ann&password=x&access%5Ftoken=y&flag")
                == "user=ann&password=<redacted>&access%5Ftoken=<redacted>&flag")
        #expect(RedactedText.form("tenant=a", extraNames: ["tenant"]) == "tenant=<redacted>")
    }
}
