import ContentAPIServer
import ContentReaderKit
import Godwit
import GodwitTesting
import GodwitUI
import Observation
import Testing

@Suite("The reader's screens, against the running API", .timeLimit(.minutes(1)))
@MainActor
struct ScreenTests {
    private func withAPI(_ test: (APIClient) async throws -> Void) async throws {
        let server = try await ContentAPIServer()
        try await test(APIClient(baseURL: server.url, preset: .content))
        await server.stop()
    }

    /// Waits until the condition holds, as its observation tells.
    private func until(_ condition: @MainActor () -> Bool) async {
        while true {
            let (changes, tell) = AsyncStream.makeStream(of: Void.self)
            if withObservationTracking(condition, onChange: { tell.yield() }) { return }
            for await _ in changes { break }
        }
    }

    @Test("V1 P2 the list loads its first page, then the next as its end appears, and ends with the last")
    func list() async throws {
        try await withAPI { api in
            let screen = ArticleListScreen(api, edits: ArticleEdits(api))
            await screen.list.load()
            #expect(screen.list.items.map(\.id) == Array((38...57).reversed()))
            screen.list.itemAppeared(screen.list.items[3])
            #expect(!screen.list.isLoading)
            screen.list.itemAppeared(screen.list.items[19])
            await until { screen.list.items.count == 40 }
            await screen.list.loadMore()
            #expect(screen.list.items.map(\.id) == Array((1...57).reversed()))
            #expect(!screen.list.hasMore)
            await screen.list.refresh()
            #expect(screen.list.items.count == 20)
        }
    }

    @Test("V2 a typed text is searched for after a pause")
    func search() async throws {
        try await withAPI { api in
            let clock = TestClock()
            let screen = ArticleListScreen(api, edits: ArticleEdits(api), clock: clock)
            for text in ["L", "La", "Lagoon"] { screen.search.text = text }
            #expect(screen.isSearching)
            try await clock.waitForSleepers()
            clock.advanceToNextSleeper()
            await until { screen.search.state.isLoaded }
            #expect(screen.search.value?.count == 7)
            #expect(screen.searchMessage == nil)
            screen.search.text = "snow"
            await screen.search.submit()
            #expect(screen.searchMessage == "No articles about “snow”")
            screen.search.text = ""
            #expect(!screen.isSearching)
            #expect(screen.search.value == nil)
        }
    }

    @Test("V1 an article is read with its author and comments, and removed once")
    func article() async throws {
        try await withAPI { api in
            let screen = ArticleScreen(api, id: 42, edits: ArticleEdits(api))
            #expect(screen.editor() == nil)
            await screen.reading.load()
            #expect(screen.reading.value?.article.title == "Mudflats in winter, part 6")
            #expect(screen.reading.value?.comments.count == 3)
            screen.removal.start()
            screen.removal.start()
            await until { !screen.removal.isRunning }
            #expect(screen.isRemoved)
            await screen.reading.refresh()
            #expect(screen.reading.error?.kind == .notFound)
            #expect(screen.reading.value?.article.id == 42)
        }
    }

    @Test("V1 a missing article shows an error, and can be retried")
    func missing() async throws {
        try await withAPI { api in
            let screen = ArticleScreen(api, id: 4242, edits: ArticleEdits(api))
            await screen.reading.load()
            #expect(screen.reading.error?.userMessage == "The article 4242 does not exist.")
            await screen.reading.retry()
            #expect(screen.reading.error?.kind == .notFound)
        }
    }

    @Test("V2 a new article shows the errors of its fields, and is saved once they are corrected")
    func writing() async throws {
        try await withAPI { api in
            let screen = EditorScreen(api, authorId: 1)
            #expect(!screen.canSave)
            screen.save()
            #expect(!screen.saving.isRunning)
            screen.form.title = String(repeating: "x", count: 121)
            screen.form.body = "Low."
            screen.form.tagLine = " sea ,, field  notes "
            screen.save()
            #expect(!screen.canSave)
            await until { !screen.saving.isRunning }
            #expect(screen.faults(of: "title") == ["must have at most 120 characters"])
            #expect(screen.faults(of: "body") == [])
            #expect(screen.message == nil)
            screen.form.title = "Ebb"
            screen.save()
            await until { !screen.saving.isRunning }
            #expect(screen.saved?.title == "Ebb")
            #expect(screen.saved?.tags == ["sea", "field notes"])
            #expect(screen.faults(of: "title") == [])
        }
    }

    @Test("V2 an article is changed, unless it was changed since it was read")
    func changing() async throws {
        try await withAPI { api in
            let article = ArticleScreen(api, id: 7, edits: ArticleEdits(api))
            await article.reading.load()
            let screen = try #require(article.editor())
            let late = try #require(article.editor())
            screen.form.title = "Eleven"
            await screen.saving.run(screen.form)
            #expect(screen.saved?.title == "Eleven")
            #expect(screen.saved?.tags == article.reading.value?.article.tags)
            late.form.tagLine = "other"
            await late.saving.run(late.form)
            #expect(late.saved == nil)
            #expect(late.message == "Somebody else has changed this article.")
            #expect(late.conflict?.mine.form.tags == ["other"])
            #expect(late.conflict?.theirs.title == "Eleven")
            #expect(article.article?.title == "Eleven")
            await article.resolve(.mine)
            #expect(article.conflict == nil)
            #expect(article.reading.value?.article.tags == ["other"])
            #expect(article.reading.value?.article.title != "Eleven")
        }
    }

    @Test("V1 a screen without its server keeps its content and shows a message")
    func unreachable() async throws {
        let mock = MockTransport { $0.any("*").fail(.offline(.noPath)) }
        let api = APIClient(baseURL: "https://reader.test", transport: mock, preset: .content) {
            $0.retry.maximumAttempts = 1
        }
        let screen = ArticleListScreen(api, edits: ArticleEdits(api))
        await screen.list.load()
        #expect(screen.list.error?.userMessage == "You appear to be offline. Check the connection and try again.")
        #expect(screen.list.hasMore)
    }
}
