import GodwitCore
import GodwitTesting
import Synchronization
import Testing

@Suite("P1 pages", .timeLimit(.minutes(15)))
struct PagesTests {
    private struct Page: Codable, CursorPage, Equatable {
        var items: [Int]
        var nextCursor: String?
    }

    /// Seven numbers, three to a page: by `after`, by `page`, by `offset`, and by link.
    private static func serve(_ route: MockRoutes) {
        @Sendable func slice(_ first: Int) -> [Int] { Array((0..<7).dropFirst(first).prefix(3)) }
        route.get("/v1/cursor").reply { request in
            let first = request.queryValue("after").flatMap(Int.init) ?? 0
            return .json(Page(items: slice(first), nextCursor: first + 3 < 7 ? "\(first + 3)" : nil))
        }
        route.get("/v1/numbers").reply { request in
            .json(slice(3 * ((request.queryValue("page").flatMap(Int.init) ?? 1) - 1)))
        }
        route.get("/v1/offsets").reply { request in
            .json(slice(request.queryValue("offset").flatMap(Int.init) ?? 0))
        }
        route.get("/v1/links").reply { request in
            let first = request.queryValue("at").flatMap(Int.init) ?? 0
            let response = MockResponse.json(slice(first))
            return first + 3 < 7 ? response.field(.link, "</v1/links?at=\(first + 3)>; rel=\"next\"") : response
        }
    }

    @Test("P1 the URL of the next page can be in the page, and a URL of another origin is not followed")
    func urls() async throws {
        struct Linked: Codable, ElementPage {
            let items: [Int]
            let next: String?
        }
        let transport = MockTransport {
            $0.get("/v1/linked").replies([
                .json(Linked(items: [1], next: "?at=2")), .json(Linked(items: [2], next: "linked?at=3")),
                .json(Linked(items: [3], next: "")),
            ])
            $0.get("/v1/away").replies([.json(Linked(items: [1], next: "https://evil.example/2"))])
        }
        let api = articles(transport)
        #expect(
            try await collect(api.pages(.urls(from: .get("linked")) { (page: Linked) in page.next }).elements) == [
                1, 2, 3,
            ])
        #expect(transport.requests.map { $0.queryValue("at") } == [nil, "2", "3"])
        var iterator = api.pages(Paging<Linked>.urls(from: .get("away")) { $0.next }).makeAsyncIterator()
        #expect(try await iterator.next()?.items == [1])
        let error = await #expect(throws: NetworkError.self) { try await iterator.next() }
        #expect(error?.shortDescription == "invalid_response")
        #expect(transport.requests.count == 4)
    }

    @Test("P1 the URL of the next page can be a field of the response, under the same rules")
    func urlFields() async throws {
        let transport = MockTransport {
            $0.get("/v1/rows").replies([
                .json([1]).field("Next-Page", "https://api.example.com/v1/rows?_token=2"),
                .json([2]).field("Next-Page", "rows?_token=3"), .json([3]).field("Next-Page", ""),
            ])
            $0.get("/v1/away").reply { _ in .json([1]).field("Next-Page", "https://evil.example/v1/away") }
        }
        let api = articles(transport)
        let rows = Paging<[Int]>.urls(from: .get("rows"), in: "Next-Page")
        #expect(try await collect(api.pages(rows).elements) == [1, 2, 3])
        #expect(transport.requests.map { $0.queryValue("_token") } == [nil, "2", "3"])
        var away = api.pages(Paging<[Int]>.urls(from: .get("away"), in: "Next-Page")).makeAsyncIterator()
        #expect(try await away.next() == [1])
        let error = await #expect(throws: NetworkError.self) { try await away.next() }
        #expect(error?.shortDescription == "invalid_response")
    }

    private static func cursor(_ cursor: String?) -> Endpoint<Page> { .get("cursor", query: ["after": cursor]) }

    private static let pagings: [(String, Paging<[Int]>, requests: Int)] = [
        ("numbers", .numbers { .get("numbers", query: ["page": $0]) }, 4),
        ("numbers, told", .numbers(until: { $0.count < 3 }) { .get("numbers", query: ["page": $0]) }, 3),
        ("offsets", .offsets(limit: 3) { .get("offsets", query: ["offset": $0]) }, 3),
        ("links", .links(from: .get("links")), 3),
    ]

    private func collect<Elements: AsyncSequence>(_ elements: Elements) async throws -> [Elements.Element] {
        var all: [Elements.Element] = []
        for try await element in elements { all.append(element) }
        return all
    }

    private func mock() -> MockTransport {
        MockTransport { Self.serve($0) }
    }

    @Test("P1 numbers, offsets and links return all elements without extra requests")
    func schemes() async throws {
        for (name, paging, requests) in Self.pagings {
            let transport = mock()
            let elements = try await collect(articles(transport).pages(paging).elements)
            #expect(elements == Array(0..<7), "\(name)")
            #expect(transport.requests.count == requests, "\(name)")
        }
    }

    @Test("P1 cursors lead from page to page, and each loop starts at the first page")
    func cursors() async throws {
        let transport = mock()
        let pages = articles(transport).pages(.cursor(Self.cursor))
        #expect(transport.requests.isEmpty)
        #expect(try await collect(pages).map(\.items) == [[0, 1, 2], [3, 4, 5], [6]])
        #expect(try await collect(pages.elements) == Array(0..<7))
        #expect(transport.requests.map { $0.queryValue("after") } == [nil, "3", "6", nil, "3", "6"])
    }

    @Test("P1 an empty cursor ends the list, and an empty page doesn't")
    func emptyPages() async throws {
        let answers = [Page(items: [], nextCursor: "a"), Page(items: [1], nextCursor: "")].map {
            MockResponse.json($0)
        }
        let transport = MockTransport { $0.get("/v1/cursor").replies(answers) }
        #expect(try await collect(articles(transport).pages(.cursor(Self.cursor)).elements) == [1])
    }

    @Test("P1 a repeated cursor throws after the page that has it")
    func repeated() async throws {
        let transport = MockTransport { $0.get("/v1/cursor").reply { _ in .json(Page(items: [1], nextCursor: "a")) } }
        var iterator = articles(transport).pages(.cursor(Self.cursor)).elements.makeAsyncIterator()
        #expect(try await iterator.next() == 1)
        #expect(try await iterator.next() == 1)
        let error = await #expect(throws: NetworkError.self) { try await iterator.next() }
        #expect(error?.kind == .invalidResponse(reason: "the server leads back to a page that was read"))
        #expect(transport.requests.count == 2)
    }

    @Test(
        "P1 a link to another origin is not followed",
        arguments: [
            "https://evil.example/v1/links", "http://api.example.com/v1/links", "https://api.example.com:8443/v1/links",
            "https://[", "",
        ])
    func foreignLink(_ link: String) async throws {
        let transport = MockTransport {
            $0.get("/v1/links").reply { _ in .json([1]).field(.link, "<\(link)>; rel=next") }
        }
        var iterator = articles(transport).pages(Paging<[Int]>.links(from: .get("links"))).makeAsyncIterator()
        #expect(try await iterator.next() == [1])
        let error = await #expect(throws: NetworkError.self) { try await iterator.next() }
        #expect(error?.shortDescription == "invalid_response")
        #expect(transport.requests.count == 1)
    }

    @Test("P1 a page that fails throws, and the same iterator requests it again")
    func failing() async throws {
        let transport = MockTransport {
            $0.get("/v1/numbers").replies([.json([1]), .status(500), .json([2]), .json([])])
        }
        var iterator = articles(transport)
            .pages(Paging<[Int]>.numbers { .get("numbers", query: ["page": $0]) }).makeAsyncIterator()
        #expect(try await iterator.next() == [1])
        await #expect(throws: NetworkError.self) { try await iterator.next() }
        #expect(try await iterator.next() == [2])
        #expect(transport.requests.map { $0.queryValue("page") } == ["1", "2", "2"])
    }

    @Test("P1 prefetching requests the next page early, and only one")
    func prefetching() async throws {
        let transport = mock()
        var iterator = articles(transport).pages(.cursor(Self.cursor)).prefetching().makeAsyncIterator()
        #expect(try await iterator.next()?.items == [0, 1, 2])
        while transport.requests.count < 2 { await Task.yield() }
        for _ in 0..<100 { await Task.yield() }
        #expect(transport.requests.count == 2)
        #expect(try await iterator.next()?.items == [3, 4, 5])
        #expect(try await iterator.next()?.items == [6])
        #expect(try await iterator.next() == nil)
        #expect(transport.requests.count == 3)
    }

    @Test("P1 cancellation ends the request in progress, prefetched or not")
    func cancelling() async throws {
        for isReadingAhead in [false, true] {
            let asked = Watched(0)
            let transport = MockTransport {
                $0.get("/v1/cursor").reply { request in
                    asked.update { $0 += 1 }
                    guard request.queryValue("after") == nil else { return .hang }
                    return .json(Page(items: [1], nextCursor: "a"))
                }
            }
            let pages = articles(transport).pages(.cursor(Self.cursor))
            let task = Task { [pages = isReadingAhead ? pages.prefetching() : pages] in try await collect(pages) }
            _ = try await asked.wait { $0 == 2 }
            task.cancel()
            let result = await task.result
            let error = #expect(throws: NetworkError.self) { try result.get() }
            #expect(error?.kind == .cancelled)
        }
    }

    @Test("P1 releasing an iterator cancels its prefetched request")
    func abandoned() async throws {
        let cancelled = Watched(false)
        let transport = ScriptedTransport { request throws(NetworkError) in
            guard request.url.query?.contains("after") ?? false else {
                return .reply(to: request, 200, #"{"items":[1],"nextCursor":"a"}"#)
            }
            _ = try? await Watched(0).wait { _ in false }
            cancelled.update { $0 = true }
            throw NetworkError(.cancelled, phase: .connecting)
        }
        do {
            var iterator = articles(transport).pages(.cursor(Self.cursor)).prefetching().makeAsyncIterator()
            #expect(try await iterator.next()?.items == [1])
            while transport.requests.count < 2 { await Task.yield() }
        }
        _ = try await cancelled.wait { $0 }
    }
}
