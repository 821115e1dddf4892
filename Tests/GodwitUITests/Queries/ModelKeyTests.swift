import Godwit
import GodwitTesting
import GodwitUI
import Testing

@Suite("V5 values with a key", .timeLimit(.minutes(15)))
@MainActor
struct ModelKeyTests {
    private let mock = MockTransport { request in
        .json(Note(id: 1, owner: request.fields[.acceptLanguage] ?? request.queryValue("signature") ?? "none"))
    }
    private let models = MemoryModelStore()

    private func store() -> QueryStore {
        let api = APIClient(baseURL: "https://api.example.com", transport: mock) {
            $0.retry.maximumAttempts = 1
            $0.cache = .off
        }
        return QueryStore(api, models: models)
    }

    private func note(in language: String) -> Endpoint<Note> {
        .note(1).header(.acceptLanguage, language).modelKey("note 1 \(language)")
    }

    private func note(signed signature: String) -> Endpoint<Note> {
        .get("notes/1", query: ["signature": signature]).modelKey("note 1")
    }

    @Test("V5 endpoints of one URL with two keys have two values, in memory and in the models")
    func two() async {
        let queries = store()
        let (german, english) = (Loader(queries, note(in: "de")), Loader(queries, note(in: "en")))
        await german.load()
        await english.load()
        #expect(german.value?.owner == "de" && english.value?.owner == "en")
        #expect(queries.value(of: note(in: "de"))?.owner == "de" && queries.value(of: .note(1)) == nil)
        let next = store()
        let (first, second) = (Loader(next, note(in: "de")), Loader(next, note(in: "en")))
        await first.load()
        await second.load()
        #expect(first.value?.owner == "de" && second.value?.owner == "en")
        #expect(mock.requests.count == 2)
    }

    @Test("V5 endpoints of two URLs with one key have one value, which is loaded from the newer URL")
    func one() async {
        let queries = store()
        let first = Loader(queries, note(signed: "a"))
        await first.load()
        let second = Loader(queries, note(signed: "b"))
        #expect(second.value?.owner == "a")
        await second.load()
        #expect(mock.requests.count == 1)
        await second.refresh()
        #expect(first.value?.owner == "b")
        let plain = QueryStore(queries.api)
        let third = Loader(plain, note(signed: "c"))
        await third.load()
        await Loader(plain, note(signed: "d")).refresh()
        #expect(third.value?.owner == "d")
    }

    @Test("V5 a key is what mutations, events and invalidations find the value by")
    func found() async {
        let queries = store()
        let loader = Loader(queries, note(in: "de"))
        let other = Loader(queries, note(in: "en"))
        await loader.load()
        await other.load()
        queries.set { $0[note(in: "de")]?.marks = [7] }
        #expect(loader.value?.marks == [7] && other.value?.marks == [])
        _ = try? await queries.mutate(.mark(2, 1)) {
            $0[note(in: "de")]?.marks = [8]
        } confirming: {
            $0[note(in: "de")] = $1
        }
        #expect(loader.value?.owner == "none" && other.value?.owner == "en")
        queries.invalidate(note(in: "de"))
        #expect(loader.isLoading && !other.isLoading)
        await until { loader.state.isLoaded }
        queries.invalidate(.note(1))
        #expect(!loader.isLoading && !other.isLoading)
    }

    @Test("V5 C4 a reading without a key of its own uses the endpoint's")
    func reading() async throws {
        let queries = store()
        await Loader(queries, note(signed: "a")).load()
        var owners: [String] = []
        for try await reading in queries.api.reading(note(signed: "z"), from: models) {
            owners.append(reading.value.owner)
        }
        #expect(owners == ["a"])
        #expect(await models.model(for: "note 1") != nil)
    }

    @Test("V5 a key makes a value with a body that is not in memory shared")
    func stream() async {
        let queries = store()
        let endpoint = Endpoint<Note>.post("notes", body: .jsonLines { AsyncStream<Int> { $0.finish() } })
        await Loader(queries, endpoint).load()
        #expect(queries.value(of: endpoint) == nil)
        await Loader(queries, endpoint.modelKey("notes by lines")).load()
        #expect(queries.value(of: endpoint.modelKey("notes by lines"))?.id == 1)
    }

    @Test("V5 an empty key is an error of each load, and nothing is sent")
    func empty() async throws {
        let queries = store()
        let loader = Loader(queries, .note(1).modelKey(""))
        await loader.load()
        #expect(loader.error?.kind == .invalidRequest(reason: "the model key is empty"))
        let list = PageLoader(queries, .cursor { .notes(after: $0).modelKey("") })
        await list.load()
        #expect(list.error?.kind == .invalidRequest(reason: "the model key is empty"))
        let readings = queries.api.reading(.note(1).modelKey(""), from: models)
        let error = await #expect(throws: NetworkError.self) { for try await _ in readings {} }
        #expect(error?.kind == .invalidRequest(reason: "the model key is empty"))
        #expect(mock.requests.isEmpty && queries.value(of: .note(1).modelKey("")) == nil)
    }
}
