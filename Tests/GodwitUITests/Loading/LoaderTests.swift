import GodwitCore
import GodwitTesting
import GodwitUI
import Testing

@Suite("V1 loader", .timeLimit(.minutes(15)))
@MainActor
struct LoaderTests {
    private struct Mishap: Error {}

    private let gate = Gate()

    private func begin(_ work: @escaping @MainActor () async -> Void) async throws -> Task<Void, Never> {
        let next = gate.begun + 1
        let task = Task { await work() }
        try await gate.waitForBeginning(of: next)
        return task
    }

    @Test("V1 a loading is seen by an observer: idle, loading, loaded")
    func loads() async throws {
        let loader = Loader { [gate] in try await gate.pass() }
        let history = History { "\(loader.state)" }
        #expect(history.values == ["idle"])
        let task = try await begin { await loader.load() }
        await until { loader.isLoading }
        gate.open(1)
        await task.value
        await until { loader.value == 1 }
        history.catchUp()
        #expect(history.values == ["idle", "loading(last: nil)", "loaded(1)"])
        #expect(!loader.isLoading)
    }

    @Test("V1 what is loaded is not loaded again when the screen comes back")
    func comesBack() async throws {
        let loader = Loader { [gate] in try await gate.pass() }
        gate.open(1)
        await loader.load()
        await loader.load()
        #expect(gate.begun == 1)
        #expect(loader.value == 1)
    }

    @Test("V1 a second load waits for the same result")
    func joins() async throws {
        let loader = Loader { [gate] in try await gate.pass() }
        let first = try await begin { await loader.load() }
        let second = Task { await loader.load() }
        gate.open(1)
        await first.value
        await second.value
        #expect(gate.begun == 1)
        #expect(loader.value == 1)
    }

    @Test("V1 a refresh replaces a load: the former is canceled, and its waiter gets the newer value")
    func refreshDuringLoading() async throws {
        let loader = Loader { [gate] in try await gate.pass() }
        let first = try await begin { await loader.load() }
        let second = try await begin { await loader.refresh() }
        try await gate.waitForCancellation()
        #expect(loader.isLoading)
        gate.open(2)
        await first.value
        await second.value
        #expect(loader.value == 2)
    }

    @Test("V1 of two results the later request's counts, in whatever order they come")
    func latestWins() async throws {
        let loader = Loader { [gate] in await gate.passStubbornly() }
        let history = History { loader.value }
        let first = try await begin { await loader.load() }
        let second = try await begin { await loader.refresh() }
        gate.open(2)
        await second.value
        gate.open(1)
        await first.value
        try await gate.waitForEnd(count: 2)
        await Task.yield()
        history.catchUp()
        #expect(history.values == [nil, 2])
    }

    @Test("V1 a refresh keeps the old value visible, also when it fails")
    func refreshKeeps() async throws {
        let loader = Loader { [gate] in
            let number = try await gate.pass()
            if number == 2 { throw NetworkError(.server(status: 503), phase: .validating) }
            return number
        }
        gate.open(1)
        await loader.load()
        let task = try await begin { await loader.refresh() }
        #expect(loader.isLoading)
        #expect(loader.value == 1)
        gate.open(2)
        await task.value
        #expect(loader.error?.kind == .server(status: 503))
        #expect(loader.value == 1)
    }

    @Test("V1 retry loads after a failure, and does nothing without one")
    func retry() async throws {
        let loader = Loader { [gate] in
            let number = try await gate.pass()
            if number == 1 { throw Mishap() }
            return number
        }
        await loader.retry()
        #expect(gate.begun == 0)
        gate.open(1)
        gate.open(2)
        await loader.load()
        #expect(loader.error?.underlying is Mishap)
        await loader.retry()
        #expect(loader.value == 2)
        await loader.retry()
        #expect(gate.begun == 2)
    }

    @Test("V1 a screen that goes cancels the loading: no error, and idle as before")
    func disappears() async throws {
        let loader = Loader { [gate] in try await gate.pass() }
        let task = try await begin { await loader.load() }
        task.cancel()
        await task.value
        try await gate.waitForCancellation()
        #expect("\(loader.state)" == "idle")
        gate.open(2)
        await loader.load()
        #expect(loader.value == 2)
    }

    @Test("V1 a refresh that is canceled leaves what was there: a value, or an error")
    func cancelledRefresh() async throws {
        let loader = Loader { [gate] in
            let number = try await gate.pass()
            if number == 3 { throw NetworkError(.notFound, phase: .validating) }
            return number
        }
        gate.open(1)
        await loader.load()
        let task = try await begin { await loader.refresh() }
        task.cancel()
        await task.value
        #expect("\(loader.state)" == "loaded(1)")
        gate.open(3)
        await loader.refresh()
        let second = try await begin { await loader.refresh() }
        loader.cancel()
        #expect(loader.error?.kind == .notFound)
        #expect(!loader.isLoading)
        await second.value
    }

    @Test("V1 if one of two waiting tasks is canceled, the other gets the value")
    func oneOfTwo() async throws {
        let loader = Loader { [gate] in try await gate.pass() }
        let first = try await begin { await loader.load() }
        let second = Task { await loader.load() }
        await Task.yield()
        first.cancel()
        await first.value
        #expect(loader.isLoading)
        gate.open(1)
        await second.value
        #expect(loader.value == 1)
        #expect(gate.cancelled == 0)
    }

    @Test("V1 a task that is canceled already loads nothing")
    func cancelledBefore() async {
        let loader = Loader { [gate] in try await gate.pass() }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await loader.load()
            await loader.refresh()
        }
        await task.value
        #expect(gate.begun == 0)
        #expect("\(loader.state)" == "idle")
    }

    @Test("V1 a loader that is released ends its request")
    func letGo() async throws {
        let feed = PathFeed(.unsatisfied)
        var loader: Loader<Int>? = Loader(retryingWith: feed) { [gate] in
            if gate.begun == 0 { _ = try? await gate.pass(); throw NetworkError(.offline(.noPath), phase: .connecting) }
            return try await gate.pass()
        }
        gate.open(1)
        await loader?.load()
        #expect(loader?.error?.kind == .offline(.noPath))
        feed.update(NetworkPath(status: .satisfied))
        try await gate.waitForBeginning(of: 2)
        loader = nil
        try await gate.waitForCancellation()
    }

    @Test("V1 reset ends the loading and forgets the value")
    func reset() async throws {
        let loader = Loader { [gate] in try await gate.pass() }
        gate.open(1)
        await loader.load()
        let task = try await begin { await loader.refresh() }
        loader.reset()
        #expect("\(loader.state)" == "idle")
        await task.value
        try await gate.waitForCancellation()
        #expect("\(loader.state)" == "idle")
    }

    @Test("V1 an endpoint's answer is loaded; leaving the screen ends the exchange")
    func endpoint() async throws {
        let clock = TestClock()
        let mock = MockTransport(clock: clock) {
            $0.get("/name").reply(.text("Tides"))
            $0.get("/slow").reply(.text("Ebb").delayed(by: .seconds(5)))
        }
        let api = APIClient(baseURL: "https://api.example.com", transport: mock)
        let loader = Loader(api, Endpoint<String>.get("name"))
        await loader.load()
        #expect(loader.value == "Tides")
        let slow = Loader(api, Endpoint<String>.get("slow"))
        let task = Task { await slow.load() }
        try await clock.waitForSleepers()
        #expect(slow.isLoading)
        task.cancel()
        await task.value
        try await mock.waitUntilExchangesEnd()
        #expect(slow.error == nil)
        #expect(!slow.isLoading)
    }
}
