import GodwitCore
import GodwitTesting
import GodwitUI
import Synchronization
import Testing

/// The work for each page is counted: how often the ID of an element is read, and how often the elements are copied.
@Suite("V1 V5 the work for a page", .serialized, .timeLimit(.minutes(15)))
@MainActor
struct PageWorkTests {
    private let server = CountedServer()
    private let queries: QueryStore

    init() {
        queries = QueryStore(server.api)
    }

    /// What the loader does for each page of a list.
    private struct Work {
        var reads: [Int] = []
        var copies = 0
    }

    /// Loads all pages, and reports the last row as a screen does.
    private func work(_ list: PageLoader<CountedRow>) async throws -> Work {
        var work = Work()
        var address = address(of: list)
        while list.hasMore {
            let before = CountedRow.reads
            await list.loadMore()
            try #require(list.error == nil)
            work.reads.append(CountedRow.reads - before)
            if self.address(of: list) != address { work.copies += 1 }
            address = self.address(of: list)
        }
        return work
    }

    private func address(of list: PageLoader<CountedRow>) -> UnsafeRawPointer? {
        list.items.withUnsafeBytes { $0.baseAddress }
    }

    /// No page needs more work than a few looks at its own rows, and the rows move only when their memory is full.
    private func expectFlat(_ work: Work, _ location: SourceLocation = #_sourceLocation) {
        let most = work.reads.dropFirst(2).max() ?? 0
        #expect(most <= 15 * CountedServer.pageSize, "\(most) looks for one page", sourceLocation: location)
        #expect(work.copies < 30, "\(work.copies) copies", sourceLocation: location)
    }

    @Test("V1 the work for a page doesn't grow with the list: 100,000 rows by the loader alone")
    func loaderAlone() async throws {
        let size = CountedServer.pageSize
        let list = PageLoader<CountedRow>(
            .offsets(limit: size) { offset in
                offset < 100_000 ? (offset..<offset + size).map { CountedRow(number: $0) } : []
            })
        let work = try await work(list)
        #expect(list.items.count == 100_000)
        expectFlat(work)
    }

    @Test("V5 nor does it while a mutation of an element is on its way, and pages don't wait for it")
    func update() async throws {
        let list = PageLoader(queries, .cursor { .countedRows(after: $0) })
        await list.load()
        let change = Task {
            try await queries.mutate(.changeRow(7)) { $0.update(CountedRow.self, id: 7) { $0.mark = 1 } }
        }
        try await server.gate.waitForBeginning(of: 1)
        let work = try await work(list)
        #expect(list.items.count == CountedServer.count && list.items[7].mark == 1)
        expectFlat(work)
        server.gate.open(1)
        try await change.value
        #expect(list.items.count == CountedServer.count && list.items[7].mark == 1)
    }

    @Test("V5 nor while a mutation waits that removes elements, also one of a later page")
    func removal() async throws {
        let (list, count) = (PageLoader(queries, .cursor { .countedRows(after: $0) }), Loader(queries, .countedTotal))
        await count.load()
        await list.load()
        let last = CountedServer.count - 3
        let change = try await waiting { changes in
            for id in [8, last] { changes.remove(CountedRow.self, id: id) }
            changes[.countedTotal]?.count -= 2
        }
        let work = try await work(list)
        #expect(list.items.count == CountedServer.count - 2 && !list.items.contains { [8, last].contains($0.number) })
        #expect(count.value?.count == CountedServer.count - 2)
        expectFlat(work)
        try await change()
        #expect(list.items.count == CountedServer.count - 2)
    }

    @Test("V5 nor while an insertion into the list waits")
    func insertion() async throws {
        let list = PageLoader(queries, .cursor { .countedRows(after: $0) })
        await list.load()
        let change = try await waiting { $0.insert(CountedRow(number: -1), in: list) }
        let work = try await work(list)
        #expect(list.items.count == CountedServer.count + 1 && list.items[0].number == -1)
        expectFlat(work)
        try await change()
        #expect(list.items.count == CountedServer.count + 1 && list.items[0].number == -1)
    }

    @Test("V5 a page doesn't repeat an element whose insertion waits, and one at the end stays there")
    func insertedElements() async throws {
        let list = PageLoader(queries, .cursor { .countedRows(after: $0) })
        await list.load()
        let (size, next) = (CountedServer.pageSize, CountedServer.pageSize + 50)
        let change = try await waiting { changes in
            changes.insert(CountedRow(number: next, mark: 1), at: 1, in: list)
            changes.insert(CountedRow(number: -1), at: .max, in: list)
        }
        #expect(list.items.count == size + 2 && list.items[1].mark == 1 && list.items.last?.number == -1)
        await list.loadMore()
        let expected = [0, next] + (1..<next) + (next + 1..<2 * size) + [-1]
        #expect(list.items.map(\.number) == expected && list.items[1].mark == 1)
        try await change()
        #expect(list.items.map(\.number) == expected)
    }

    @Test("V5 a mutation that looks at other values first is applied to the whole list")
    func influenced() async throws {
        let (list, count) = (PageLoader(queries, .cursor { .countedRows(after: $0) }), Loader(queries, .countedTotal))
        await count.load()
        await list.load()
        let last = CountedServer.count - 3
        let change = try await waiting { changes in
            let mark = changes[.countedTotal]?.count ?? 0
            for id in [8, last] { changes.update(CountedRow.self, id: id) { $0.mark = mark } }
            changes[.countedTotal]?.count += 1
        }
        while list.hasMore { await list.loadMore() }
        #expect([8, last].map { list.items[$0].mark } == [CountedServer.count, CountedServer.count])
        #expect(count.value?.count == CountedServer.count + 1)
        try await change()
    }

    /// Begins a mutation that waits for an earlier one, which is on its way. Returns what lets both end.
    private func waiting(
        _ effect: @escaping @MainActor (QueryChanges) -> Void
    ) async throws -> () async throws -> Void {
        let first = Task { try await queries.mutate(.changeRow(7)) { $0.update(CountedRow.self, id: 7) { _ in } } }
        try await server.gate.waitForBeginning(of: 1)
        let second = Task {
            try await queries.mutate(.changeRow(8)) { changes in
                changes.update(CountedRow.self, id: 7) { _ in }
                effect(changes)
            }
        }
        await Task.yield()
        return { [server] in
            for number in 1...2 { server.gate.open(number) }
            try await first.value
            try await second.value
        }
    }

    @Test("V5 a page with an element that is being changed is loaded again after the change")
    func pageOfMutation() async throws {
        let list = PageLoader(queries, .cursor { .countedRows(after: $0) })
        await list.load()
        let id = CountedServer.pageSize + 1
        let change = Task {
            try await queries.mutate(.changeRow(id)) { $0.update(CountedRow.self, id: id) { $0.mark = 1 } }
        }
        try await server.gate.waitForBeginning(of: 1)
        let more = Task { await list.loadMore() }
        try await server.pages.wait { $0.count == 2 }
        server.gate.open(1)
        try await change.value
        await more.value
        #expect(server.pages.value == ["first", "99", "99"] && list.items.count == 2 * CountedServer.pageSize)
    }

    @Test("V1 the revision stays the same while pages are added, and changes when elements change")
    func revision() async {
        let list = PageLoader(queries, .cursor { .countedRows(after: $0) })
        let empty = list.revision
        await list.load()
        let first = list.revision
        await list.loadMore()
        await list.loadMore()
        #expect(list.revision == first && first != empty)
        queries.set { $0.update(CountedRow.self, id: 5) { $0.mark = 1 } }
        let changed = list.revision
        #expect(changed != first)
        queries.set { $0.remove(CountedRow.self, id: 5) }
        let removed = list.revision
        #expect(removed != changed)
        await list.refresh()
        #expect(list.revision != removed && list.items.count == CountedServer.pageSize)
    }
}

/// A row that counts how often its ID is read.
struct CountedRow: Codable, Identifiable, Sendable {
    private static let counter = Atomic(0)

    let number: Int
    var mark = 0

    static var reads: Int { counter.load(ordering: .relaxed) }

    var id: Int {
        Self.counter.add(1, ordering: .relaxed)
        return number
    }
}

private struct CountedPage: Codable, Sendable, CursorPage {
    let items: [CountedRow]
    let nextCursor: String?
}

private struct CountedTotal: Codable, Sendable {
    var count: Int
}

extension Endpoint {
    fileprivate static func countedRows(after cursor: String?) -> Endpoint<CountedPage> {
        .get("rows", query: ["after": cursor])
    }

    fileprivate static var countedTotal: Endpoint<CountedTotal> { .get("total") }

    fileprivate static func changeRow(_ id: Int) -> Endpoint<Void> {
        Endpoint<Void>.post("changes/\(id)").options { $0.modelInvalidation = .off }
    }
}

/// Rows in pages, at once; changes of them when the test lets them through.
private struct CountedServer {
    static let pageSize = 100
    static let count = 10_000

    let gate = Gate()
    /// The pages that were asked for.
    let pages = Watched<[String]>([])
    let api: APIClient

    init() {
        let mock = MockTransport { [gate, pages] request in
            switch (request.method, request.path) {
            case (.get, "/rows"):
                let cursor = request.queryValue("after")
                pages.update { $0.append(cursor ?? "first") }
                return .json(Self.page(after: cursor.flatMap { Int($0) } ?? -1))
            case (.get, _): return .json(CountedTotal(count: Self.count))
            default:
                _ = try await gate.pass()
                return .status(.noContent)
            }
        }
        api = APIClient(baseURL: "https://api.example.com", transport: mock) {
            $0.retry.maximumAttempts = 1
            $0.cache = .off
        }
    }

    private static func page(after number: Int) -> CountedPage {
        let numbers = number + 1..<min(number + 1 + pageSize, count)
        let next = numbers.upperBound < count ? String(numbers.upperBound - 1) : nil
        return CountedPage(items: numbers.map { CountedRow(number: $0) }, nextCursor: next)
    }
}
