import GodwitCore
import GodwitTesting
import GodwitUI
import Testing

/// What SwiftUI does with the rows of `InfiniteList` and the sentinel below them.
@MainActor
private final class Window {
    let list: PageLoader<Row>
    let height: Int
    /// The first visible row.
    private(set) var top = 0
    private var told: Sentinel<Int>?

    init(_ list: PageLoader<Row>, height: Int) {
        (self.list, self.height) = (list, height)
    }

    /// Renders once: reports a visible sentinel if it appeared or its identity changed, as by `task(id:)`.
    func render() {
        guard case .rows(.sentinel(let sentinel), _) = list.phase, list.items.count < top + height else {
            told = nil
            return
        }
        guard sentinel != told else { return }
        told = sentinel
        list.sentinelAppeared()
    }

    func scroll(to row: Int) {
        top = row
        render()
    }

    /// Renders whenever the list changes, until a condition holds.
    func until(_ condition: @MainActor () -> Bool) async {
        while !condition() {
            render()
            await Task.yield()
        }
    }

    /// Renders for a while in which nothing should happen.
    func settle() async {
        for _ in 0..<300 {
            render()
            await Task.yield()
        }
    }
}

@Suite("V3 the end of an infinite list", .timeLimit(.minutes(15)))
@MainActor
struct InfiniteListTests {
    private let server = RowServer()

    private func window(height: Int, _ list: PageLoader<Row>? = nil) -> Window {
        Window(list ?? PageLoader(server.pages, prefetchDistance: 0), height: height)
    }

    @Test("V3 pages that don't fill the window are followed by more, and no more than fit are loaded")
    func fills() async {
        server.open(5)
        let window = window(height: 25)
        await window.list.load()
        await window.until { window.list.items.count >= 30 }
        await window.settle()
        #expect(window.list.items.count == 30)
        #expect(server.mock.requestCount == 3)
        window.scroll(to: 10)
        await window.until { window.list.items.count == 40 }
        await window.settle()
        #expect(server.mock.requestCount == 4)
    }

    @Test("V3 the end doesn't stall after a refresh that replaces a page in progress by the same rows")
    func refresh() async throws {
        server.gate.open(1)
        let window = window(height: 15)
        await window.list.load()
        window.render()
        try await server.gate.waitForBeginning(of: 2)
        let refresh = Task { await window.list.refresh() }
        try await server.gate.waitForBeginning(of: 3)
        window.render()
        for call in 3...6 { server.gate.open(call) }
        await refresh.value
        await window.until { window.list.items.count == 20 }
        await window.settle()
        #expect(server.mock.requestCount == 4)
    }

    @Test("V3 a complete list has no sentinel; a visible failure waits for a retry, and the rows stay")
    func ends() async {
        let failing = Watched(true)
        let list = PageLoader<Row>(
            .numbers { number in
                if number == 2, failing.value { throw NetworkError(.server(status: 503), phase: .validating) }
                return number > 3 ? [] : (number * 10..<number * 10 + 10).map { Row(id: $0) }
            }, prefetchDistance: 0)
        let window = window(height: 100, list)
        guard case .loading = list.phase else {
            Issue.record("\(list.phase)")
            return
        }
        await list.load()
        await window.until { list.error != nil }
        await window.settle()
        guard case .rows(.none, let notice?) = list.phase else {
            Issue.record("\(list.phase)")
            return
        }
        #expect(notice.kind == .server(status: 503) && list.items.count == 10)
        failing.update { $0 = false }
        await list.retry()
        await window.until { !list.hasMore }
        guard case .rows(.none, nil) = list.phase else {
            Issue.record("\(list.phase)")
            return
        }
        #expect(list.items.count == 30)
    }

    @Test("V3 a circular list isn't read forever while its end is visible")
    func circular() async {
        let calls = Watched(0)
        let list = PageLoader<Row>(
            .numbers { _ in
                calls.update { $0 += 1 }
                return [Row(id: 1)]
            })
        let window = window(height: 10, list)
        await list.load()
        await window.until { calls.value >= 11 }
        await window.settle()
        #expect(calls.value == 11)
    }

    @Test("V3 an empty list and a failed first page have slots of their own")
    func slots() async {
        let empty = PageLoader<Row>(.numbers { _ in [] })
        await empty.load()
        guard case .empty = empty.phase else {
            Issue.record("\(empty.phase)")
            return
        }
        let broken = PageLoader<Row>(.numbers { _ -> [Row] in throw NetworkError(.notFound, phase: .validating) })
        await broken.load()
        guard case .failure(let error) = broken.phase else {
            Issue.record("\(broken.phase)")
            return
        }
        #expect(error.kind == .notFound)
    }

    @Test("V3 an empty list stays empty while it is refreshed, and if that fails, with the error next to it")
    func emptyRefresh() async throws {
        let (gate, failing) = (Gate(), Watched(false))
        let list = PageLoader<Row>(
            .numbers { _ -> [Row] in
                _ = try? await gate.pass()
                if failing.value { throw NetworkError(.server(status: 503), phase: .validating) }
                return []
            })
        gate.open(1)
        await list.load()
        let refresh = Task { await list.refresh() }
        try await gate.waitForBeginning(of: 2)
        #expect(name(list.phase) == "empty")
        failing.update { $0 = true }
        gate.open(2)
        await refresh.value
        #expect(name(list.phase) == "empty, notice")
    }

    @Test("V3 a list that stopped after pages without new elements has no spinner")
    func stopped() async {
        let circular = PageLoader<Row>(.numbers { _ in [Row(id: 1)] })
        await circular.load()
        for _ in 0..<10 { await circular.loadMore() }
        #expect(name(circular.phase) == "rows")
        let hollow = PageLoader<Note>(.cursor { NotePage(items: [], nextCursor: ($0 ?? "") + "x") })
        await hollow.load()
        #expect(name(hollow.phase) == "empty")
    }

    private func name(_ phase: ListPhase<Int>) -> String {
        switch phase {
        case .loading: "loading"
        case .empty(let notice): notice == nil ? "empty" : "empty, notice"
        case .failure: "failure"
        case .rows(.none, let notice): notice == nil ? "rows" : "rows, notice"
        case .rows(.sentinel, _): "rows, sentinel"
        }
    }

    @Test("V3 A6 a view's task starts again when another model is passed, or the account has changed")
    func identities() async throws {
        let server = NoteServer()
        let api = server.client {
            $0.authentication = .refreshing(MemoryTokenStore(AccessToken(access: "ann"))) { _, old in old }
        }
        let loaders = (Loader(api, .note(1)), Loader(api, .note(1)))
        let keyed = (KeyedLoader { try await api.send(.note($0)) }, KeyedLoader { try await api.send(.note($0)) })
        let lists = (PageLoader<Row>(.numbers { _ in [] }), PageLoader<Row>(.numbers { _ in [] }))
        #expect(loaders.0.loadIdentity == loaders.0.loadIdentity && loaders.0.loadIdentity != loaders.1.loadIdentity)
        #expect(keyed.0.loadIdentity(of: 1) != keyed.1.loadIdentity(of: 1))
        #expect(keyed.0.loadIdentity(of: 1) != keyed.0.loadIdentity(of: 2))
        #expect(lists.0.loadIdentity != lists.1.loadIdentity)
        await loaders.0.load()
        await keyed.0.load(1)
        let before = (loaders.0.loadIdentity, keyed.0.loadIdentity(of: 2))
        await keyed.0.load(2)
        #expect(keyed.0.loadIdentity(of: 2) == before.1)
        try await api.signIn(AccessToken(access: "bob"))
        #expect(loaders.0.value == nil && loaders.0.loadIdentity != before.0)
        #expect(keyed.0.loadIdentity(of: 2) != before.1)
    }

    @Test("V3 content: a failed refresh is shown next to the old value, and a collection without elements is empty")
    func content() {
        let error = NetworkError(.offline(.noPath), phase: .connecting)
        func name<Value>(_ state: LoadingState<Value>) -> String {
            switch ContentPhase(state, isEmpty: { isEmptyCollection($0) }) {
            case .loading: "loading"
            case .empty(let notice): notice == nil ? "empty" : "empty, notice"
            case .content(_, let notice): notice == nil ? "content" : "content, notice"
            case .failure: "failure"
            }
        }
        #expect(name(LoadingState<Int>.idle) == "loading")
        #expect(name(LoadingState<Int>.loading(last: nil)) == "loading")
        #expect(name(.loading(last: 1)) == "content")
        #expect(name(.loaded([Int]())) == "empty")
        #expect(name(.loaded("")) == "content")
        #expect(name(.loaded([1: 2])) == "content")
        #expect(name(.failed(error, last: 1)) == "content, notice")
        #expect(name(.failed(error, last: [Int]())) == "empty, notice")
        #expect(name(LoadingState<Int>.failed(error, last: nil)) == "failure")
    }
}
