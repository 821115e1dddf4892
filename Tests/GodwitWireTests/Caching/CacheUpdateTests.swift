import GodwitWire
import Testing

@Suite("C1 how stored responses change")
struct CacheUpdateTests {
    private let stored = CachedResponse.sample([
        .etag: "\"1\"", .contentType: "text/plain", .contentLength: "4", .age: "50", .date: Moment.text(-90),
        .cacheControl: "max-age=60", "X-Old": "1",
    ])

    private func refreshed(_ fields: HTTPFields) -> CachedResponse? {
        stored.refreshed(by: fields, requestTime: Moment.after(100), responseTime: Moment.after(100))
    }

    @Test("C1 RFC 9111 3.2 a 304 replaces fields, adds new ones and keeps the others")
    func merge() throws {
        let fresh = try #require(refreshed([.cacheControl: "max-age=9", "X-New": "2", "x-new": "3"]))
        #expect(fresh.fields[.cacheControl] == "max-age=9")
        #expect(fresh.fields.values(of: "X-New") == ["2", "3"])
        #expect(fresh.fields["X-Old"] == "1")
        #expect(fresh.body == stored.body && fresh.status == .ok)
        #expect(fresh.lifetime == 9)
    }

    @Test("C1 RFC 9111 3.2 what describes the stored content is not updated, nor what belongs to the connection")
    func kept() throws {
        let fresh = try #require(
            refreshed([
                .contentLength: "0", .contentType: "image/png", .contentEncoding: "br", .contentRange: "x",
                .connection: "X-Hop", "X-Hop": "1", .vary: "accept",
            ]))
        #expect(fresh.fields[.contentLength] == "4" && fresh.fields[.contentType] == "text/plain")
        for name in [HTTPField.Name.contentEncoding, .contentRange, .connection, "X-Hop", .vary] {
            #expect(!fresh.fields.contains(name))
        }
    }

    @Test("C1 RFC 9111 4.2.3 a confirmed response counts its age from the confirmation")
    func age() throws {
        let fresh = try #require(refreshed([:]))
        #expect(fresh.age(at: Moment.after(110)) == 10)
        let passed = try #require(refreshed([.age: "7"]))
        #expect(passed.age(at: Moment.after(110)) == 17)
    }

    @Test("C1 RFC 9111 4.3.4 a 304 updates only the response that its validator names")
    func validators() {
        #expect(refreshed([.etag: "\"1\""]) != nil)
        #expect(refreshed([.etag: "W/\"1\""]) != nil)
        #expect(refreshed([.etag: "\"2\""]) == nil)
        #expect(refreshed([.etag: "W/\"2\""]) == nil)
        let weak = CachedResponse.sample([.etag: "W/\"1\""])
        #expect(weak.refreshed(by: [.etag: "\"1\""], requestTime: Moment.start, responseTime: Moment.start) == nil)
        let dated = CachedResponse.sample([.lastModified: Moment.text(-9)])
        for (seconds, holds) in [(-9.0, true), (-8, false)] {
            let new: HTTPFields = [.lastModified: Moment.text(seconds)]
            let fresh = dated.refreshed(by: new, requestTime: Moment.start, responseTime: Moment.start)
            #expect((fresh != nil) == holds)
        }
    }

    @Test("C1 RFC 9111 4.3.5 a HEAD updates what it agrees with, and only that")
    func head() {
        func holds(_ fields: HTTPFields) -> Bool {
            stored.refreshed(byHead: fields, requestTime: Moment.start, responseTime: Moment.start) != nil
        }
        #expect(holds([.etag: "\"1\"", .contentLength: "4"]))
        #expect(holds([:]))
        #expect(!holds([.etag: "\"2\""]))
        #expect(!holds([.contentLength: "5"]))
        #expect(!holds([.lastModified: Moment.text()]))
    }

    @Test(
        "C1 RFC 9111 4.4 a change makes its own URL unusable, and those it names of the same origin",
        arguments: [
            (HTTPMethod.post, 201, ["/a", "/new", "/b?x"]), (.put, 204, ["/a", "/new", "/b?x"]),
            (HTTPMethod("PURGE") ?? .get, 200, ["/a", "/new", "/b?x"]), (.delete, 302, ["/a", "/new", "/b?x"]),
            (.post, 400, []), (.post, 500, []), (.get, 200, []), (.options, 200, []),
        ])
    func invalidation(method: HTTPMethod, status: Int, expected: [String]) {
        let urls = CacheInvalidation.urls(
            method: method, url: CachedResponse.url, status: HTTPStatus(status) ?? .ok,
            response: [.location: "/new", .contentLocation: "https://example.com/b?x"])
        #expect(urls.map { String($0.target) } == expected)
    }

    @Test(
        "C1 RFC 9111 4.4 URLs of other origins stay, and what is not a URL",
        arguments: ["https://evil.com/a", "http://example.com/b", "https://example.com:8443/b", "ftp://x/", "https://"])
    func otherOrigin(location: String) {
        let urls = CacheInvalidation.urls(
            method: .post, url: CachedResponse.url, status: .ok, response: [.location: location])
        #expect(urls == [CachedResponse.url])
    }

    @Test(
        "C1 RFC 5861 4 stale-if-error of response or request bridges a failure",
        arguments: [
            ("max-age=60, stale-if-error=30", "", 90.0, true), ("max-age=60, stale-if-error=30", "", 91, false),
            ("max-age=60", "stale-if-error=30", 90, true), ("max-age=60", "", 61, false),
            ("max-age=60, stale-if-error=30, must-revalidate", "", 70, false),
            ("no-cache, stale-if-error=30", "", 10, false), ("max-age=60, stale-if-error=30", "no-cache", 70, false),
        ])
    func staleIfError(response: String, request: String, age: TimeInterval, expected: Bool) {
        let stored = CachedResponse.sample([.cacheControl: response])
        #expect(stored.standsIn(forRequest: [.cacheControl: request], at: Moment.after(age)) == expected)
    }

    @Test(
        "C1 RFC 5861 4 the errors that are bridged",
        arguments: [(500, true), (502, true), (503, true), (504, true), (501, false), (404, false), (429, false)])
    func serverFailure(status: Int, expected: Bool) throws {
        #expect(try #require(HTTPStatus(status)).isServerFailure == expected)
    }
}
