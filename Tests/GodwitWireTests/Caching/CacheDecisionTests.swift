import GodwitWire
import Testing

@Suite("C1 how a request is answered")
struct CacheDecisionTests {
    private enum Outcome: Hashable {
        case use, useWhileValidating, validate, fetch, notModified, gatewayTimeout
    }

    private func outcome(
        _ response: String, request: HTTPFields = [:], age: TimeInterval = 0, etag: String? = "\"1\"",
        mode: CacheMode = .standard
    ) -> Outcome {
        var fields: HTTPFields = [.cacheControl: response]
        fields[.etag] = etag
        let now = Moment.after(age)
        return switch CacheDecision(request, stored: [CachedResponse.sample(fields)], mode: mode, now: now) {
        case .use: .use
        case .useWhileValidating: .useWhileValidating
        case .validate: .validate
        case .fetch: .fetch
        case .notModified: .notModified
        case .gatewayTimeout: .gatewayTimeout
        }
    }

    @Test("C1 RFC 9111 4.2 a response is fresh until its age reaches its lifetime")
    func fresh() {
        #expect(outcome("max-age=60", age: 59) == .use)
        #expect(outcome("max-age=60", age: 60) == .validate)
    }

    @Test("C1 RFC 9111 4 nothing stored means asking the server")
    func empty() {
        #expect(CacheDecision([:], stored: [], mode: .standard, now: Moment.start) == .fetch(fallback: nil))
    }

    @Test("C1 RFC 9111 4.1 a stored response for other request fields is not used")
    func vary() {
        let stored = CachedResponse.sample([.vary: "accept", .cacheControl: "max-age=60"], variant: "accept: a")
        let now = Moment.start
        #expect(CacheDecision([.accept: "a"], stored: [stored], mode: .standard, now: now) == .use(stored))
        #expect(CacheDecision([.accept: "b"], stored: [stored], mode: .standard, now: now) == .fetch(fallback: nil))
        #expect(CacheDecision([.accept: "b"], stored: [stored], mode: .anyAge, now: now) == .fetch(fallback: nil))
    }

    @Test("C1 RFC 9111 4.3.1 validators become conditions")
    func conditions() {
        let stored = CachedResponse.sample([.etag: "W/\"1\"", .lastModified: Moment.text(), .cacheControl: "no-cache"])
        #expect(
            CacheDecision([:], stored: [stored], mode: .standard, now: Moment.start)
                == .validate(stored, conditions: [.ifNoneMatch: "W/\"1\"", .ifModifiedSince: Moment.text()]))
    }

    @Test("C1 RFC 9111 4.3.1 a stale response without a validator is fetched again")
    func noValidator() {
        #expect(outcome("max-age=1", age: 5, etag: nil) == .fetch)
    }

    @Test(
        "C1 RFC 9111 4.3.2 a condition of the caller's is judged by a fresh response",
        arguments: [
            ([.ifNoneMatch: "\"1\""], .notModified), ([.ifNoneMatch: "W/\"1\""], .notModified),
            ([.ifNoneMatch: "\"8\", \"1\""], .notModified), ([.ifNoneMatch: "*"], .notModified),
            ([.ifNoneMatch: "\"9\""], .use), ([.ifNoneMatch: ""], .use),
            // Last-Modified is not there, so Date and the time of arrival count.
            ([.ifModifiedSince: Moment.text()], .notModified), ([.ifModifiedSince: Moment.text(60)], .notModified),
            ([.ifModifiedSince: Moment.text(-60)], .use),
            // A tag goes before a date.
            ([.ifNoneMatch: "\"9\"", .ifModifiedSince: Moment.text(60)], .use),
            // What only the server can judge.
            ([.ifModifiedSince: "yesterday"], .fetch), ([.ifMatch: "\"1\""], .fetch),
            ([.ifUnmodifiedSince: Moment.text()], .fetch), ([.ifNoneMatch: "\"1\"", .ifRange: "\"1\""], .fetch),
        ] as [(HTTPFields, Outcome)])
    private func ownConditions(request: HTTPFields, expected: Outcome) {
        #expect(outcome("max-age=60", request: request) == expected)
    }

    @Test("C1 RFC 9111 4.3.2 a condition and a response that is stale, or has no tag, go to the server")
    func ownConditionsOfStale() {
        let request: HTTPFields = [.ifNoneMatch: "\"1\""]
        #expect(outcome("max-age=60", request: request, age: 60) == .fetch)
        #expect(outcome("no-cache, max-age=60", request: request) == .fetch)
        #expect(outcome("max-age=60, stale-while-revalidate=60", request: request, age: 61) == .fetch)
        #expect(outcome("max-age=60", request: request, etag: nil) == .fetch)
        #expect(outcome("max-age=60", request: request, age: 90, mode: .anyAgeOnly) == .notModified)
        let offline: HTTPFields = [.ifNoneMatch: "\"1\"", .cacheControl: "only-if-cached"]
        #expect(outcome("max-age=60", request: offline, age: 90) == .gatewayTimeout)
        #expect(outcome("max-age=60", request: offline) == .notModified)
    }

    @Test("C1 RFC 9111 5.2.2.4 no-cache that names fields lets the rest be used")
    func qualifiedNoCache() {
        #expect(outcome("max-age=60, no-cache=\"set-cookie\"") == .use)
    }

    @Test("C1 RFC 9111 5.2.2.4 no-cache in the response asks for validation")
    func noCacheResponse() {
        #expect(outcome("no-cache, max-age=60") == .validate)
        #expect(outcome("no-cache, max-age=60", request: [.cacheControl: "max-stale"]) == .validate)
    }

    @Test("C1 RFC 9111 5.2.1.4 no-cache in the request asks for validation")
    func noCacheRequest() {
        #expect(outcome("max-age=60", request: [.cacheControl: "no-cache"]) == .validate)
    }

    @Test("C1 RFC 9111 5.4 Pragma: no-cache counts only without Cache-Control")
    func pragma() {
        #expect(outcome("max-age=60", request: [.pragma: "no-cache"]) == .validate)
        #expect(outcome("max-age=60", request: [.pragma: "no-cache", .cacheControl: "max-age=5"]) == .use)
    }

    @Test("C1 RFC 9111 5.2.1.1 max-age in the request limits the age")
    func requestMaxAge() {
        #expect(outcome("max-age=60", request: [.cacheControl: "max-age=10"], age: 10) == .use)
        #expect(outcome("max-age=60", request: [.cacheControl: "max-age=10"], age: 11) == .validate)
        #expect(outcome("max-age=60", request: [.cacheControl: "max-age=0"], age: 1) == .validate)
        #expect(outcome("max-age=60", request: [.cacheControl: "max-age=10, max-stale"], age: 11) == .validate)
    }

    @Test("C1 RFC 9111 5.2.1.2 max-stale accepts what is not stale for longer")
    func maxStale() {
        #expect(outcome("max-age=60", request: [.cacheControl: "max-stale=10"], age: 70) == .use)
        #expect(outcome("max-age=60", request: [.cacheControl: "max-stale=10"], age: 71) == .validate)
        #expect(outcome("max-age=60", request: [.cacheControl: "max-stale"], age: 1e9) == .use)
    }

    @Test("C1 RFC 9111 5.2.1.3 min-fresh asks for freshness to come")
    func minFresh() {
        #expect(outcome("max-age=60", request: [.cacheControl: "min-fresh=20"], age: 40) == .use)
        #expect(outcome("max-age=60", request: [.cacheControl: "min-fresh=20"], age: 41) == .validate)
        #expect(
            outcome("max-age=60, stale-while-revalidate=90", request: [.cacheControl: "min-fresh=1"], age: 70)
                == .validate)
    }

    @Test("C1 RFC 9111 5.2.2.2 must-revalidate forbids stale use, whatever the request says")
    func mustRevalidate() {
        #expect(outcome("max-age=60, must-revalidate", age: 59) == .use)
        #expect(outcome("max-age=60, must-revalidate", request: [.cacheControl: "max-stale"], age: 61) == .validate)
        #expect(outcome("max-age=60, must-revalidate, stale-while-revalidate=9", age: 61) == .validate)
    }

    @Test("C1 RFC 9111 5.2.2.8 proxy-revalidate says nothing to a private cache")
    func proxyRevalidate() {
        #expect(outcome("max-age=60, proxy-revalidate", request: [.cacheControl: "max-stale"], age: 61) == .use)
    }

    @Test("C1 RFC 9111 5.2.1.7 only-if-cached is answered by the store or by 504")
    func onlyIfCached() {
        let request: HTTPFields = [.cacheControl: "only-if-cached"]
        #expect(outcome("max-age=60", request: request, age: 59) == .use)
        #expect(outcome("max-age=60", request: request, age: 61) == .gatewayTimeout)
        #expect(outcome("max-age=60", request: [.cacheControl: "only-if-cached, max-stale"], age: 61) == .use)
        #expect(CacheDecision(request, stored: [], mode: .standard, now: Moment.start) == .gatewayTimeout)
    }

    @Test("C1 RFC 5861 3 within stale-while-revalidate the stale response is used and validated")
    func staleWhileRevalidate() {
        #expect(outcome("max-age=60, stale-while-revalidate=30", age: 90) == .useWhileValidating)
        #expect(outcome("max-age=60, stale-while-revalidate=30", age: 91) == .validate)
        #expect(outcome("max-age=60, stale-while-revalidate=30", age: 59) == .use)
    }

    @Test("C3 each policy goes as far as it says")
    func modes() {
        #expect(outcome("no-cache, must-revalidate, max-age=1", age: 1e6, mode: .anyAge) == .use)
        #expect(outcome("max-age=1", age: 1e6, mode: .anyAgeOnly) == .use)
        #expect(CacheDecision([:], stored: [], mode: .anyAge, now: Moment.start) == .fetch(fallback: nil))
        #expect(CacheDecision([:], stored: [], mode: .anyAgeOnly, now: Moment.start) == .gatewayTimeout)
        #expect(outcome("max-age=60", mode: .confirmed) == .validate)
        #expect(outcome("max-age=60", etag: nil, mode: .confirmed) == .fetch)
    }
}
