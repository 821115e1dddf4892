import ContentAPIServer
import ContentReaderKit
import ContentReaderWeb
import Godwit
import GodwitTesting
import GodwitUI
import TestSupport
import Testing

@Suite("The reader's screens, against the running API", .timeLimit(.minutes(15)))
@MainActor
struct ScreenTests {
    @Test("V1 P2 the list loads its first page, then the next as its end appears, and ends with the last")
    func list() async throws {
        try await TestReader.with { test in
            let list = test.reader.list.list
            await list.load()
            #expect(list.items.map(\.id) == Array((38...57).reversed()))
            list.itemAppeared(list.items[3])
            #expect(!list.isLoading)
            list.itemAppeared(list.items[19])
            await until { list.items.count == 40 }
            await list.loadMore()
            #expect(list.items.map(\.id) == Array((1...57).reversed()))
            #expect(!list.hasMore)
        }
    }

    @Test("V2 a typed text is searched for after a pause; what is found changes with the articles")
    func search() async throws {
        try await TestReader.with { test in
            let clock = TestClock()
            let screen = ArticleListScreen(test.reader.queries, clock: clock)
            for text in ["L", "La", "Lagoon"] { screen.search.text = text }
            #expect(screen.isSearching)
            try await clock.waitForSleepers()
            clock.advanceToNextSleeper()
            await until { screen.search.state.isLoaded }
            #expect(screen.articles.count == 7 && screen.nothingFound == nil)
            await test.reader.remove(screen.articles[0].id)
            await until { screen.articles.count == 6 }
            screen.search.text = "snow"
            await screen.search.submit()
            #expect(screen.nothingFound == "snow")
            screen.search.text = ""
            #expect(!screen.isSearching && screen.search.value == nil)
        }
    }

    @Test("V1 an article is read with its author and comments; a missing one shows an error")
    func article() async throws {
        try await TestReader.with { test in
            test.reader.open(42)
            let screen = try #require(test.reader.path.last)
            #expect(screen.editor() == nil)
            await screen.load()
            #expect(screen.article.value?.title == "Mudflats in winter, part 6")
            #expect(screen.author.value?.id == screen.article.value?.authorId && screen.comments.items.count == 3)
            let missing = await test.opened(4242)
            #expect(missing.article.error?.userMessage == "The article 4242 does not exist.")
            await missing.article.retry()
            #expect(missing.article.error?.kind == .notFound)
        }
    }

    @Test("V2 a new article shows the errors of its fields, and is the first of the list once they are corrected")
    func writing() async throws {
        try await TestReader.with { test in
            await test.reader.list.list.load()
            test.reader.write()
            let screen = try #require(test.reader.form)
            #expect(!screen.canSave)
            screen.save()
            #expect(!screen.saving.isRunning)
            screen.form.title = String(repeating: "x", count: 121)
            screen.form.body = "Low."
            screen.form.tagLine = " sea ,, field  notes "
            await screen.saving.run(screen.form)
            #expect(screen.faults(of: .title) == ["must have at most 120 characters"])
            #expect(screen.faults(of: .body) == [] && screen.message == nil)
            screen.form.title = "Ebb"
            let id = try #require(await screen.saving.run(screen.form))
            #expect(test.reader.list.articles.first?.tags == ["sea", "field notes"])
            #expect(test.reader.list.articles.first?.id == id)
        }
    }

    @Test("V5 a change is visible at once in the list, which keeps its rows, and keeps what the form left unchanged")
    func changing() async throws {
        try await TestReader.with { test in
            await test.reader.list.list.load()
            await test.reader.list.list.loadMore()
            let rows = test.reader.list.articles.map(\.id)
            let screen = await test.opened(57)
            let before = try #require(screen.article.value)
            await test.rename(screen, to: "Ebb")
            #expect(screen.article.value?.title == "Ebb" && test.reader.list.articles.first?.title == "Ebb")
            await test.settled()
            let saved = try await test.article(57).value
            #expect(saved.title == "Ebb" && saved.body == before.body && test.reader.changes.isEmpty)
            await test.reader.list.list.load()
            #expect(rows.count == 40 && test.reader.list.articles.map(\.id) == rows)
        }
    }

    @Test("V5 a change that the server refuses is undone, and shown with its error; it can be corrected or given up")
    func refusal() async throws {
        try await TestReader.with { test in
            let screen = await test.opened(7)
            let title = screen.article.value?.title
            await test.rename(screen, to: String(repeating: "x", count: 121))
            await test.settled()
            #expect(screen.refused?.state == .failed && screen.article.value?.title == title)
            let editor = try #require(screen.editor())
            #expect(editor.faults(of: .title) == ["must have at most 120 characters"])
            #expect(editor.form.title.count == 121)
            editor.form.title = "Ebb"
            await editor.saving.run(editor.form)
            await test.settled()
            #expect(screen.refused == nil && screen.article.value?.title == "Ebb")
            await test.rename(screen, to: String(repeating: "y", count: 121))
            await test.settled()
            await test.reader.discard(try #require(screen.refused).id)
            await until { test.reader.changes.isEmpty }
            #expect(screen.article.value?.title == "Ebb")
        }
    }

    @Test("V5 a change of an article that another user changed shows both versions", arguments: ["mine", "theirs"])
    func conflict(_ choice: String) async throws {
        try await TestReader.with { test in
            let screen = await test.opened(57)
            let editor = try #require(screen.editor())
            await test.server.rename(57, to: "theirs")
            // The form is of the former version, even if the newer one is loaded meanwhile.
            await screen.article.refresh()
            editor.form.title = "mine"
            await editor.saving.run(editor.form)
            await test.settled()
            #expect(screen.conflict?.mine.title == "mine" && screen.conflict?.theirs.title == "theirs")
            #expect(screen.article.value?.title == "theirs")
            let change = try #require(screen.refused)
            if choice == "mine" { await test.reader.retry(change.id) } else { await test.reader.discard(change.id) }
            await until { test.reader.changes.isEmpty }
            #expect(screen.conflict == nil && screen.article.value?.title == choice)
            #expect(try await test.article(57).value.title == choice)
        }
    }

    @Test("V5 both versions can be merged: the form has what only one of them changed")
    func merging() async throws {
        try await TestReader.with { test in
            let screen = await test.opened(57)
            let editor = try #require(screen.editor())
            await test.server.rename(57, to: "Theirs")
            editor.form.body = "Mine."
            await editor.saving.run(editor.form)
            await test.settled()
            let merge = try #require(screen.editor())
            #expect(merge.isMerging && merge.form.title == "Theirs" && merge.form.body == "Mine.")
            merge.form.title += " and mine"
            await merge.saving.run(merge.form)
            await test.settled()
            let merged = try await test.article(57).value
            #expect(merged.title == "Theirs and mine" && merged.body == "Mine." && test.reader.changes.isEmpty)
        }
    }

    @Test("V5 a removed article is gone at once, and is back if the user gives the removal up")
    func removal() async throws {
        try await TestReader.with { test in
            await test.reader.list.list.load()
            test.network.condition = .offline
            await test.reader.remove(57)
            await until { test.reader.list.articles.first?.id == 56 }
            await test.reader.discard(try #require(test.reader.changes.first).id)
            await until { test.reader.list.articles.first?.id == 57 }
            await test.reader.remove(57)
            test.network.condition = .online
            await until { test.reader.list.articles.first?.id == 56 && test.reader.changes.isEmpty }
            #expect(await test.failure(reading: 57)?.kind == .notFound)
        }
    }

    @Test(
        "V5 without a network, the next launch shows the user, the list, the article and the change, and sends it later"
    )
    func coldStart() async throws {
        try await TestReader.with { test in
            await test.reader.list.list.load()
            var screen = await test.opened(57)
            test.network.condition = .offline
            await test.rename(screen, to: "Written offline")
            let next = try await test.relaunched(.offline)
            let list = next.reader.list.list
            await list.load()
            #expect(list.items.count == 20 && list.isStale && next.reader.list.articles.first?.id == 57)
            await until { next.reader.outbox != nil }
            #expect(next.reader.account.user.value?.name == "Ada")
            screen = await next.opened(57)
            #expect(screen.article.value?.title == "Written offline" && !screen.comments.items.isEmpty)
            #expect(next.reader.list.articles.first?.title == "Written offline")
            next.network.condition = .online
            await next.settled()
            let article = try await next.article(57)
            #expect(article.value.title == "Written offline" && article.head.fields[.etag] == "\"57-2\"")
            await next.stop()
        }
    }

    @Test("V5 signing out removes the values and the changes, also from the disk")
    func signOut() async throws {
        try await TestReader.with { test in
            await test.reader.list.list.load()
            let screen = await test.opened(57)
            test.network.condition = .offline
            await test.rename(screen, to: "Never sent")
            test.reader.edit()
            #expect(test.reader.form != nil)
            await test.reader.account.signingOut.run()
            await until { test.reader.path.isEmpty && test.reader.form == nil }
            #expect(test.reader.list.articles.isEmpty && screen.article.value == nil && test.reader.changes.isEmpty)
            let next = try await test.relaunched(.online)
            await next.reader.list.list.load()
            #expect(next.reader.list.articles.isEmpty && next.reader.list.list.error?.kind == .unauthorized)
            await next.reader.account.signingIn.run(Login(name: "ada", password: "tides"))
            await until { next.reader.outbox != nil }
            #expect(next.reader.changes.isEmpty)
            #expect(try await next.article(57).value.title != "Never sent")
            await next.stop()
        }
    }

    @Test("V1 a screen without its server keeps its content and shows a message")
    func unreachable() async throws {
        let mock = MockTransport { $0.any("*").fail(.offline(.noPath)) }
        let api = APIClient(baseURL: "https://reader.test", transport: mock, preset: .content) {
            $0.retry.maximumAttempts = 1
        }
        let screen = ArticleListScreen(QueryStore(api))
        await screen.list.load()
        #expect(screen.list.error?.userMessage == "You appear to be offline. Check the connection and try again.")
        #expect(screen.list.hasMore)
    }
}
