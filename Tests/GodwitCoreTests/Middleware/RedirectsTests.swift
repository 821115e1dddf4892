import GodwitCore
import Testing

@Suite("T6 redirects", .timeLimit(.minutes(15)))
struct RedirectsTests {
    private func chain(_ transport: ScriptedTransport) -> Chain {
        Chain([Redirects()], over: transport)
    }

    private func request(
        _ method: HTTPMethod = .get, _ url: String = "https://a.com/1", _ fields: HTTPFields = [:],
        body: HTTPBody? = nil,
        policy: RedirectPolicy = .follow
    ) throws -> HTTPRequest {
        var request = HTTPRequest(method: method, url: try HTTPURL(url), fields: fields, body: body)
        request.options.redirects = policy
        return request
    }

    @Test("T6 a redirect is followed, relative or not, and counted")
    func follows() async throws {
        let transport = ScriptedTransport([
            { .redirect(of: $0, to: "../2?x=1") }, { .redirect(of: $0, to: "https://b.com/3") },
            { .reply(to: $0, 200, "end") },
        ])
        let response = try await chain(transport).send(request())
        #expect(
            transport.requests.map(\.url.absoluteString) == [
                "https://a.com/1", "https://a.com/2?x=1", "https://b.com/3",
            ])
        #expect(response.request.url.absoluteString == "https://b.com/3")
        #expect(response.metrics.redirectCount == 2)
        #expect(try await response.body.text() == "end")
    }

    @Test(
        "T6 each status changes method and body as RFC 9110 specifies",
        arguments: [
            (301, HTTPMethod.post, HTTPMethod.get, false), (302, .post, .get, false), (303, .post, .get, false),
            (307, .post, .post, true), (308, .post, .post, true), (301, .put, .put, true), (303, .put, .get, false),
            (303, .head, .head, false), (302, .delete, .delete, true),
        ])
    func methods(status: Int, method: HTTPMethod, expected: HTTPMethod, keepsBody: Bool) async throws {
        let transport = ScriptedTransport([{ .redirect(of: $0, status, to: "/2") }, { .reply(to: $0) }])
        _ = try await chain(transport).send(request(method, body: "content"))
        let second = try #require(transport.requests.last)
        #expect(second.method == expected)
        #expect((second.body != nil) == keepsBody)
        if keepsBody { #expect(try await second.body?.text() == "content") }
    }

    @Test(
        "S6 another origin gets no field with the name of a secret, also if a closure decides",
        arguments: [
            "apikey", "X-Token", "X-Session-Token", "X-Session-Id", "X-Secret", "X-App-Key", "X-Hmac", "X-Signature",
            "X-Password", "Ocp-Apim-Subscription-Key", "X-Pass", "Session", "X-Jwt", "Client-Secret", "X-Access-Key",
            "X-Auth", "Authorization", "Cookie", "X-Mine-CSRF",
        ])
    func secretFields(name: String) async throws {
        let field = try #require(HTTPField.Name(name))
        for policy in [RedirectPolicy.follow, .decide { next, _ in next }] {
            for target in ["https://b.com/2", "https://a.com/2"] {
                let transport = ScriptedTransport([{ .redirect(of: $0, to: target) }, { .reply(to: $0) }])
                let fields: HTTPFields = [field: "s3cret", "X-Author": "ann"]
                _ = try await chain(transport).send(request(.get, "https://a.com/1", fields, policy: policy))
                #expect(transport.requests.last?.fields.contains(field) == target.hasPrefix("https://a.com"))
                #expect(transport.requests.last?.fields["X-Author"] == "ann")
            }
        }
    }

    @Test("T6 a 3xx without a redirect is returned", arguments: [300, 304, 305, 306])
    func answers(status: Int) async throws {
        let transport = ScriptedTransport(status, "", [.location: "/2"])
        #expect(try await chain(transport).send(request()).head.status.code == status)
        #expect(transport.requests.count == 1)
    }

    @Test(
        "T6 exceeding the limit throws an error that contains it",
        arguments: [(RedirectPolicy.follow, 20), (.followUp(to: 3), 3), (.followUp(to: 0), 0)])
    func limit(policy: RedirectPolicy, limit: Int) async throws {
        let transport = ScriptedTransport([{ .redirect(of: $0, to: "/1") }])
        let request = try request(policy: policy)
        let error = await failure { () throws(NetworkError) in try await chain(transport).send(request) }
        #expect(error?.kind == .redirect(.tooMany(limit: limit)))
        #expect(error?.response?.status == .found)
        #expect(transport.requests.count == limit + 1)
    }

    @Test("T6 blocked redirects are returned unchanged")
    func block() async throws {
        let transport = ScriptedTransport([{ .redirect(of: $0, to: "/2") }])
        let response = try await chain(transport).send(request(policy: .block))
        #expect(response.head.status == .found)
        #expect(response.head.fields[.location] == "/2")
    }

    @Test("T6 a redirect from HTTPS to HTTP is rejected")
    func downgrade() async throws {
        let transport = ScriptedTransport([{ .redirect(of: $0, to: "http://a.com/2?token=s3cret") }])
        let request = try request()
        let error = await failure { () throws(NetworkError) in try await chain(transport).send(request) }
        #expect(error?.kind == .insecure(.downgrade(to: "http://a.com/2?token=<redacted>")))
        #expect(transport.requests.count == 1)
    }

    @Test(
        "T6 an error about a Location doesn't reveal its secrets",
        arguments: ["https://b.com/cb?token=s3cret\\", "https:cb?token=s3cret", "https:///cb?token=s3cret"])
    func secretLocation(location: String) async throws {
        let transport = ScriptedTransport([{ .redirect(of: $0, to: location) }])
        let request = try request()
        let error = await failure { () throws(NetworkError) in try await chain(transport).send(request) }
        #expect(error.map { $0.description.contains("Location") && !$0.description.contains("s3cret") } == true)
    }

    @Test("T6 an unusable Location throws", arguments: ["ftp://a.com/", "https://"])
    func badLocation(location: String) async throws {
        let transport = ScriptedTransport([{ .redirect(of: $0, to: location) }])
        let request = try request()
        let error = await failure { () throws(NetworkError) in try await chain(transport).send(request) }
        #expect(error?.shortDescription == "redirect")
        #expect(error?.request?.url.absoluteString == "https://a.com/1")
    }

    @Test(
        "T6 credentials are dropped if the origin changes",
        arguments: [
            ("https://a.com/2", true), ("https://b.com/2", false), ("https://a.com:8443/2", false),
            ("https://sub.a.com/2", false),
        ])
    func credentials(location: String, areKept: Bool) async throws {
        let transport = ScriptedTransport([{ .redirect(of: $0, to: location) }, { .reply(to: $0) }])
        let fields: HTTPFields = [.authorization: "Bearer t", .cookie: "a=1", "X-API-Key": "k", "X-Plain": "p"]
        _ = try await chain(transport).send(request(.get, "https://a.com/1", fields))
        let second = try #require(transport.requests.last?.fields)
        #expect(second.contains(.authorization) == areKept)
        #expect(second.contains(.cookie) == areKept)
        #expect(second.contains("X-API-Key") == areKept)
        #expect(second["X-Plain"] == "p")
    }

    @Test("T6 redirecting a body that can be sent only once throws")
    func notReplayable() async throws {
        let transport = ScriptedTransport([{ .redirect(of: $0, 307, to: "/2") }])
        let request = try request(.post, body: .stream(once: Chunks(["a"])))
        let error = await failure { () throws(NetworkError) in try await chain(transport).send(request) }
        #expect(error?.kind == .redirect(.bodyNotReplayable))
        #expect(transport.requests.count == 1)
    }

    @Test("T6 the closure can change the next request or return the response")
    func decide() async throws {
        let transport = ScriptedTransport([
            { .redirect(of: $0, to: "/2") }, { .redirect(of: $0, to: "/3") }, { .reply(to: $0) },
        ])
        let policy = RedirectPolicy.decide { proposed, head in
            guard head.status == .found, proposed.url.path == "/2" else { return nil }
            var changed = proposed
            changed.fields["X-Hop"] = "2"
            return changed
        }
        let response = try await chain(transport).send(request(policy: policy))
        #expect(transport.requests.map(\.url.path) == ["/1", "/2"])
        #expect(transport.requests.last?.fields["X-Hop"] == "2")
        #expect(response.head.fields[.location] == "/3")
    }

    @Test("T6 if the closure changes the origin, only credentials that it sets itself are sent")
    func decideElsewhere() async throws {
        let transport = ScriptedTransport([{ .redirect(of: $0, to: "/2") }, { .reply(to: $0) }])
        let other = try HTTPURL("https://b.com/2")
        let policy = RedirectPolicy.decide { proposed, _ in
            var changed = proposed
            changed.url = other
            changed.fields["X-API-Key"] = "for b"
            return changed
        }
        _ = try await chain(transport).send(
            request(.get, "https://a.com/1", [.authorization: "Bearer t", "X-API-Key": "for a"], policy: policy))
        let fields = try #require(transport.requests.last?.fields)
        #expect(!fields.contains(.authorization))
        #expect(fields["X-API-Key"] == "for b")
    }

    @Test("T6 the streamed body of a followed redirect is released before the next request")
    func letsGo() async throws {
        let arriving = ArrivingBody()
        let wasAbandoned = LockedFlag()
        let count = Collected<Int>()
        let transport = ScriptedTransport { request throws(NetworkError) in
            count.append(1)
            if count.values.count == 1 {
                var response = HTTPResponse.redirect(of: request, to: "/2")
                response.body = arriving.take()
                return response
            }
            if arriving.isAbandoned { wasAbandoned.raise() }
            return .reply(to: request)
        }
        var request = try request()
        request.delivery = .streamed
        _ = try await chain(transport).send(request)
        #expect(arriving.isAbandoned)
        #expect(wasAbandoned.isRaised)
    }

    @Test("T6 two different Location fields are rejected, and nothing is sent to either")
    func contradictoryLocations() async throws {
        let transport = ScriptedTransport { request throws(NetworkError) in
            .reply(to: request, 302, "", [.location: "https://a.com/2", .location: "https://b.com/3"])
        }
        let chain = Chain([Redirects()], over: transport)
        let request = HTTPRequest(url: try HTTPURL("https://a.com/1"))
        let error = await failure { () throws(NetworkError) in try await chain.send(request) }
        #expect(error?.kind == .redirect(.invalidLocation("several that contradict each other")))
        #expect(transport.requests.count == 1)
    }
}
