import ContentAPIServer
import ContentReaderKit
import Godwit
import GodwitTesting
import GodwitUI
import Testing

@Suite("V1 V6 A long list", .timeLimit(.minutes(3)))
@MainActor
struct LongListTests {
    /// Half of it in pages of 100, by the API over a socket.
    @Test("V6 100,000 articles are paged by cursor; a page at the end takes as long as one at the start")
    func flat() async throws {
        var options = ContentAPIServer.Options()
        options.articleCount = 100_000
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
        #expect(list.items.count == 100_000 && list.items.last?.id == 1)
        let (first, last) = (times.dropFirst(10).prefix(100).median, times.suffix(100).median)
        print("100,000 articles in \(times.count) pages: \(first.short) a page at the start, \(last.short) at the end")
        #expect(last < first * 3, "\(last.short) after \(first.short)")
        await server.stop()
    }

    /// Without a network, only the loader's own work is measured.
    @Test("V1 the loader's own work for a page does not grow with the list")
    func loaderAlone() async {
        struct Row: Identifiable, Sendable { let id: Int }
        let list = PageLoader<Row>(
            .offsets(limit: 100) { offset in
                offset < 100_000 ? (offset..<offset + 100).map { Row(id: $0) } : []
            })
        var times: [Duration] = []
        while list.hasMore {
            let start = ContinuousClock.now
            await list.loadMore()
            times.append(ContinuousClock.now - start)
            if let last = list.items.last { list.itemAppeared(last) }
        }
        #expect(list.items.count == 100_000)
        let (first, last) = (times.dropFirst(10).prefix(100).median, times.suffix(100).median)
        print("100,000 rows by the loader alone: \(first.short) a page at the start, \(last.short) at the end")
        #expect(last < first * 5 + .milliseconds(1), "\(last.short) after \(first.short)")
    }
}

extension Collection<Duration> {
    fileprivate var median: Duration {
        let sorted = sorted()
        return sorted.isEmpty ? .zero : sorted[sorted.count / 2]
    }
}
