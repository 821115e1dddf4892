import ContentAPIServer
import ContentReaderKit
import ContentReaderWeb
import Godwit
import GodwitTesting
import GodwitUI
import Testing

@Suite("V1 V6 A long list", .serialized, .timeLimit(.minutes(15)))
@MainActor
struct LongListTests {
    /// In pages of 100, by the API over a socket. All 100,000 with `script/test --soak`: they take the main actor for long.
    /// That a page needs no more work at the end is asserted by `PageWorkTests` of GodwitUI, which counts it.
    @Test("V6 a long list is paged by cursor to its end, and the time for each page is printed")
    func flat() async throws {
        let count = ProcessInfo.processInfo.environment["GODWIT_TEST_SOAK"] == nil ? 20_000 : 100_000
        var options = ContentAPIServer.Options()
        options.articleCount = count
        let server = try await ContentAPIServer(options)
        let api = APIClient(baseURL: server.url, preset: .content)
        let list = PageLoader(api.newestArticles(limit: 100))
        var times: [Duration] = []
        while list.hasMore {
            let start = ContinuousClock.now
            await list.loadMore()
            times.append(ContinuousClock.now - start)
            try #require(list.error == nil)
        }
        #expect(list.items.count == count && list.items.last?.id == 1)
        let (first, last) = (times.dropFirst(10).prefix(100).median, times.suffix(100).median)
        print("\(count) articles in \(times.count) pages: \(first.short) a page at the start, \(last.short) at the end")
        await server.stop()
    }

    /// From the request for a page to its rows in a browser: also what the page does to find them among all rows.
    @Test("V6 the page sends only the next rows, after 100,000 as after 20")
    func page() async throws {
        var options = ContentAPIServer.Options.signedIn
        options.articleCount = 5000
        try await PageClient.with(options) { client, _, page in
            try await client.signIn()
            await until { page.reader.list.articles.count == 20 && !page.reader.list.list.isLoading }
            let list = page.reader.list.list
            let first = try await Self.times(client, list).median
            let rows = try Self.rows(100_000 - list.items.count)
            list.edit { $0 += rows }
            // Nothing but the end changes: the page doesn't look at the other rows.
            let revision = list.revision
            let last = try await Self.times(client, list).median
            #expect(list.items.count > 100_000 && list.revision == revision)
            print("rows: \(first.short) after 20, \(last.short) after 100,000")
        }
    }

    /// The time from a request for more to its rows, 30 times.
    private static func times(_ client: PageClient, _ list: PageLoader<Article>) async throws -> [Duration] {
        var times: [Duration] = []
        var start: ContinuousClock.Instant?
        for try await part in client.parts() where part.name == "rows" {
            if let start {
                times.append(ContinuousClock.now - start)
                #expect(part.value["rows"]?.count == 20 && part.value["keep"]?.integer == list.items.count - 20)
            }
            if times.count == 30 { break }
            // A change may make the list read again; then there is nothing more yet.
            let count = list.items.count
            while list.items.count == count, list.error == nil {
                start = .now
                await list.loadMore()
            }
        }
        return times
    }

    private static func rows(_ count: Int) throws -> [Article] {
        let rows = (0..<count).map { number in
            #"{"id": \#(1_000_000 + number), "title": "Row \#(number)", "body": "", "tags": ["sea"], "author_id": 1, "updated_at": "2026-11-21T10:00:00Z"}"#
        }
        return try JSONCoding(keys: .snakeCase).decode(
            [Article].self, from: Data("[\(rows.joined(separator: ","))]".utf8))
    }
}

extension Collection<Duration> {
    fileprivate var median: Duration {
        let sorted = sorted()
        return sorted.isEmpty ? .zero : sorted[sorted.count / 2]
    }
}
