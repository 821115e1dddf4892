import GodwitCore
import Testing

@Suite("E11 the server's explanation, in common formats")
struct ServerTextTests {
    /// An answer, and what becomes of it.
    struct Case: Sendable, CustomTestStringConvertible {
        var status = 409
        var type: String? = "application/json"
        let body: String
        /// What a person is shown; `nil` for a sentence of the library.
        var message: String?
        /// What a log shows after the URL; ``message`` if nothing else is said.
        var line: String?

        var testDescription: String { "\(status) \(body.prefix(70))" }
    }

    private static let url = "https://a.com/x"

    private func error(_ answer: Case, sending fields: HTTPFields = [:], _ body: HTTPBody? = nil) throws -> NetworkError
    {
        var request = HTTPRequest(method: .post, url: try HTTPURL(Self.url), fields: fields, body: body)
        request.options.retry = .never
        var head = HTTPResponseHead(status: try #require(HTTPStatus(answer.status)))
        head.fields[.contentType] = answer.type
        return NetworkError(HTTPResponse(head: head, request: request), body: Data(answer.body.utf8))
    }

    private static let taken = "The name is taken"

    static let sentences: [Case] = [
        Case(status: 400, body: #"{"code": 17, "message": "The name is taken"}"#, message: taken),
        Case(body: #"{"message": "The name is taken"}"#, message: taken),
        Case(body: #"{"Message": "The name is taken", "__type": "ConflictException"}"#, message: taken),
        Case(status: 422, body: #"{"errors": ["Title is too short"]}"#, message: "Title is too short"),
        Case(status: 422, body: #"{"errors": "Title is too short"}"#, message: "Title is too short"),
        Case(body: #"{"errors": [{"message": "The name is taken"}]}"#, message: taken),
        Case(
            body: #"{"errors": [{"status": "409", "title": "Conflict", "detail": "The name is taken"}]}"#,
            message: taken),
        Case(
            body:
                #"{"data": null, "errors": [{"message": "The name is taken", "path": ["user"], "extensions": {"code": "C"}}]}"#,
            message: taken),
        Case(status: 404, body: #"{"detail": "No article has this name"}"#, message: "No article has this name"),
        Case(body: #"{"error": "The name is taken"}"#, message: taken),
        Case(body: #"{"error": {"code": "taken", "message": "The name is taken"}}"#, message: taken),
        Case(
            body: #"{"error": {"code": 409, "message": "The name is taken", "status": "ALREADY_EXISTS"}}"#,
            message: taken),
        Case(
            status: 402,
            body: #"{"error": {"type": "card_error", "message": "Your card was declined.", "param": "number"}}"#,
            message: "Your card was declined."),
        Case(
            status: 400, body: #"{"error": "invalid_grant", "error_description": "Wrong user name or password"}"#,
            message: "Wrong user name or password"),
        Case(
            body:
                #"{"timestamp": 1, "status": 409, "error": "Conflict", "message": "The name is taken", "path": "/x"}"#,
            message: taken),
        Case(
            status: 400,
            body:
                #"{"statusCode": 400, "message": ["title must not be empty", "body is too long"], "error": "Bad Request"}"#,
            message: "title must not be empty; body is too long"),
        Case(
            type: "application/problem+json",
            body: #"{"type": "about:blank", "title": "Taken", "detail": "The name is taken"}"#, message: taken),
        Case(body: #"{"type": "https://e.com/taken", "title": "The name is taken", "status": 409}"#, message: taken),
        Case(
            status: 401, body: #"{"code": 400, "error_code": "x", "msg": "Wrong user name or password"}"#,
            message: "Wrong user name or password"),
        Case(body: #"{"error": true, "reason": "The name is taken"}"#, message: taken),
        Case(body: #"{"ok": false, "description": "The name is taken"}"#, message: taken),
        Case(body: #"[{"errorCode": "DUPLICATE", "message": "The name is taken"}]"#, message: taken),
        Case(body: #"[{"error": {"message": "The name is taken"}}]"#, message: taken),
        Case(
            body: #"{"error": {"code": "x", "message": {"lang": "en", "value": "The name is taken"}}}"#, message: taken),
        Case(body: #"{"fault": {"faultstring": "The name is taken"}}"#, message: taken),
        Case(body: #"{"errors": {"detail": "The name is taken"}}"#, message: taken),
        Case(body: #""The name is taken""#, message: taken),
        Case(type: "text/plain; charset=utf-8", body: "The name is taken\n", message: taken),
        Case(type: nil, body: "The name is taken", message: taken),
        Case(
            type: "application/xml",
            body:
                "<?xml version=\"1.0\"?><Error><Code>Taken</Code><Message>The name is taken &amp; gone</Message></Error>",
            message: "The name is taken & gone"),
        // As moto and others call it.
        Case(
            type: "text/html; charset=utf-8",
            body: "<?xml version=\"1.0\"?><Errors><Error><Message>The name is taken</Message></Error></Errors>",
            message: taken),
        Case(body: #"{"message": "名前は既に使われています"}"#, message: "名前は既に使われています"),
        Case(
            status: 429, body: #"{"message": "Your plan allows 10 calls a day"}"#,
            message: "Your plan allows 10 calls a day"),
        Case(body: #"{"userMessage": "The name is taken", "message": "Key (name) exists"}"#, message: taken),
    ]

    @Test("E11 a sentence with a 4xx is the user message, and what the log says", arguments: sentences)
    func sentence(answer: Case) throws {
        let error = try error(answer)
        #expect(error.userMessage(in: .english) == answer.message)
        #expect(error.userMessage(in: .german) == answer.message)
        #expect(error.description == "HTTP \(answer.status) from POST \(Self.url): \(answer.message ?? "")")
    }

    static let internals: [Case] = [
        Case(status: 400, body: #"{"error": "invalid_grant"}"#, line: "invalid_grant"),
        Case(status: 400, body: #"{"code": "E1700"}"#, line: "E1700"),
        Case(status: 400, body: #"{"status": 400, "error": "Bad Request", "path": "/x"}"#, line: "Bad Request"),
        Case(status: 400, body: #"{"message": "ERR_NAME_TAKEN"}"#, line: "ERR_NAME_TAKEN"),
        Case(
            type: "application/xhtml+xml",
            body: "<?xml version=\"1.0\"?><!DOCTYPE html><html><head><title>Taken</title></head><p>message</p></html>",
            line: "Taken"),
        Case(
            type: "text/html",
            body: "<!DOCTYPE html><html><head><title>Taken &lt;3</title></head><body>No</body></html>", line: "Taken <3"
        ),
        Case(type: "text/html", body: "The name is taken", line: "the server refused the request"),
        Case(body: #"{"message": "<p>The name is <b>taken</b></p>"}"#, line: "<p>The name is <b>taken</b></p>"),
        Case(status: 404, type: "text/plain", body: "404 page not found\n", line: "404 page not found"),
        Case(
            status: 400, body: #"{"message": "TypeError: x is not a function"}"#, line: "TypeError: x is not a function"
        ),
        Case(
            status: 400, body: #"{"message": "java.lang.IllegalStateException: no\n\tat a.b.C(D.java:7)"}"#,
            line: "java.lang.IllegalStateException: no at a.b.C(D.java:7)"),
        Case(status: 400, body: #"{"detail": "SQLSTATE[23000]: no such row"}"#, line: "SQLSTATE[23000]: no such row"),
        Case(
            status: 500, body: #"{"message": "The pool has no connection left"}"#,
            line: "The pool has no connection left"),
        Case(status: 503, type: "text/plain", body: "upstream connect error", line: "upstream connect error"),
        Case(status: 300, body: #"{"message": "There are several"}"#, line: "There are several"),
        Case(
            status: 400, body: #"{"message": "\#(String(repeating: "long ", count: 100))"}"#,
            line: String(repeating: "long ", count: 40) + "…"),
        Case(type: "application/octet-stream", body: "\u{1}\u{2}", line: "the server refused the request"),
        Case(type: "application/json", body: #"{"message": "The na"#, line: "the server refused the request"),
    ]

    @Test("E11 a code, markup, a trace, a bare reason phrase and a 5xx appear only in the log", arguments: internals)
    func inside(answer: Case) throws {
        let error = try error(answer)
        let ours = UserMessages.Key.allCases.map { UserMessages.english[$0] }
        #expect(ours.contains(error.userMessage(in: .english) ?? ""))
        #expect(error.description == "HTTP \(answer.status) from POST \(Self.url): \(answer.line ?? "")")
    }

    static let fieldBodies: [(String, String)] = [
        (#"{"errors": {"title": ["is too short"]}}"#, "title"),
        (#"{"message": "The given data was invalid.", "errors": {"title": ["is too short"]}}"#, "title"),
        (#"{"errors": [{"field": "title", "message": "is too short"}]}"#, "title"),
        (#"{"detail": [{"loc": ["body", "title"], "msg": "is too short", "type": "string_too_short"}]}"#, "title"),
        (#"{"detail": [{"loc": ["body", "items", 0, "title"], "msg": "is too short"}]}"#, "items.0.title"),
        (#"{"title": ["is too short"]}"#, "title"),
        (#"{"error": {"title": ["is too short"]}}"#, "title"),
        (#"{"message": {"title": ["is too short"]}}"#, "title"),
        (
            #"{"errors": [{"objectName": "a", "field": "title", "defaultMessage": "is too short", "code": "Size"}]}"#,
            "title"
        ),
        (#"{"errors": [{"source": {"pointer": "/data/attributes/title"}, "detail": "is too short"}]}"#, "title"),
        (##"{"title": "Invalid", "errors": [{"pointer": "#/author/name", "detail": "is too short"}]}"##, "author.name"),
        (
            #"{"error": {"code": 400, "message": "Bad", "details": [{"@type": "t", "fieldViolations": [{"field": "title", "description": "is too short"}]}]}}"#,
            "title"
        ),
        (#"{"invalid-params": [{"name": "title", "reason": "is too short"}]}"#, "title"),
        (#"{"violations": [{"propertyPath": "title", "message": "is too short"}]}"#, "title"),
        (#"{"error": {"issues": [{"path": ["title"], "message": "is too short"}]}}"#, "title"),
        (#"{"status": "fail", "data": {"title": "is too short"}}"#, "title"),
        (#"{"code": 50035, "errors": {"title": {"_errors": [{"code": "X", "message": "is too short"}]}}}"#, "title"),
    ]

    @Test(
        "E11 messages that name a field are .validationFailed, shown to people, and in the log", arguments: fieldBodies)
    func fields(body: String, name: String) throws {
        for status in [400, 422] {
            let error = try error(Case(status: status, body: body))
            #expect(error.kind == .validationFailed([.init(field: name, messages: ["is too short"])]))
            #expect(error.userMessage(in: .english) == "is too short")
            #expect(error.description.contains("\(name): is too short"))
        }
    }

    @Test("E11 codes instead of messages are not shown to people")
    func fieldCodes() throws {
        let answer = Case(
            status: 422,
            body: #"{"message": "Validation Failed", "errors": [{"field": "title", "code": "missing_field"}]}"#)
        let error = try error(answer)
        #expect(error.userMessage(in: .english) == "Some of what was entered is not valid.")
        #expect(error.description == "HTTP 422 from POST \(Self.url): Validation Failed (title: missing_field)")
        let word = try self.error(Case(status: 422, body: #"{"errors": {"title": ["required"]}}"#))
        #expect(word.userMessage(in: .english) == "required")
    }

    @Test("E11 whatever the body, a description is one line of 200 characters at most, and nothing traps")
    func hostile() throws {
        let deep = String(repeating: #"{"errors":"#, count: 400) + "1" + String(repeating: "}", count: 400)
        let wide = "{\"errors\":{" + (0..<300).map { "\"f\($0)\":[\"is bad\"]" }.joined(separator: ",") + "}}"
        let bodies = [
            deep, wide, "[[[[[", "\"", "[null]", #"{"errors":[null,1,[],{}]}"#, #"{"error":null}"#, "<", "<>", "< >",
            "<html",
            "{\"errors\":{\"\":[\"a b\"]}}", #"{"detail":[{"loc":[],"msg":"a b"}]}"#,
            #"{"errors":[{"pointer":"/","detail":"a b"}]}"#,
            "\"\u{202E}evil\\r\\n\\u001b[2Jtext\"", String(repeating: "é", count: 4095) + "😀 text",
        ]
        for body in bodies {
            for type in ["application/json", "text/plain", "text/html", "application/xml"] {
                let error = try error(Case(status: 422, type: type, body: body))
                #expect(!error.description.contains { $0.isNewline || $0 == "\u{1B}" })
                #expect(error.description.count < 300)
                if case .validationFailed(let fields) = error.kind { #expect(fields.count <= 100) }
                #expect((error.userMessage(in: .english) ?? "").split(separator: "\n").count <= 10)
            }
        }
    }

    @Test("E11 secrets of the request are redacted in the explanation, for logs and people")
    func secrets() throws {
        let answer = Case(status: 400, body: #"{"message": "The key hunter2-hunter2 is not valid"}"#)
        let bodies: [HTTPBody] = [
            .bytes(Data(#"{"user":{"password":"hunter2-hunter2"}}"#.utf8)),
            .bytes(Data("name=a&password=hunter2-hunter2".utf8)),
        ]
        for body in bodies {
            let error = try error(answer, body)
            #expect(error.userMessage == "The key <redacted> is not valid")
            #expect(error.description.hasSuffix("The key <redacted> is not valid"))
        }
        for length in 980...1010 {
            let cut = #"{"message": "\#(String(repeating: "a", count: length))hunter2-hunter2"}"#
            let error = try error(Case(status: 400, body: cut), bodies[0])
            #expect(!"\(error) \(error.userMessage ?? "")".contains("hunter"))
        }
        let field = try error(answer, sending: ["X-Api-Key": "hunter2-hunter2"])
        #expect(!"\(field) \(field.userMessage ?? "")".contains("hunter2"))
    }

    private func error(_ answer: Case, _ body: HTTPBody) throws -> NetworkError {
        try error(answer, sending: [:], body)
    }

    nonisolated struct Torn: LocalizedError {
        var errorDescription: String? { "The paper is torn" }
    }

    @Test("E11 what a closure of the program throws says what a person is shown, if it is a LocalizedError")
    func thrown() async throws {
        let middleware = NetworkError(.transport(.other("Torn was thrown")), phase: .middleware, underlying: Torn())
        #expect(middleware.userMessage == "The paper is torn")
        let store = NetworkError(
            .unauthorized, phase: .middleware, response: HTTPResponseHead(status: .unauthorized),
            underlying: TokenStoreError.notAFile(path: "/a"))
        #expect(store.userMessage(in: .english) == "Please sign in again.")
    }

    nonisolated struct Refusal: LocalizedError, Decodable {
        let why: String
        var errorDescription: String? { "Because: \(why)" }
    }

    @Test("E11 an API's own error type that is a LocalizedError says what a person is shown")
    func ownType() async throws {
        let api = articles(ScriptedTransport(409, #"{"why":"it is late"}"#)) { $0.errorBodies = [.type(Refusal.self)] }
        #expect(await api.failure(of: .article(id: 1))?.userMessage == "Because: it is late")
    }
}
