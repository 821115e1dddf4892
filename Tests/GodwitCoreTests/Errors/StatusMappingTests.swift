import GodwitCore
import Testing

@Suite("E4 statuses become errors", .timeLimit(.minutes(15)))
struct StatusMappingTests {
    private func error(
        _ status: Int, _ body: String = "", _ fields: HTTPFields = [:],
        configure: (inout ClientConfiguration) -> Void = { _ in }
    ) async throws -> NetworkError {
        try #require(
            await articles(ScriptedTransport(status, body, fields), configure: configure).failure(of: .article(id: 1)))
    }

    @Test(
        "E4 each status has its kind",
        arguments: [
            (300, .unexpectedStatus(300)), (304, .unexpectedStatus(304)), (400, .client(status: 400)),
            (401, .unauthorized),
            (403, .forbidden), (404, .notFound), (409, .client(status: 409)), (410, .notFound),
            (422, .client(status: 422)),
            (429, .rateLimited(retryAfter: nil)), (499, .client(status: 499)), (500, .server(status: 500)),
            (503, .server(status: 503)), (600, .server(status: 600)),
        ] as [(Int, NetworkError.Kind)])
    func kinds(status: Int, kind: NetworkError.Kind) async throws {
        let error = try await error(status)
        #expect(error.kind == kind)
        #expect(error.phase == .validating)
        #expect(error.response?.status.code == status)
        #expect(error.request?.url.path == "/v1/articles/1")
        #expect(error.requestID == error.request?.fields[.requestID])
        #expect(error.requestID != nil)
    }

    @Test("E1 an endpoint can accept further statuses")
    func accepting() async throws {
        let api = articles(ScriptedTransport(404, "gone"))
        #expect(try await api.send(Endpoint<String>.get("x").accepting(.notFound)) == "gone")
    }

    @Test(
        "E6 Retry-After in seconds and as a date, read against the server's clock",
        arguments: [
            ("120", nil, .seconds(120)),
            ("Wed, 21 Oct 2015 07:28:30 GMT", "Wed, 21 Oct 2015 07:28:00 GMT", .seconds(30)),
            ("Wed, 21 Oct 2015 07:28:30 GMT", nil, .zero), ("soon", nil, nil), (nil, nil, nil),
        ] as [(String?, String?, Duration?)])
    func retryAfter(value: String?, date: String?, delay: Duration?) async throws {
        var fields: HTTPFields = [:]
        fields[.retryAfter] = value
        fields[.date] = date
        let limited = try await error(429, "", fields)
        #expect(limited.kind == .rateLimited(retryAfter: delay))
        #expect(limited.suggestedRetryDelay == delay)
        #expect(try await error(503, "", fields).suggestedRetryDelay == delay)
    }

    @Test(
        "E5 field errors in the shapes that APIs use",
        arguments: [
            #"{"errors":{"title":["too short","too dull"]}}"#,
            #"{"fields":{"title":["too short","too dull"]}}"#,
            #"{"code":"invalid","message":"No.","errors":[{"field":"title","messages":["too short","too dull"]}]}"#,
            #"{"error":{"code":7,"message":"No.","fields":{"title":["too short","too dull"]}}}"#,
            #"{"type":"about:blank","errors":[{"pointer":"title","detail":["too short","too dull"]}]}"#,
            #"{"detail":"No.","errors":[{"loc":["title"],"msg":["too short","too dull"]}]}"#,
            #"{"errors":[{"source":{"pointer":"title"},"detail":["too short","too dull"]}]}"#,
        ])
    func fieldErrors(body: String) async throws {
        let fields = [NetworkError.FieldError(field: "title", messages: ["too short", "too dull"])]
        for status in [400, 422] {
            let error = try await error(status, body)
            #expect(error.kind == .validationFailed(fields))
            #expect(error.problem?.fields == fields)
            #expect(error.userMessage == "too short\ntoo dull")
        }
        #expect(try await error(409, body).kind == .client(status: 409))
    }

    @Test("E5 problem details of RFC 9457")
    func problemDetails() async throws {
        let error = try await error(
            409,
            #"""
            {"type": "https://e.com/locked", "title": "Locked", "status": 409, "detail": "By Bo", "instance": "/a/1",
             "code": "locked"}
            """#,
            [.contentType: "application/problem+json"])
        var expected = ProblemDetails()
        expected.type = "https://e.com/locked"
        expected.title = "Locked"
        expected.status = 409
        expected.detail = "By Bo"
        expected.instance = "/a/1"
        expected.code = "locked"
        #expect(error.problem == expected)
    }

    @Test(
        "E5 messages are found under the usual names",
        arguments: [
            (#"{"code":"e1","message":"m"}"#, "e1", "m"), (#"{"error":{"code":12,"message":"m"}}"#, "12", "m"),
            (#"{"code":"e2","errors":["m","n"]}"#, "e2", "m; n"),
            (#"{"error":"invalid_grant","error_description":"m"}"#, "invalid_grant", "m"),
        ])
    func messages(body: String, code: String, detail: String) async throws {
        let problem = try await error(400, body).problem
        #expect(problem?.code == code)
        #expect(problem?.detail == detail)
    }

    @Test(
        "E5 a body that cannot be read never hides the status",
        arguments: ["", "<html>", "[1]", "{}", "\u{0}", #"{"errors":7}"#])
    func undecodable(body: String) async throws {
        let error = try await error(500, body)
        #expect(error.kind == .server(status: 500))
        #expect(error.problem == nil)
        #expect(error.body == Data(body.utf8))
    }

    struct Refusal: Error, Decodable, Equatable { var reason: String }
    struct Complaints: Decodable { var complaints: [String] }

    @Test("E5 an API's own error type is read first")
    func ownType() async throws {
        let error = try await error(409, #"{"reason":"locked","code":"c"}"#) { $0.errorBodies = [.type(Refusal.self)] }
        #expect(error.underlying as? Refusal == Refusal(reason: "locked"))
        #expect(error.problem?.code == "c")
        #expect(error.kind == .client(status: 409))
    }

    @Test("E5 an API's own error type can be for some statuses")
    func ownTypeByStatus() async throws {
        for (status, isRead) in [(409, true), (410, false), (503, true)] {
            let error = try await error(status, #"{"reason":"locked"}"#) {
                $0.errorBodies = [.type(Refusal.self, for: [409]), .type(Refusal.self, for: 500..<600)]
            }
            #expect((error.underlying is Refusal) == isRead, "\(status)")
        }
    }

    @Test("E5 an API's own error type can name fields")
    func ownProblem() async throws {
        let error = try await error(422, #"{"complaints":["bad"]}"#) {
            $0.errorBodies = [
                .type(Complaints.self) { body in
                    var problem = ProblemDetails()
                    problem.fields = [.init(field: "all", messages: body.complaints)]
                    return problem
                }
            ]
        }
        #expect(error.kind == .validationFailed([.init(field: "all", messages: ["bad"])]))
    }

    @Test("E5 where the own type does not fit, the usual shapes are tried")
    func fallsBack() async throws {
        let error = try await error(409, #"{"message":"m"}"#) { $0.errorBodies = [.type(Refusal.self)] }
        #expect(error.underlying == nil)
        #expect(error.problem?.detail == "m")
    }

    @Test("E4 the body is kept up to 64 KiB")
    func bounded() async throws {
        let error = try await error(500, String(repeating: "a", count: 100_000))
        #expect(error.body?.count == 64 << 10)
    }
}
