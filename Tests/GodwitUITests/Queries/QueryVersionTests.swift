import Godwit
import GodwitTesting
import GodwitUI
import Testing

@Suite("V5 the version that a change expects", .timeLimit(.minutes(15)))
@MainActor
struct QueryVersionTests {
    /// What the server sends with its responses.
    struct Tags: Sendable {
        var value: String? = "\"1\""
        var change: String?
        /// Where changes of the note are redirected to.
        var redirect: String?
    }

    private let tags = Watched(Tags())
    private let mock: MockTransport
    private let queries: QueryStore

    init() {
        mock = MockTransport { [tags] request in
            let tags = tags.value
            if request.method == .patch, request.path == "/notes/1", let redirect = tags.redirect {
                return .redirect(to: redirect, status: .temporaryRedirect)
            }
            var response = MockResponse.json(Note(id: 1, owner: "ann"))
            response.fields[.etag] = request.method == .get ? tags.value : tags.change
            return response
        }
        queries = QueryStore(
            APIClient(baseURL: "https://api.example.com", transport: mock) {
                $0.retry.maximumAttempts = 1
                $0.cache = .off
            })
    }

    /// The conditions of the changes so far.
    private var conditions: [String?] {
        mock.requests.filter { $0.method == .patch && $0.path == "/notes/1" }.map { $0.fields[.ifMatch] }
    }

    /// Loads the note. No screen shows it, so that no change loads it again.
    private func load() async {
        await Loader(queries, .note(1)).load()
        for _ in 0..<10 { await Task.yield() }
    }

    /// A change of the known version.
    private func change() async throws {
        try await queries.mutate(.mark(1, 5), of: .note(1)) { $0[.note(1)]?.marks.insert(5) }
    }

    /// A change whose response has the value.
    private func replace() async throws {
        try await queries.mutate(.mark(1, 6)) {
            $0[.note(1)]?.marks.insert(6)
        } confirming: {
            $0[.note(1)] = $1
        }
    }

    @Test("V5 after a change that was confirmed without an ETag, the next one expects the known version")
    func kept() async throws {
        await load()
        try await change()
        try await queries.mutate(.mark(1, 6)) { $0[.note(1)]?.marks.insert(6) }
        try await change()
        #expect(conditions == ["\"1\"", nil, "\"1\""])
    }

    @Test("V5 the ETag of a change of the known version, and that of a value from the response, is the next condition")
    func new() async throws {
        await load()
        tags.update { $0.change = "\"2\"" }
        try await change()
        #expect(queries.etag(of: .note(1)) == "\"2\"")
        tags.update { $0.change = "\"3\"" }
        try await replace()
        try await change()
        #expect(conditions == ["\"1\"", nil, "\"3\""])
    }

    @Test("V5 the ETag of a change without a condition isn't used: that version may have changes that aren't shown")
    func unconditional() async throws {
        await load()
        tags.update { $0.change = "\"2\"" }
        try await queries.mutate(.mark(1, 6)) { $0[.note(1)]?.marks.insert(6) }
        try await change()
        #expect(conditions == [nil, "\"1\""])
    }

    @Test("V5 the ETag of a redirect's target isn't used")
    func redirected() async throws {
        await load()
        tags.update { ($0.redirect, $0.change) = ("/copies/1", "\"9\"") }
        try await change()
        #expect(queries.etag(of: .note(1)) == "\"1\"" && mock.requests.last?.path == "/copies/1")
        tags.update { $0.redirect = nil }
        try await change()
        #expect(conditions == ["\"1\"", "\"1\""])
    }

    @Test(
        "V5 with a weak ETag, and with none, a change expects only that the value exists", arguments: ["W/\"1\"", nil])
    func weak(tag: String?) async throws {
        tags.update { $0.value = tag }
        try await change()
        await load()
        #expect(queries.etag(of: .note(1)) == tag)
        try await change()
        #expect(conditions == ["*", "*"])
    }

    @Test("V5 a value from a response without an ETag is loaded again, to know its version; one with an ETag isn't")
    func reloads() async throws {
        let note = await queries.loaded(1)
        tags.update { ($0.value, $0.change) = ("\"3\"", "\"2\"") }
        try await replace()
        await note.load()
        #expect(queries.etag(of: .note(1)) == "\"2\"" && mock.requestCount == 2)
        tags.update { $0.change = nil }
        try await replace()
        await note.load()
        #expect(queries.etag(of: .note(1)) == "\"3\"")
    }
}
