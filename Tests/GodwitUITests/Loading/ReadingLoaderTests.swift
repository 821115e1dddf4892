import Godwit
import GodwitTesting
import GodwitUI
import Testing

@Suite("V1 C4 loader of a reading", .timeLimit(.minutes(15)))
@MainActor
struct ReadingLoaderTests {
    private let store = MemoryModelStore()
    private let gate = Gate()
    private let time = Watched(Date(timeIntervalSince1970: 784_111_777))

    /// A server that answers with the number of the request, once the gate is open; 3 fails.
    private var api: APIClient {
        let mock = MockTransport { [gate] _ in
            let number = try await gate.pass()
            return number == 3 ? .status(.serviceUnavailable) : .text("{\"id\":\(number)}")
        }
        return APIClient(baseURL: "https://api.example.com", transport: mock) { $0.retry.maximumAttempts = 1 }
    }

    private func readings(_ api: APIClient) -> Readings<Row> {
        api.reading(Endpoint<Row>.get("rows/1"), from: store, maxAge: .seconds(60)) { [time] in time.value }
    }

    private func wait(_ seconds: TimeInterval) {
        time.update { $0 += seconds }
    }

    @Test("V1 C4 a stale value is shown immediately and marked, then the fresh one")
    func staleThenFresh() async throws {
        let api = api
        gate.open(1)
        await Loader(reading: readings(api)).load()
        wait(100)
        let loader = Loader(reading: readings(api))
        let task = Task { await loader.load() }
        await until { loader.value == Row(id: 1) }
        #expect(loader.isStale)
        #expect(loader.isLoading)
        #expect(loader.reading?.source == .store)
        gate.open(2)
        await task.value
        #expect(loader.state.isLoaded)
        #expect(loader.value == Row(id: 2))
        #expect(!loader.isStale)
        #expect(loader.reading?.date == time.value)
    }

    @Test("V1 C4 a fresh value is loaded without a request, and a refresh asks anyway")
    func fresh() async throws {
        let api = api
        gate.open(1)
        await Loader(reading: readings(api)).load()
        let loader = Loader(reading: readings(api))
        await loader.load()
        #expect(loader.value == Row(id: 1))
        #expect(!loader.isStale)
        #expect(gate.begun == 1)
        gate.open(2)
        await loader.refresh()
        #expect(loader.value == Row(id: 2))
    }

    @Test("V1 C4 a failure keeps the stale value, with the error, and retry tries again")
    func failure() async throws {
        let api = api
        for number in [1, 2, 3, 4] { gate.open(number) }
        await Loader(reading: readings(api)).load()
        wait(100)
        await Loader(reading: readings(api)).load()
        wait(100)
        let loader = Loader(reading: readings(api))
        await loader.load()
        #expect(loader.error?.kind == .server(status: 503))
        #expect(loader.value == Row(id: 2))
        #expect(loader.isStale)
        await loader.retry()
        #expect(loader.value == Row(id: 4))
        #expect(loader.error == nil)
        #expect(!loader.isStale)
    }

    @Test("V1 C4 one that is canceled at the stale value loads when the screen comes back")
    func cancelled() async throws {
        let api = api
        gate.open(1)
        await Loader(reading: readings(api)).load()
        wait(100)
        let loader = Loader(reading: readings(api))
        let task = Task { await loader.load() }
        try await gate.waitForBeginning(of: 2)
        task.cancel()
        await task.value
        #expect(loader.value == Row(id: 1))
        #expect(!loader.isLoading)
        #expect(loader.error == nil)
        gate.open(3)
        gate.open(4)
        await loader.load()
        await loader.retry()
        #expect(loader.value == Row(id: 4))
    }

    @Test("V1 C4 a stored value never replaces a newer one that is shown")
    func neverBack() async throws {
        let api = api
        let old = StoredModel(data: Data("{\"id\":0}".utf8), date: time.value - 1)
        gate.open(1)
        let loader = Loader(reading: readings(api))
        await loader.load()
        // As another process, or a store that forgets, may leave it.
        await store.store(old, for: "GET https://api.example.com/rows/1 Row")
        let history = History { loader.value?.id }
        gate.open(2)
        await loader.refresh()
        history.catchUp()
        #expect(history.values == [1, 2])
    }

    @Test("V1 C4 a keyed loader shows what is stored of each key")
    func keyed() async throws {
        let api = api
        for number in [1, 2] { gate.open(number) }
        let loader = KeyedLoader(reading: { [store] (id: Int) in
            api.reading(Endpoint<Row>.get("rows/\(id)"), from: store)
        })
        await loader.load(1)
        await loader.load(2)
        await loader.load(1)
        #expect(loader.value == Row(id: 1))
        #expect(gate.begun == 2)
    }
}
