import GodwitCore
import GodwitTesting
import GodwitUI
import Testing

@Suite("P2 page loader", .timeLimit(.minutes(15)))
@MainActor
struct PageLoaderTests {
    @Test("P2 10,000 rapid calls of loadMore make one request for each page")
    func oneRequestPerPage() async throws {
        let server = RowServer(pageCount: 4)
        let list = PageLoader(server.pages)
        for page in 1...4 {
            let tasks = (0..<10_000).map { _ in Task { await list.loadMore() } }
            try await server.gate.waitForBeginning(of: page)
            server.gate.open(page)
            for task in tasks { await task.value }
            #expect(server.mock.requestCount == page)
            #expect(list.items.count == page * 10)
        }
        #expect(server.asked == ["first", "1", "2", "3"])
        #expect(list.items.map(\.id) == Array(0..<40))
        #expect(!list.hasMore)
        await list.loadMore()
        #expect(server.mock.requestCount == 4)
    }

    @Test("P2 10,000 calls that come at any time ask for no page twice")
    func callsAtAnyTime() async throws {
        let server = RowServer(pageCount: 20)
        server.open(20)
        let list = PageLoader(server.pages)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<10_000 { group.addTask { await list.loadMore() } }
        }
        #expect(Set(server.asked).count == server.asked.count)
        #expect(list.items.map(\.id) == Array(0..<list.items.count))
    }

    @Test("P2 an element that moved to a later page is not shown twice; one page may hold it twice")
    func noDuplicates() async {
        let server = RowServer { number, _ in
            RowPage(
                [number * 10 - 1, number * 10, number * 10, number * 10 + 9].filter { $0 >= 0 }, next: "\(number + 1)")
        }
        server.open(3)
        let list = PageLoader(server.pages)
        for _ in 0..<3 { await list.loadMore() }
        #expect(list.items.map(\.id) == [0, 9, 10, 19, 20, 29])
    }

    @Test("P2 a page with nothing new does not hold the list up, and a list without news is asked ten times at most")
    func barrenPages() async {
        let server = RowServer(pageCount: 3) { number, _ in
            RowPage(number == 2 ? [5] : [1], next: "\(number + 1)")
        }
        server.open(100)
        let list = PageLoader(server.pages)
        await list.loadMore()
        await list.loadMore()
        #expect(list.items.map(\.id) == [1, 5])
        #expect(server.asked == ["first", "1", "2"])

        let circle = RowServer(pageCount: .max) { number, _ in RowPage([1], next: "\(number + 1)") }
        circle.open(100)
        let endless = PageLoader(circle.pages)
        await endless.loadMore()
        await endless.loadMore()
        #expect(circle.mock.requestCount == 11)
        #expect(endless.hasMore)
    }

    @Test("P2 an error keeps elements and place: asking again asks for the same page")
    func errorKeepsPlace() async {
        let server = RowServer { number, call in
            if call == 2 || call == 3 { throw NetworkError(.server(status: 503), phase: .validating) }
            return RowPage([number], next: "\(number + 1)")
        }
        server.open(10)
        let list = PageLoader(server.pages)
        await list.loadMore()
        await list.loadMore()
        #expect(list.error?.kind == .server(status: 503))
        #expect(list.items.map(\.id) == [0])
        list.itemAppeared(Row(id: 0))
        #expect(!list.isLoading)
        await list.retry()
        await list.loadMore()
        #expect(list.error == nil)
        #expect(list.items.map(\.id) == [0, 1])
        #expect(server.asked == ["first", "1", "1", "1"])
        await list.retry()
        #expect(server.mock.requestCount == 4)
    }

    @Test("P2 prefetching pages that fail are asked for again, and no old error is handed out twice")
    func errorAhead() async throws {
        let server = RowServer { number, call in
            if call == 2 { throw NetworkError(.server(status: 503), phase: .validating) }
            return RowPage([number], next: "\(number + 1)")
        }
        server.open(10)
        let list = PageLoader(server.pages.prefetching())
        await list.loadMore()
        try await server.gate.waitForBeginning(of: 2)
        await list.loadMore()
        #expect(list.error != nil)
        await list.loadMore()
        #expect(list.items.map(\.id) == [0, 1])
    }

    @Test("P2 refresh starts at the first page, keeps the elements until that is there, and continues from it")
    func refresh() async throws {
        let server = RowServer { number, call in
            RowPage(call <= 2 ? [number * 2, number * 2 + 1] : [100 + number], next: "\(number + 1)")
        }
        server.open(2)
        let list = PageLoader(server.pages)
        await list.loadMore()
        await list.loadMore()
        let task = Task { await list.refresh() }
        try await server.gate.waitForBeginning(of: 3)
        #expect(list.items.map(\.id) == [0, 1, 2, 3])
        guard case .refreshing = list.state else {
            Issue.record("it is \(list.state)")
            return
        }
        server.open(4)
        await task.value
        #expect(list.items.map(\.id) == [100])
        await list.loadMore()
        #expect(list.items.map(\.id) == [100, 101])
        #expect(server.asked == ["first", "1", "first", "1"])
    }

    @Test("P2 a refresh replaces a page in progress, whose answer is thrown away")
    func refreshDuringLoading() async throws {
        let server = RowServer { number, call in RowPage([call * 10 + number], next: "\(number + 1)") }
        server.open(1)
        let list = PageLoader(server.pages)
        await list.loadMore()
        let more = Task { await list.loadMore() }
        try await server.gate.waitForBeginning(of: 2)
        let refresh = Task { await list.refresh() }
        try await server.gate.waitForCancellation()
        server.open(3)
        await refresh.value
        await more.value
        #expect(list.items.map(\.id) == [30])
    }

    @Test("P2 a refresh that fails leaves the list, and retry refreshes again")
    func failedRefresh() async {
        let server = RowServer { number, call in
            if call == 2 { throw NetworkError(.offline(.noPath), phase: .connecting) }
            return RowPage([call], next: "\(number + 1)")
        }
        server.open(10)
        let list = PageLoader(server.pages)
        await list.loadMore()
        await list.refresh()
        #expect(list.error?.kind == .offline(.noPath))
        #expect(list.items.map(\.id) == [1])
        await list.retry()
        #expect(list.items.map(\.id) == [3])
        #expect(server.asked == ["first", "first", "first"])
    }

    @Test("P2 a refresh that is canceled after a page failed leaves that page to be tried again")
    func cancelledRefresh() async throws {
        let server = RowServer { number, call in
            if call == 2 { throw NetworkError(.server(status: 503), phase: .validating) }
            return RowPage([number], next: "\(number + 1)")
        }
        server.open(2)
        let list = PageLoader(server.pages)
        await list.loadMore()
        await list.loadMore()
        let task = Task { await list.refresh() }
        try await server.gate.waitForBeginning(of: 3)
        task.cancel()
        await task.value
        #expect(list.error?.kind == .server(status: 503))
        server.open(4)
        await list.retry()
        #expect(list.items.map(\.id) == [0, 1])
    }

    @Test("P2 an element asks for more where it is within the prefetch distance of the end, and only once")
    func prefetchDistance() async throws {
        let server = RowServer()
        server.open(1)
        let list = PageLoader(server.pages, prefetchDistance: 3)
        await list.load()
        await list.load()
        for id in 0..<6 { list.itemAppeared(Row(id: id)) }
        #expect(!list.isLoading)
        for id in 6..<10 { list.itemAppeared(Row(id: id)) }
        #expect(list.isLoading)
        try await server.gate.waitForBeginning(of: 2)
        server.open(2)
        await until { list.items.count == 20 }
        list.itemAppeared(Row(id: 9))
        list.itemAppeared(Row(id: 99))
        #expect(!list.isLoading)
        #expect(server.mock.requestCount == 2)
    }

    @Test("P2 at a distance of 0 only the last element asks for more")
    func noDistance() async throws {
        let server = RowServer()
        server.open(1)
        let list = PageLoader(server.pages, prefetchDistance: -1)
        await list.load()
        list.itemAppeared(Row(id: 8))
        #expect(!list.isLoading)
        list.itemAppeared(Row(id: 9))
        #expect(list.isLoading)
        list.cancel()
    }

    @Test("P2 canceling is silent and keeps the place: by the screen's task, and by cancel()")
    func cancelling() async throws {
        let server = RowServer()
        server.open(1)
        let list = PageLoader(server.pages)
        await list.loadMore()
        let task = Task { await list.loadMore() }
        try await server.gate.waitForBeginning(of: 2)
        task.cancel()
        await task.value
        try await server.gate.waitForCancellation()
        #expect("\(list.state)" == "idle")
        list.itemAppeared(Row(id: 9))
        try await server.gate.waitForBeginning(of: 3)
        list.cancel()
        #expect("\(list.state)" == "idle")
        try await server.gate.waitForCancellation(count: 2)
        server.open(4)
        await list.loadMore()
        #expect(list.items.count == 20)
        #expect(server.asked == ["first", "1", "1", "1"])
    }

    @Test("P2 what was being prefetched when the screen went is asked for again")
    func cancelledAhead() async throws {
        let server = RowServer()
        server.open(1)
        let list = PageLoader(server.pages.prefetching())
        await list.loadMore()
        try await server.gate.waitForBeginning(of: 2)
        let task = Task { await list.loadMore() }
        await until { list.isLoading }
        task.cancel()
        await task.value
        try await server.gate.waitForCancellation()
        server.open(10)
        await list.loadMore()
        #expect(list.items.count == 20)
    }

    @Test("P2 a list that failed for lack of a network continues when it is back")
    func reconnects() async {
        let feed = PathFeed(.unsatisfied)
        let server = RowServer { number, call in
            if call == 1 { throw NetworkError(.offline(.noPath), phase: .connecting) }
            return RowPage([number], next: "\(number + 1)")
        }
        server.open(10)
        let list = PageLoader(server.pages, retryingWith: feed)
        await list.load()
        #expect(list.error != nil)
        feed.update(NetworkPath(status: .satisfied))
        await until { list.items.count == 1 }
        #expect(list.error == nil)
    }
}
