import GodwitCore
import Synchronization
import Testing

@Suite("K1 cookies of a call", .timeLimit(.minutes(15)))
struct CookiesTests {
    private func send(
        _ url: String = "https://a.com/1", _ fields: HTTPFields = [:], through jar: CookieJar,
        to transport: ScriptedTransport, configure: (inout HTTPRequest) -> Void = { _ in }
    ) async throws -> HTTPResponse {
        var request = HTTPRequest(url: try HTTPURL(url), fields: fields)
        configure(&request)
        return try await Chain([Redirects(), Cookies(jar)], over: transport).send(request)
    }

    private func sent(_ transport: ScriptedTransport) -> [String?] {
        transport.requests.map { $0.fields[.cookie] }
    }

    @Test("K1 every Set-Cookie of a response is stored and sent with the next request, in one field")
    func roundTrip() async throws {
        let jar = CookieJar()
        let transport = ScriptedTransport([
            {
                var response = HTTPResponse.reply(to: $0, 404)
                response.head.fields.append("a=1; Path=/", for: .setCookie)
                response.head.fields.append("b=2, 3; Path=/1", for: "set-cookie")
                response.head.fields.append("broken=1; Domain=b.com", for: .setCookie)
                return response
            }, { .reply(to: $0) },
        ])
        _ = try await send(through: jar, to: transport)
        _ = try await send(through: jar, to: transport)
        _ = try await send("https://b.com/1", through: jar, to: transport)
        #expect(sent(transport) == [nil, "b=2, 3; a=1", nil])
        #expect(transport.requests[1].fields.values(of: .cookie).count == 1)
    }

    @Test("K1 a redirect's cookies are stored, and each hop sends those of its own host")
    func redirects() async throws {
        let jar = CookieJar()
        jar.store("b=for-b; Path=/", from: try HTTPURL("https://b.com/"))
        jar.store("a=for-a; Path=/", from: try HTTPURL("https://a.com/"))
        let transport = ScriptedTransport([
            { .reply(to: $0, 302, "", [.location: "/2", .setCookie: "hop=1; Path=/"]) },
            { .reply(to: $0, 302, "", [.location: "https://b.com/3", .setCookie: "hop=2; Path=/"]) },
            { .reply(to: $0) },
        ])
        _ = try await send(through: jar, to: transport)
        #expect(sent(transport) == ["a=for-a", "a=for-a; hop=1", "b=for-b"])
        #expect(jar.cookies(for: try HTTPURL("https://a.com/")).map(\.value) == ["for-a", "2"])
    }

    @Test("K2 a request that opted out neither stores nor sends cookies, except its own field")
    func optOut() async throws {
        let jar = CookieJar()
        jar.store("a=1; Path=/", from: try HTTPURL("https://a.com/"))
        let transport = ScriptedTransport(200, "", [.setCookie: "b=2"])
        _ = try await send(through: jar, to: transport) { $0.options.cookies = .off }
        _ = try await send("https://a.com/1", [.cookie: "own=1"], through: jar, to: transport) {
            $0.options.cookies = .off
        }
        #expect(sent(transport) == [nil, "own=1"])
        #expect(jar.cookies.map(\.name) == ["a"])
    }

    @Test(
        "K1 the request's own field comes first and wins if names are equal",
        arguments: [
            ("own=1", "own=1; a=1; b=2"), ("a=mine", "a=mine; b=2"), ("b=x; a=y", "b=x; a=y"),
            (" a = z ", "a = z; b=2"),
            ("token", "token; a=1; b=2"), ("", "a=1; b=2"), ("A=1", "A=1; a=1; b=2"),
        ])
    func merging(own: String, expected: String) async throws {
        let jar = CookieJar()
        jar.store("a=1; Path=/", from: try HTTPURL("https://a.com/"))
        jar.store("b=2; Path=/", from: try HTTPURL("https://a.com/"))
        let transport = ScriptedTransport()
        _ = try await send("https://a.com/1", [.cookie: own], through: jar, to: transport)
        #expect(sent(transport) == [expected])
    }

    @Test("K1 cookies from the jar don't count as the request's own field on the next hop")
    func noPileUp() async throws {
        let jar = CookieJar()
        jar.store("a=1; Path=/", from: try HTTPURL("https://a.com/"))
        let transport = ScriptedTransport([
            { .reply(to: $0, 302, "", [.location: "/2", .setCookie: "a=2; Path=/"]) }, { .reply(to: $0) },
        ])
        _ = try await send("https://a.com/1", [.cookie: "own=1"], through: jar, to: transport)
        #expect(sent(transport) == ["own=1; a=1", "own=1; a=2"])
    }

    @Test("K1 cookies are stored even if the response fails after its head")
    func brokenResponse() async throws {
        let jar = CookieJar()
        let transport = ScriptedTransport { request throws(NetworkError) in
            throw NetworkError(
                .transport(.connectionLost("reset")), phase: .receiving, request: request,
                response: HTTPResponse.reply(to: request, 200, "", [.setCookie: "a=1"]).head)
        }
        let request = HTTPRequest(url: try HTTPURL("https://a.com/"))
        let error = await failure { () throws(NetworkError) in
            try await Chain([Cookies(jar)], over: transport).send(request)
        }
        #expect(error?.kind == .transport(.connectionLost("reset")))
        #expect(jar.cookies.map(\.name) == ["a"])
    }

    @Test("K1 a secure cookie is sent over plain HTTP to this machine only")
    func secure() async throws {
        let jar = CookieJar()
        jar.store("a=1; Secure; Path=/", from: try HTTPURL("https://a.com/"))
        jar.store("l=1; Secure; Path=/", from: try HTTPURL("http://127.0.0.1:9/"))
        let transport = ScriptedTransport()
        _ = try await send("http://a.com/", through: jar, to: transport)
        _ = try await send("http://127.0.0.1:1/", through: jar, to: transport)
        #expect(sent(transport) == [nil, "l=1"])
    }

    @Test(
        "K2 with .ownSite, a jar stores no cookies of another site after a redirect",
        arguments: [(CookiePolicy.ownSite, ["a", "sub"]), (.always, ["a", "sub", "b"]), (.never, [])])
    func policies(policy: CookiePolicy, names: [String]) async throws {
        let jar = CookieJar(accepting: policy, suffixes: OnlyTopLevel())
        let transport = ScriptedTransport([
            { .reply(to: $0, 302, "", [.location: "https://sub.a.com/", .setCookie: "a=1"]) },
            { .reply(to: $0, 302, "", [.location: "https://b.com/", .setCookie: "sub=1"]) },
            { .reply(to: $0, 200, "", [.setCookie: "b=1"]) },
        ])
        _ = try await send(through: jar, to: transport)
        #expect(jar.cookies.map(\.name) == names)
    }

    @Test("K1 concurrent calls share a jar and lose no cookie")
    func concurrent() async throws {
        let jar = CookieJar()
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<100 {
                group.addTask {
                    let transport = ScriptedTransport(200, "", [.setCookie: "c\(index)=1; Path=/"])
                    _ = try? await send(through: jar, to: transport)
                }
            }
        }
        #expect(Set(jar.cookies.map(\.name)) == Set((0..<100).map { "c\($0)" }))
    }
}

/// Public suffixes for tests: names without a dot.
struct OnlyTopLevel: PublicSuffixes {
    func isPublicSuffix(_ domain: String) -> Bool { !domain.contains(".") }
}
