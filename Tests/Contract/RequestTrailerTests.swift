import Godwit
import GodwitTesting
import PeerSupport
import TestSupport
import Testing

/// Fields that follow the body of a request.
@Suite("Contract: trailers of requests", .timeLimit(.minutes(15)))
struct RequestTrailerTests {
    private static let count: HTTPField.Name = "X-Count"

    /// Each kind of body, with the number of its bytes after it.
    private static func counted(_ body: HTTPBody, announced: Bool = true) -> HTTPBody {
        body.withTrailers(announced ? [count] : [], reducing: 0) {
            $0 += $1.count
        } fields: {
            [count: "\($0)"]
        }
    }

    @Test("T16 trailers made of what was sent follow every kind of body", arguments: [Subject.sockets])
    func kinds(_ subject: Subject) async throws {
        let folder = TemporaryFolder()
        let data = Samples.data(300_001)
        let server = try await MockServer { _ in .text("ok") }
        let transport = try subject.make()
        for example in UploadTests.Case.all {
            let body = Self.counted(try example.body(folder, data))
            _ = try await transport.send(.upload(body, to: server.url))
            let request = try #require(server.requests.last)
            let expected = example.part.map { data[$0] } ?? data
            #expect(request.body == expected)
            #expect(request.trailers[Self.count] == "\(expected.count)")
            #expect(request.fields[.trailer] == "X-Count" && request.fields[.transferEncoding] == "chunked")
            // What libcurl remembers of trailers changes no later request.
            _ = try await transport.send(.upload(.stream { UploadTests.Stream([data]) }, to: server.url))
            #expect(server.requests.last?.trailers.isEmpty == true)
            #expect(server.requests.last?.fields.contains(.trailer) == false)
        }
    }

    @Test(
        "T16 several fields keep their order, and an empty body and empty trailers are whole",
        arguments: [Subject.sockets]
    )
    func shapes(_ subject: Subject) async throws {
        let server = try await MockServer { _ in .text("ok") }
        let transport = try subject.make()
        let many: HTTPFields = ["X-A": "1", "X-B": "", "X-A": "ü"]
        for fields in [many, [:]] {
            for body in [HTTPBody.empty, "content"] {
                _ = try await transport.send(.upload(body.withTrailers { fields }, to: server.url, .post))
                let request = try #require(server.requests.last)
                #expect(request.trailers == fields && request.arrival == .complete)
                #expect(!request.fields.contains(.trailer))
            }
        }
    }

    @Test(
        "S6 a redirect to another origin drops trailer fields with names of secrets, also if a closure decides",
        arguments: [Subject.sockets])
    func secrets(_ subject: Subject) async throws {
        let other = try await MockServer { _ in .text("ok") }
        let server = try await MockServer {
            $0.put("/out").reply(.redirect(to: "\(other.url)", status: .temporaryRedirect))
            $0.put("/in").replies([.redirect(to: "/there", status: .temporaryRedirect)])
            $0.put("/there").reply(.text("ok"))
        }
        let chain = Chain([Redirects()], over: try subject.make())
        let names: [HTTPField.Name] = ["X-Api-Key", "X-Count"]
        let body = HTTPBody("content").withTrailers(names) {
            ["X-Api-Key": "s3cret", "X-Count": "7", "X-Session-Token": "s3cret"]
        }
        let away = other.url
        let policies: [RedirectPolicy] = [
            .follow, .decide { next, _ in next },
            .decide { next, _ in
                var next = next
                next.body = body
                return next
            },
        ]
        for policy in policies {
            var request = HTTPRequest.upload(body, to: try server.url.resolving("/out"))
            request.options.redirects = policy
            _ = try await chain.send(request)
            let sent = try #require(other.requests.last)
            #expect(sent.body == Data("content".utf8))
            #expect(sent.trailers == ["X-Count": "7"] && sent.fields[.trailer] == "X-Count")
        }
        // A closure leaves an origin that the redirect doesn't leave.
        var request = HTTPRequest.upload(body, to: try server.url.resolving("/in"))
        request.options.redirects = .decide { next, _ in
            var next = next
            next.url = away
            return next
        }
        _ = try await chain.send(request)
        #expect(other.requests.last?.trailers == ["X-Count": "7"] && other.requests.count == 4)
        // Within an origin, and in a body that the closure makes, they are sent.
        request.options.redirects = .follow
        _ = try await chain.send(request)
        #expect(server.requests.last?.trailers["X-Api-Key"] == "s3cret")
        request.options.redirects = .decide { next, _ in
            var next = next
            (next.url, next.body) = (away, HTTPBody("new").withTrailers { ["X-Api-Key": "other"] })
            return next
        }
        _ = try await chain.send(request)
        #expect(other.requests.last?.trailers == ["X-Api-Key": "other"])
    }

    @Test("T16 each sending has trailers of its own", arguments: [Subject.sockets])
    func resent(_ subject: Subject) async throws {
        let server = try await MockServer {
            $0.put("/").replies([.status(.serviceUnavailable), .redirect(to: "/there", status: .temporaryRedirect)])
            $0.put("/there").reply(.text("ok"))
        }
        let api = APIClient(baseURL: server.url, transport: try subject.make()) {
            $0.retry.backoff = Backoff(base: .zero)
        }
        let made = Watched(0)
        let body = HTTPBody.stream { UploadTests.Stream([Data("abc".utf8), Data("de".utf8)]) }
            .withTrailers(reducing: 0) {
                $0 += $1.count
            } fields: { count in
                ["X-Count": "\(count)", "X-Sending": "\(made.update { $0 += 1; return $0 })"]
            }
        try await api.send(Endpoint<Void>.put("/", body: .stream(body)))
        #expect(server.requests.map { $0.trailers["X-Count"] } == ["5", "5", "5"])
        #expect(server.requests.map { $0.trailers["X-Sending"] } == ["1", "2", "3"])
    }

    @Test(
        "T16 fields that frame, route or authenticate are refused, and the request stays incomplete",
        arguments: [Subject.sockets],
        [
            "Content-Length", "transfer-encoding", "Host", "Authorization", "Cookie", "Content-Type", "TE", "If-Match",
            "Trailer", "X Y",
        ])
    func forbidden(_ subject: Subject, _ name: String) async throws {
        let server = try await MockServer { _ in .text("ok") }
        let transport = try subject.make()
        var fields: HTTPFields = [:]
        fields.append("secret-value", for: HTTPField.Name(stringLiteral: name))
        let trailers = fields
        let error = await transport.failure(of: .upload(HTTPBody("x").withTrailers { trailers }, to: server.url))
        #expect(error?.shortDescription == "invalid_request")
        #expect(error?.description.contains("secret-value") == false)
        // The server may notice the connection after it was closed.
        while server.connectionCount == 0 { try await Task.sleep(for: .milliseconds(2)) }
        try await server.waitUntilConnectionsClose()
        #expect(server.requests.allSatisfy { $0.arrival == .aborted })
        // An announced name is refused before anything is sent.
        let before = server.connectionCount
        let announced = HTTPBody("x").withTrailers([HTTPField.Name(stringLiteral: name)]) { [:] }
        let early = await transport.failure(of: .upload(announced, to: server.url))
        #expect(early?.shortDescription == "invalid_request" && early?.phase == .building)
        #expect(server.connectionCount == before)
        #expect(try await text(of: transport.get(server.url)) == "ok")
    }

    @Test(
        "T16 too large trailers, broken values and errors of the closure end the request", arguments: [Subject.sockets])
    func failures(_ subject: Subject) async throws {
        struct Broken: Error {}
        let server = try await MockServer { _ in .text("ok") }
        let transport = try subject.make()
        let large: HTTPFields = ["X-Large": String(repeating: "x", count: 70_000)]
        let split: HTTPFields = ["X-Split": "a\r\nX-Other: b"]
        for (fields, kind) in [
            (large, "invalid_request"), (split, "invalid_request"), (nil, "transport.cannot_send_body"),
        ] {
            let body = HTTPBody("x").withTrailers {
                guard let fields else { throw Broken() }
                return fields
            }
            let error = await transport.failure(of: .upload(body, to: server.url))
            #expect(error?.shortDescription == kind && error?.phase == .sending)
            if fields == nil { #expect(error?.underlying is Broken) }
        }
        try await server.waitUntilConnectionsClose()
        #expect(server.requests.allSatisfy { $0.arrival == .aborted && $0.trailers.isEmpty })
    }

    @Test(
        "T16 a server without trailers over HTTP/2 gets them over HTTP/1.1, if the transport is told to",
        .enabled(if: Nginx.isRunning, Nginx.hint), arguments: [Subject.sockets])
    func version(_ subject: Subject) async throws {
        let transport = try subject.makeTrusting { $0.versions = .http1 }
        let upload = try HTTPRequest.upload(Self.counted(.bytes(Data(count: 5000))), to: Nginx.h2.at("/upload"))
        let response = try await transport.send(upload)
        #expect(response.metrics.protocolVersion == .http1_1)
        #expect(response.head.fields["Received-Bytes"] == "5000")
    }

    @Test("T22 over HTTP/2, trailers of requests share a connection with others", arguments: [Subject.sockets])
    func http2(_ subject: Subject) async throws {
        var options = MockServer.Options()
        options.protocols = .http2
        let server = try await MockServer(options) { $0.any("*").reply(.text("ok")) }
        let transport = try subject.make { $0.versions = .http2PriorKnowledge }
        _ = try await transport.get(server.url)
        for _ in 0..<3 {
            let upload = HTTPRequest.upload(Self.counted(.bytes(Data(count: 5000))), to: server.url)
            #expect(try await transport.send(upload).metrics.protocolVersion == .http2)
            #expect(server.requests.last?.trailers[Self.count] == "5000")
        }
        #expect(server.connectionCount == 1)
    }

    @Test("T16 URLSession refuses trailers before anything is sent")
    func urlSession() async throws {
        let server = try await MockServer { _ in .text("ok") }
        let error = await (try Subject.urlSession.make()).failure(of: .upload(Self.counted("x"), to: server.url))
        #expect(error?.shortDescription == "unsupported" && error?.phase == .building)
        #expect(server.connectionCount == 0)
    }

    @Test("T16 request compression leaves a body with trailers as it is", arguments: [Subject.sockets])
    func compression(_ subject: Subject) async throws {
        let server = try await MockServer { _ in .text("ok") }
        let api = APIClient(baseURL: server.url, transport: try subject.make()) {
            $0.compression = .gzip(minimumSize: 1)
        }
        try await api.send(Endpoint<Void>.put("/", body: .stream(Self.counted(.bytes(Data(count: 50_000))))))
        let request = try #require(server.requests.last)
        #expect(!request.fields.contains(.contentEncoding) && request.trailers[Self.count] == "50000")
    }

    @Test("T16 MockTransport shows and checks a request's trailers")
    func mock() async throws {
        let mock = MockTransport { $0.any("*").reply(.text("ok")) }
        let url = try HTTPURL("https://api.example.com/")
        _ = try await mock.send(.upload(Self.counted("12345"), to: url))
        #expect(mock.requests.last?.trailers[Self.count] == "5")
        let body = HTTPBody("x").withTrailers { [.authorization: "Bearer x"] }
        let error = await mock.failure(of: .upload(body, to: url))
        #expect(error?.shortDescription == "invalid_request")
    }
}
