import Godwit
import GodwitTesting
import PeerSupport
import TestSupport
import Testing

@Suite("Contract: redirects above the transport", .timeLimit(.minutes(15)))
struct RedirectTests {
    private func client(_ subject: Subject) throws -> Chain {
        func chain(_ transport: some HTTPTransport) -> Chain { Chain([Redirects()], over: transport) }
        return chain(try subject.makeTrusting())
    }

    @Test("T6 a transport itself follows nothing", arguments: Subject.allCases, [301, 302, 303, 307, 308])
    func bare(_ subject: Subject, _ code: Int) async throws {
        let status = try #require(HTTPStatus(code))
        let server = try await MockServer { $0.any("*").reply(.redirect(to: "/next", status: status)) }
        let response = try await subject.make().get(server.url)
        #expect(response.head.status == status)
        #expect(response.head.fields[.location] == "/next")
        #expect(server.requestCount == 1)
    }

    @Test(
        "T6 a 3xx without Location is a response like others, with its fields and its body",
        arguments: Subject.allCases,
        [301, 302, 303, 307, 308])
    func unlocated(_ subject: Subject, _ code: Int) async throws {
        let status = try #require(HTTPStatus(code))
        let server = try await MockServer {
            $0.any("*").reply(.text("part", status: status).field("Range", "bytes=0-42"))
        }
        let response = try await client(subject).get(server.url)
        #expect(response.head.status == status && response.head.fields[.range] == "bytes=0-42")
        #expect(String(decoding: try await response.body.collect(upTo: 100), as: UTF8.self) == "part")
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let status: Int
        let method: HTTPMethod
        let next: HTTPMethod
        let keepsBody: Bool

        var testDescription: String { "\(method) \(status)" }

        /// RFC 9110 section 15.4: every redirect status with every method.
        static let all: [Case] = [301, 302, 303, 307, 308].flatMap { status in
            [HTTPMethod.get, .head, .post, .put, .patch, .delete].map { method in
                let keeps = status > 303 || (status < 303 && method != .post)
                let next: HTTPMethod = keeps || method == .head ? method : .get
                return Case(status: status, method: method, next: next, keepsBody: keeps)
            }
        }
    }

    @Test("T6 I10 every redirect status with every method", arguments: Subject.allCases, Case.all)
    func methods(_ subject: Subject, _ example: Case) async throws {
        let status = try #require(HTTPStatus(example.status))
        let server = try await MockServer {
            $0.any("/from").reply(.redirect(to: "to?x=1#part", status: status))
            $0.any("/to").reply(.text("arrived"))
        }
        var request = HTTPRequest(method: example.method, url: try server.at("/from"))
        if example.method != .get && example.method != .head {
            request.body = "content"
            request.fields[.contentType] = "text/plain"
        }
        let response = try await client(subject).send(request)
        #expect(response.head.status == .ok)
        #expect(response.request.url == (try server.at("/to?x=1")))
        #expect(response.metrics.redirectCount == 1)
        let second = try #require(server.requests.last)
        #expect(second.method == example.next)
        #expect(second.target == "/to?x=1")
        #expect(second.text == (example.keepsBody && request.body != nil ? "content" : ""))
        #expect(second.fields.contains(.contentType) == (example.keepsBody && request.body != nil))
    }

    @Test("T6 content of every kind that can be read again is sent again", arguments: Subject.allCases)
    func replay(_ subject: Subject) async throws {
        let folder = TemporaryFolder()
        let data = Samples.data(200_003)
        let server = try await MockServer {
            $0.any("/from").reply(.redirect(to: "/to", status: .temporaryRedirect))
            $0.any("/to").reply(.text("arrived"))
        }
        let bodies: [HTTPBody] = [
            .bytes(data), .file(at: try folder.file("a", data)),
            .stream { UploadTests.Stream(Samples.chunks(data, of: 50_000)) },
        ]
        for body in bodies {
            let response = try await client(subject).send(.upload(body, to: server.at("/from"), .post))
            #expect(response.head.status == .ok)
            #expect(server.requests.suffix(2).map(\.body) == [data, data])
        }
        let once = HTTPBody.stream(once: UploadTests.Stream([data]))
        let error = await (try client(subject)).failure(of: .upload(once, to: try server.at("/from"), .post))
        #expect(error?.kind == .redirect(.bodyNotReplayable))
        #expect(error?.response?.status == .temporaryRedirect)
    }

    @Test("T6 a loop ends at the limit, whatever it is", arguments: Subject.allCases)
    func loop(_ subject: Subject) async throws {
        for (policy, limit) in [(RedirectPolicy.follow, 20), (.followUp(to: 3), 3), (.followUp(to: 0), 0)] {
            let server = try await MockServer { $0.any("*").reply(.redirect(to: "/again")) }
            let error = await (try client(subject)).failure(of: .get(server.url) { $0.options.redirects = policy })
            #expect(error?.kind == .redirect(.tooMany(limit: limit)))
            #expect(error?.description.contains("more than \(limit) redirects") == true)
            #expect(server.requestCount == limit + 1)
            #expect(server.connectionCount == 1)
        }
    }

    @Test(
        "T6 an invalid Location is reported", arguments: Subject.allCases, ["ftp://x/", "http://[", "//"])
    func location(_ subject: Subject, _ location: String) async throws {
        let answer = MockResponse(status: .found, fields: [.location: location])
        let server = try await MockServer { $0.any("*").reply(answer) }
        let error = await (try client(subject)).failure(of: .get(server.url))
        #expect(error?.shortDescription == "redirect")
        #expect(error?.description.contains("Location") == true)
        #expect(error?.response?.status == .found)
    }

    private static let credentials: HTTPFields = [
        .authorization: "Bearer secret", .cookie: "session=secret", "X-Api-Key": "secret", "X-Plain": "kept",
    ]

    @Test("T6 credentials stay behind when the origin changes, and not before", arguments: Subject.allCases)
    func crossOrigin(_ subject: Subject) async throws {
        let other = try await MockServer { $0.any("*").reply(.text("other")) }
        let server = try await MockServer {
            $0.get("/same").reply(.redirect(to: "/leave"))
            $0.get("/leave").reply(.redirect(to: "\(other.url)there"))
        }
        let client = try client(subject)
        let response = try await client.get(server.at("/same")) { $0.fields = Self.credentials }
        #expect(try await text(of: response) == "other")
        let secrets: [HTTPField.Name] = [.authorization, .cookie, "X-Api-Key"]
        for name in secrets {
            #expect(server.requests.map { $0.fields.contains(name) } == [true, true], "\(name)")
            #expect(other.requests.map { $0.fields.contains(name) } == [false], "\(name)")
        }
        #expect(other.requests.first?.fields["X-Plain"] == "kept")
        #expect(other.requests.first?.fields[.host] == "127.0.0.1:\(other.url.port)")
    }

    @Test("T6 credentials do not come back with a redirect back", arguments: Subject.allCases)
    func thereAndBack(_ subject: Subject) async throws {
        let origin = Watched("")
        let other = try await MockServer { _ in .redirect(to: "\(origin.value)back") }
        let server = try await MockServer {
            $0.get("/back").reply(.text("back"))
            $0.get("/away").reply(.redirect(to: "\(other.url)"))
        }
        origin.update { $0 = "\(server.url)" }
        _ = try await client(subject).get(server.at("/away")) { $0.fields = Self.credentials }
        #expect(server.requests.map { $0.fields.contains(.authorization) } == [true, false])
    }

    @Test("T6 from https to http is refused", .enabled(if: Nginx.isRunning, Nginx.hint), arguments: Subject.allCases)
    func downgrade(_ subject: Subject) async throws {
        let server = try await MockServer { $0.any("*").reply(.text("plain")) }
        // A server with TLS whose answer the test decides: nginx's own 302 stays within https.
        let decided = try client(subject)
        let stays = try await decided.get(Nginx.h2.at("/redirect"))
        #expect(stays.head.status == .ok && stays.metrics.redirectCount == 1)
        let error = await decided.failure(of: .get(try Nginx.h2.at("/downgrade/\(server.url.port)")))
        #expect(error?.shortDescription == "insecure.downgrade")
        #expect(error?.description.contains("a redirect from https to http://127.0.0.1:\(server.url.port)") == true)
        #expect(server.requestCount == 0)
    }

    @Test("T6 http to https is followed", .enabled(if: Nginx.isRunning, Nginx.hint), arguments: Subject.allCases)
    func upgrade(_ subject: Subject) async throws {
        let target = try Nginx.h2.at("/1k.json")
        let server = try await MockServer { $0.any("*").reply(.redirect(to: "\(target)")) }
        let response = try await client(subject).get(server.url) { $0.fields = Self.credentials }
        #expect(response.request.url == target)
        #expect(response.metrics.protocolVersion == .http2)
    }

    @Test("T6 a policy may block, decide or rewrite", arguments: Subject.allCases)
    func policies(_ subject: Subject) async throws {
        let server = try await MockServer {
            $0.get("/from").reply(.redirect(to: "/to"))
            $0.get("/to").reply(.text("to"))
            $0.get("/elsewhere").reply { .text($0.fields["X-Hop"] ?? "") }
        }
        let client = try client(subject)
        let from = try server.at("/from")
        let elsewhere = try server.at("/elsewhere")
        let blocked = try await client.get(from) { $0.options.redirects = .block }
        #expect(blocked.head.status == .found)
        let declined = try await client.get(from) { $0.options.redirects = .decide { _, _ in nil } }
        #expect(declined.head.status == .found)
        let rewritten = try await client.get(from) {
            $0.options.redirects = .decide { proposed, head in
                guard proposed.url.path == "/to", head.status == .found else { return nil }
                var request = proposed
                request.url = elsewhere
                request.fields["X-Hop"] = "rewritten"
                return request
            }
        }
        #expect(try await text(of: rewritten) == "rewritten")
        #expect(server.requests.map(\.path) == ["/from", "/from", "/from", "/elsewhere"])
    }

    @Test(
        "T6 a streamed response of a redirect is released; its connection is reused or closed",
        arguments: Subject.allCases)
    func streamed(_ subject: Subject) async throws {
        let server = try await MockServer {
            $0.get("/from").reply(.endlessChunks(every: .milliseconds(5)).field(.location, "/to"))
            $0.get("/to").reply(.text("arrived").closing())
        }
        let moved = try await MockServer {
            $0.get("/from").reply { _ in
                var answer = MockResponse.endlessChunks(every: .milliseconds(5))
                answer.status = .found
                answer.fields[.location] = "\(server.url)to"
                return answer
            }
        }
        let response = try await client(subject).get(moved.at("/from"), .streamed)
        #expect(try await text(of: response) == "arrived")
        try await moved.waitUntilConnectionsClose()
    }
}
