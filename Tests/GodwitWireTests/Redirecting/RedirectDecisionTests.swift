import GodwitWire
import Testing

@Suite struct RedirectDecisionTests {
    private func decide(
        _ code: Int, method: HTTPMethod = .get, from: String = "https://h/a/b", to location: String? = "/c"
    ) throws -> RedirectDecision {
        RedirectDecision(
            method: method, url: try HTTPURL(from), status: try #require(HTTPStatus(code)), location: location)
    }

    private func step(_ decision: RedirectDecision) throws -> RedirectStep {
        guard case .follow(let step) = decision else {
            Issue.record("not followed: \(decision)")
            throw CancellationError()
        }
        return step
    }

    @Test(
        "T6 each status treats method and body as RFC 9110 says",
        arguments: [
            (301, HTTPMethod.get, HTTPMethod.get, true), (301, .post, .get, false), (301, .put, .put, true),
            (301, .head, .head, true),
            (302, .post, .get, false), (302, .delete, .delete, true), (302, .patch, .patch, true),
            (303, .post, .get, false),
            (303, .put, .get, false), (303, .delete, .get, false), (303, .head, .head, false), (303, .get, .get, false),
            (307, .post, .post, true), (307, .get, .get, true), (308, .post, .post, true), (308, .patch, .patch, true),
        ])
    func methods(code: Int, method: HTTPMethod, next: HTTPMethod, keepsBody: Bool) throws {
        let step = try step(decide(code, method: method))
        #expect(step.method == next)
        #expect(step.keepsBody == keepsBody)
        #expect(step.url.absoluteString == "https://h/c")
        #expect(!step.changesOrigin)
    }

    @Test(
        "T6 other statuses are returned, with or without Location",
        arguments: [200, 201, 300, 304, 305, 306, 309, 399, 400, 503, 100])
    func answers(code: Int) throws {
        #expect(try decide(code) == .stay)
        #expect(try decide(code, to: nil) == .stay)
    }

    @Test("T6 a redirect without a location is returned", arguments: [nil, "", "  "], [301, 302, 303, 307, 308])
    func missing(location: String?, status: Int) throws {
        #expect(try decide(status, to: location) == .stay)
    }

    @Test(
        "T6 a location that isn't an HTTP URL is refused",
        arguments: ["ftp://h/", "javascript:1", "https://u:p@h/", "//", "https://h:99999/", "/\u{0}"])
    func invalid(location: String) throws {
        guard case .refuse(.invalidLocation(let reason)) = try decide(302, to: location) else {
            Issue.record("not refused")
            return
        }
        #expect(!reason.isEmpty)
    }

    @Test(
        "T6 https to http is refused, the other way is followed",
        arguments: ["http://h/a", "http://localhost/", "HTTP://h"])
    func downgrade(location: String) throws {
        #expect(try decide(308, to: location) == .refuse(.downgrade(to: HTTPURL(location))))
        #expect(try step(decide(308, from: "http://h/", to: "https://h/")).changesOrigin)
        #expect(try step(decide(308, from: "http://h/", to: location)).url == HTTPURL(location))
    }

    @Test("T6 the fragment is kept")
    func fragment() throws {
        #expect(try step(decide(302, from: "https://h/a#top", to: "b")).url.fragment == "top")
        #expect(try step(decide(302, from: "https://h/a#top", to: "b#new")).url.fragment == "new")
    }

    private let fields: HTTPFields = [
        .accept: "a", .authorization: "b", .cookie: "c", .proxyAuthorization: "d", "X-API-Key": "e", .origin: "f",
        .referer: "g",
        .contentType: "h", .contentEncoding: "i", .contentLanguage: "j", .contentLocation: "k", "Content-Digest": "l",
        "Digest": "m",
        "X-Trace": "n", .userAgent: "o", .expect: "p",
    ]

    @Test(
        "T6 credentials are dropped if the origin changes",
        arguments: ["https://g/", "https://h:444/", "https://h./", "//sub.h/"])
    func credentials(location: String) throws {
        let step = try step(decide(307, method: .post, to: location))
        #expect(step.changesOrigin)
        let kept = step.fields(from: fields).map(\.value).joined()
        #expect(kept == "ahijklmnop")
    }

    @Test("T6 the same origin keeps everything", arguments: ["/x", "https://h:443/", "HTTPS://H/"])
    func sameOrigin(location: String) throws {
        #expect(try step(decide(307, method: .post, to: location)).fields(from: fields) == fields)
    }

    @Test("T6 a dropped body drops the fields that describe it")
    func contentFields() throws {
        let kept = try step(decide(303, method: .post)).fields(from: fields).map(\.value).joined()
        #expect(kept == "abcdefgno")
        let apart = try step(decide(302, method: .post, to: "https://g/")).fields(from: fields).map(\.value).joined()
        #expect(apart == "ano")
    }

    @Test(
        "T6 several Location fields are never joined: they agree, or the redirect is refused",
        arguments: [
            (["/a"], 302, "/a"), (["/a", "/a"], 302, "/a"), (["/a", "/b"], 302, nil),
            (["/a", "/a", "https://b.com/"], 307, nil),
        ] as [([String], Int, String?)])
    func severalLocations(values: [String], status: Int, path: String?) throws {
        var fields: HTTPFields = [:]
        for value in values { fields.append(value, for: .location) }
        let decision = RedirectDecision(
            method: .get, url: try HTTPURL("https://a.com/"), status: try #require(HTTPStatus(status)), fields: fields)
        guard let path else { #expect(decision == .refuse(.contradictoryLocations)); return }
        guard case .follow(let step) = decision else { Issue.record("\(decision)"); return }
        #expect(step.url.path == path)
    }

    @Test("T6 an answer that is not a redirect may have any Location")
    func locationsOfAnswer() throws {
        let fields: HTTPFields = [.location: "/a", .location: "/b"]
        #expect(
            RedirectDecision(method: .post, url: try HTTPURL("https://a.com/"), status: .created, fields: fields)
                == .stay)
    }
}
