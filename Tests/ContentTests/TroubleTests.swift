import ContentAPIServer
import ContentReaderKit
import ContentReaderWeb
import Godwit
import GodwitTesting
import GodwitUI
import Synchronization
import TestSupport
import Testing

/// What a person notices only when something fails at the wrong moment.
@Suite("V5 V6 The reader in trouble", .timeLimit(.minutes(15)))
@MainActor
struct TroubleTests {
    @Test("V5 without an outbox a change says why it isn't kept; the outbox opens by itself once the user is known")
    func withoutOutbox() async throws {
        let server = try await ContentAPIServer(.signedIn)
        let (fault, clock) = (Fault(.get, "/v1/me", .before), TestClock())
        let test = try TestReader(server, TemporaryFolder(), [fault], clock: clock)
        await test.reader.account.signingIn.run(Login(name: "ada", password: "tides"))
        let screen = await test.opened(57)
        #expect(test.reader.outbox == nil)
        await screen.remove()
        #expect(test.reader.failure?.kind == .server(status: 503) && test.reader.path.count == 1)
        let editor = try #require(screen.editor())
        editor.form.title = "Kept"
        #expect(await editor.saving.run(editor.form) == nil)
        #expect(editor.message != nil)
        fault.end()
        try await clock.waitForSleepers()
        clock.advanceToNextSleeper()
        await until { test.reader.outbox != nil }
        #expect(test.reader.failure == nil)
        #expect(await editor.saving.run(editor.form) == 57)
        await test.settled()
        #expect(try await test.article(57).value.title == "Kept")
        await test.stop()
        await server.stop()
    }

    @Test("V5 an edit whose response was lost is not a conflict of the user with himself", arguments: [true, false])
    func lostEdit(_ knowsKeys: Bool) async throws {
        let fault = Fault(.patch, "/v1/articles/57", .after)
        try await TestReader.with(knowsKeys ? [fault] : [fault, WithoutKeys()]) { test in
            let screen = await test.opened(57)
            await test.rename(screen, to: "Once")
            await until { test.reader.changes.first?.error != nil }
            fault.end()
            await test.reader.outbox?.sendNow()
            await until { test.reader.changes.isEmpty }
            #expect(await test.server.title(of: 57)?.version == 2)
            #expect(screen.article.value?.title == "Once" && screen.conflict == nil)
        }
    }

    @Test("V5 a new article whose response was lost is created once; what was written since then follows")
    func lostCreation() async throws {
        let fault = Fault(.post, "/v1/articles", .after)
        try await TestReader.with([fault]) { test in
            await test.reader.list.list.load()
            test.reader.write()
            let form = try #require(test.reader.form)
            (form.form.title, form.form.body) = ("Once", "Low.")
            #expect(await form.saving.run(form.form) == nil)
            fault.end()
            form.form.title = "Once and for all"
            let id = try #require(await form.saving.run(form.form))
            await test.settled()
            let all = try await test.reader.queries.api.send(.articles())
            #expect(id == 58 && all.total == 58)
            #expect(try await test.article(58).value.title == "Once and for all")
        }
    }

    @Test("V5 a correction whose refused change is gone is added as a change of its own")
    func correctionOfNothing() async throws {
        try await TestReader.with { test in
            let screen = await test.opened(57)
            await test.rename(screen, to: String(repeating: "x", count: 121))
            await test.settled()
            let editor = try #require(screen.editor())
            await test.reader.discard(try #require(screen.refused).id)
            editor.form.title = "Corrected"
            await editor.saving.run(editor.form)
            await test.settled()
            #expect(try await test.article(57).value.title == "Corrected")
        }
    }

    @Test("V5 deleting an article takes the place of its refused edit")
    func deletionAfterRefusal() async throws {
        try await TestReader.with { test in
            let screen = await test.opened(57)
            await test.rename(screen, to: String(repeating: "x", count: 121))
            await test.settled()
            await screen.remove()
            #expect(test.reader.path.isEmpty)
            await until { test.reader.changes.isEmpty }
            #expect(await test.failure(reading: 57)?.kind == .notFound)
        }
    }

    @Test("V5 a form changes only what the user touched: not a tag with a comma, nor line ends")
    func untouched() async throws {
        try await TestReader.with { test in
            var change = ArticleChange()
            (change.tags, change.body) = (.value(["sea, and sky"]), .value("One.\r\nTwo."))
            let saved = try await test.reader.queries.api.send(.change(id: 57, change))
            let screen = await test.opened(57)
            await test.rename(screen, to: "Ebb")
            #expect(screen.article.value?.tags == saved.tags && screen.article.value?.body == saved.body)
            await test.settled()
            let after = try await test.article(57).value
            #expect(after.title == "Ebb" && after.tags == ["sea, and sky"] && after.body == "One.\r\nTwo.")
        }
    }

    @Test("V5 a session that ends keeps its reason, and the form for the same user, but not for another one")
    func endedSession() async throws {
        try await TestReader.with { test in
            let screen = await test.opened(57)
            test.reader.edit()
            test.reader.form?.form.title = "Half a sentence"
            test.server.revokeTokens()
            await screen.article.refresh()
            await until { test.reader.account.isSignedIn == false }
            #expect(test.reader.account.ending != nil && test.reader.path.isEmpty && !test.reader.showsForm)
            await test.reader.account.signingIn.run(Login(name: "ada", password: "tides"))
            await until { test.reader.showsForm }
            #expect(test.reader.form?.form.title == "Half a sentence" && test.reader.account.ending == nil)
            test.server.revokeTokens()
            await test.reader.account.user.refresh()
            await until { test.reader.account.isSignedIn == false }
            await test.reader.account.signingIn.run(Login(name: "ben", password: "tides"))
            await until { test.reader.account.avatar != nil }
            #expect(test.reader.form == nil)
        }
    }

    @Test("V6 a token that can't be read is a failure with another attempt, not an empty app")
    func unreadableToken() async throws {
        let server = try await ContentAPIServer(.signedIn)
        let folder = TemporaryFolder()
        let tokens = BrokenTokens()
        let folders = Reader.Folders(caches: folder.url, changes: folder.url.appending(path: "outbox"))
        let reader = try Reader(baseURL: server.url, tokens: tokens, in: folders)
        await until { reader.failure != nil }
        #expect(reader.account.isSignedIn == nil)
        tokens.mend()
        await reader.readAccount()
        await until { reader.account.isSignedIn == false }
        #expect(reader.failure == nil)
        await reader.stop()
        await server.stop()
    }

    @Test("V5 the password stays if the sign-in fails; the form of a sign-in is empty after it")
    func password() async throws {
        let server = try await ContentAPIServer(.signedIn)
        let test = try TestReader(server, TemporaryFolder())
        test.reader.account.login = Login(name: "ada", password: "ebb")
        test.reader.account.signIn()
        await until { test.reader.account.signingIn.error != nil }
        #expect(test.reader.account.login.password == "ebb" && test.reader.account.faults.map(\.field) == ["password"])
        test.reader.account.login.password = "tides"
        test.reader.account.signIn()
        await until { test.reader.account.isSignedIn == true }
        #expect(test.reader.account.login.password.isEmpty)
        await test.stop()
        await server.stop()
    }

    @Test("V5 a title of spaces is reported when the form is saved")
    func blankTitle() async throws {
        try await TestReader.with { test in
            test.reader.write()
            let form = try #require(test.reader.form)
            (form.form.title, form.form.body) = ("  ", "Low.")
            #expect(form.missing.isEmpty)
            form.save()
            #expect(form.missing == [.title] && !form.saving.isRunning)
            form.form.title = "Ebb"
            #expect(form.missing.isEmpty && form.canSave)
        }
    }

    @Test("V2 a search for spaces shows the list")
    func blankSearch() async throws {
        try await TestReader.with { test in
            await test.reader.list.list.load()
            test.reader.list.search.text = "  "
            #expect(test.reader.list.articles.count == 20 && test.reader.list.nothingFound == nil)
        }
    }

    @Test("V6 a reader that was stopped is released, with the screens that were open")
    func released() async throws {
        let server = try await ContentAPIServer(.signedIn)
        weak var reader: Reader?
        do {
            let test = try TestReader(server, TemporaryFolder())
            reader = test.reader
            await test.reader.account.signingIn.run(Login(name: "ada", password: "tides"))
            _ = await test.opened(57)
            await test.stop()
        }
        await server.stop()
        // The last tasks end on this actor.
        for _ in 0..<1000 where reader != nil { await Task.yield() }
        #expect(reader == nil)
    }
}

/// Fails a request until it ends, before or after the server has it.
private final class Fault: Middleware {
    enum Moment { case before, after }

    private let (method, path, moment): (HTTPMethod, String, Moment)
    private let isOn = Mutex(true)

    init(_ method: HTTPMethod, _ path: String, _ moment: Moment) {
        (self.method, self.path, self.moment) = (method, path, moment)
    }

    func end() { isOn.withLock { $0 = false } }

    func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        guard call.request.method == method, call.request.url.path == path, isOn.withLock(\.self) else {
            return try await next(call)
        }
        if moment == .after { _ = try await next(call) }
        throw NetworkError(.server(status: 503), phase: .validating, request: call.request)
    }
}

/// Makes the server one that doesn't support `Idempotency-Key`.
private struct WithoutKeys: Middleware {
    func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        var call = call
        call.request.fields["Idempotency-Key"] = nil
        return try await next(call)
    }
}

/// A token store whose file can't be read at first.
private final class BrokenTokens: TokenStore {
    private let isBroken = Mutex(true)

    func mend() { isBroken.withLock { $0 = false } }

    func load() async throws(TokenStoreError) -> AccessToken? {
        if isBroken.withLock(\.self) { throw .damaged(path: "token.json") }
        return nil
    }

    func save(_ token: AccessToken) async throws(TokenStoreError) {}

    func clear() async throws(TokenStoreError) {}
}
