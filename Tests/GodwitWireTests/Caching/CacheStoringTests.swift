import GodwitWire
import Testing

@Suite("C1 what is stored")
struct CacheStoringTests {
    private func stored(
        _ fields: HTTPFields, status: Int = 200, method: HTTPMethod = .get, request: HTTPFields = [:]
    ) -> CachedResponse? {
        CachedResponse(
            (method, CachedResponse.url, request), answer: (HTTPStatus(status) ?? .ok, fields, Data()),
            requestTime: Moment.start, responseTime: Moment.start)
    }

    @Test(
        "C1 RFC 9111 3 only answers to GET are stored",
        arguments: [HTTPMethod.head, .post, .put, .patch, .delete, .options])
    func methods(method: HTTPMethod) {
        #expect(stored([.cacheControl: "max-age=60"], method: method) == nil)
        #expect(stored([.cacheControl: "max-age=60"]) != nil)
    }

    @Test("C1 RFC 9111 3 a status that is cacheable by default is stored", arguments: [200, 203, 204, 300, 301, 308])
    func byDefault(status: Int) {
        #expect(stored([:], status: status) != nil)
    }

    @Test("C1 RFC 9111 3 another needs permission", arguments: [201, 302, 307, 404, 410, 500])
    func permission(status: Int) {
        #expect(stored([:], status: status) == nil)
        for value in ["max-age=1", "public", "private"] {
            #expect(stored([.cacheControl: value], status: status) != nil)
        }
        #expect(stored([.expires: Moment.text(9)], status: status) != nil)
    }

    @Test("C1 RFC 9111 3 interim answers, parts and 304 are not stored", arguments: [103, 206, 304])
    func never(status: Int) {
        #expect(stored([.cacheControl: "max-age=60"], status: status) == nil)
    }

    @Test("C1 RFC 9111 3.3 an answer to a request for a range is not stored")
    func range() {
        #expect(stored([.cacheControl: "max-age=60"], request: [.range: "bytes=0-1"]) == nil)
    }

    @Test("C1 RFC 9111 5.2.2.5 no-store in the response forbids it")
    func noStore() {
        #expect(stored([.cacheControl: "no-store, max-age=60"]) == nil)
    }

    @Test("C1 RFC 9111 5.2.1.5 no-store in the request forbids it")
    func noStoreRequest() {
        #expect(stored([.cacheControl: "max-age=60"], request: [.cacheControl: "no-store"]) == nil)
    }

    @Test("C1 RFC 9111 5.2.2.3 must-understand overrides no-store for a known status and forbids an unknown one")
    func mustUnderstand() {
        #expect(stored([.cacheControl: "no-store, must-understand, max-age=9"]) != nil)
        #expect(stored([.cacheControl: "must-understand, max-age=9"], status: 299) == nil)
        #expect(stored([.cacheControl: "max-age=9"], status: 299) != nil)
    }

    @Test("C1 RFC 9111 5.2.2.7 private allows a private cache to store")
    func isPrivate() {
        #expect(stored([.cacheControl: "private, max-age=60"]) != nil)
    }

    @Test("C1 RFC 9111 3.5 an answer to a request with Authorization is stored by a private cache")
    func authorization() {
        #expect(stored([.cacheControl: "max-age=60"], request: [.authorization: "Bearer x"]) != nil)
    }

    @Test("C1 RFC 9111 4.1 an answer with Vary: * is not stored, as no request would ever match")
    func varyAll() {
        #expect(stored([.cacheControl: "max-age=60", .vary: "accept, *"]) == nil)
    }

    @Test("C1 RFC 9111 3.1 fields of the connection are omitted, and those that Connection names")
    func connectionFields() {
        let fields = stored([
            .connection: "close, X-Hop", "x-hop": "1", .keepAlive: "5", .transferEncoding: "chunked", .upgrade: "h2c",
            .proxyAuthenticate: "Basic", "X-End": "1", .setCookie: "a=1",
        ])?.fields
        #expect(fields == ["X-End": "1", .setCookie: "a=1"])
    }
}
