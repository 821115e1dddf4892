import ContentAPIServer
import ContentReaderKit
import ContentReaderWeb
import Godwit
import GodwitUI
import TestSupport
import Testing

/// What the page must not lose, nor send twice.
@Suite("V6 The reader's page in trouble", .timeLimit(.minutes(15)))
@MainActor
struct PageTroubleTests {
    @Test("V6 a picture that is too large is refused, not cut off; a smaller one is the user's")
    func largePicture() async throws {
        try await PageClient.with { client, _, page in
            try await client.signIn()
            await until { page.reader.account.avatar != nil }
            let error = await failure { try await client.upload(Data(count: (8 << 20) + 1)) }
            #expect(error?.kind == .client(status: 413) && page.reader.account.avatar?.isRunning == false)
            try await client.upload(Data(count: 40_000))
            let account = try await client.state("account") { $0["upload"]?.has("bytes") == true }
            #expect(account["upload"]?["bytes"]?.integer == 40_000)
            try await client.act(["action": "signOut"])
            let after = try await client.state("account") { $0["isSignedIn"]?.isTrue == false }
            #expect(after["upload"]?.has("bytes") == false)
        }
    }

    @Test(
        "V6 a form that was changed is left only after a question, and keeps what was written",
        arguments: ["open", "close", "create", "edit", "cancel", "signOut"])
    func question(_ action: String) async throws {
        try await PageClient.with { client, _, page in
            try await client.signIn()
            try await client.open(57)
            try await client.edit()
            let input: JSONValue = ["title": "Half a sentence", "body": "Low.", "tagLine": "sea"]
            try await client.act(["action": "input", "form": input])
            try await client.act(["action": .string(action), "id": 56])
            _ = try await client.state("question") { $0["about"]?.string == "form" }
            // A page that is loaded again has the input.
            let editor = try await client.state("editor") { $0.has("number") }
            #expect(editor["title"]?.string == "Half a sentence")
            try await client.act(["action": "stay"])
            #expect(page.reader.form?.form.title == "Half a sentence" && page.reader.path.last?.id == 57)
            try await client.act(["action": .string(action), "id": 56])
            try await client.act(["action": "confirm"])
            await until { page.reader.form?.form.title != "Half a sentence" }
        }
    }

    @Test("V6 a form without changes is left without a question")
    func noQuestion() async throws {
        try await PageClient.with { client, _, page in
            try await client.signIn()
            try await client.open(57)
            try await client.edit()
            try await client.act(["action": "open", "id": 56])
            #expect(page.reader.form == nil && page.reader.path.last?.id == 56)
        }
    }

    @Test("V6 of a list, only the rows that change are sent: between those that stay before and after them")
    func rows() async throws {
        try await PageClient.with { client, server, page in
            try await client.signIn()
            // While the first articles are being loaded, more of them would be the same ones.
            await until { page.reader.list.articles.count == 20 && !page.reader.list.list.isLoading }
            try await client.act(["action": "loadMore"])
            await until { page.reader.list.articles.count == 40 }
            await until { page.reader.news.isOpen }
            var isRenamed = false
            for try await part in client.parts() where part.name == "rows" {
                if isRenamed {
                    #expect(part.value["keep"]?.integer == 10 && part.value["tail"]?.integer == 29)
                    #expect(part.value["rows"]?.count == 1)
                    #expect(part.value["rows"]?.first?["title"]?.string == "Renamed by another user")
                    break
                }
                #expect(part.value["rows"]?.count == 40)
                isRenamed = true
                await server.rename(47, to: "Renamed by another user")
            }
        }
    }

    @Test("V6 a change that waits is not a reason to send the list again")
    func waiting() async throws {
        try await PageClient.with { client, _, page in
            try await client.signIn()
            try await client.open(57)
            try await client.act(["action": "network", "condition": "offline"])
            var isSaved = false
            var names: [String] = []
            for try await part in client.parts() {
                if isSaved { names.append(part.name) }
                if isSaved, part.name == "changes", part.value["items"]?.count == 1 { break }
                // The last part of the whole state.
                guard part.name == "editor", !isSaved else { continue }
                isSaved = true
                try await client.act(["action": "remove"])
            }
            #expect(!names.contains("list") && !names.contains("account") && !names.contains("editor"))
        }
    }

    @Test("V6 what another user does is shown without a reload: a title, a new article, a comment, a deletion")
    func news() async throws {
        try await PageClient.with { client, server, page in
            try await client.signIn()
            try await client.open(57)
            await until { page.reader.news.isOpen && page.reader.list.articles.count == 20 }
            await until { page.reader.path.last?.comments.items.count == 3 }
            await server.rename(57, to: "Theirs")
            await until { page.reader.path.last?.article.value?.title == "Theirs" }
            await until { page.reader.list.articles.first?.title == "Theirs" }
            let other = try await PageClient.anotherUser(server)
            let draft = ArticleDraft(title: "New", body: "Low.", authorId: 2)
            #expect(try await other.send(.create(draft)).id == 58)
            await until { page.reader.list.articles.first?.id == 58 }
            let comment: JSONValue = ["author_id": 2, "text": "Fourth"]
            try await other.send(Endpoint<Void>.post("articles/57/comments", body: .json(comment)))
            await until { page.reader.path.last?.comments.items.last?.text == "Fourth" }
            try await other.send(.delete(id: 57))
            await until { page.reader.path.last?.article.error?.kind == .notFound }
            #expect(page.reader.list.articles.prefix(2).map(\.id) == [58, 56])
        }
    }

    @Test("V6 comments beyond the first page are loaded on demand, and the page says that there are more")
    func comments() async throws {
        try await PageClient.with { client, server, page in
            let other = try await PageClient.anotherUser(server)
            for number in 1...20 {
                let comment: JSONValue = ["author_id": 2, "text": .string("Comment \(number)")]
                try await other.send(Endpoint<Void>.post("articles/57/comments", body: .json(comment)))
            }
            try await client.signIn()
            try await client.open(57)
            let some = try await client.state("article") { $0["comments"]?["items"]?.count == 20 }
            #expect(some["comments"]?["hasMore"]?.isTrue == true)
            try await client.act(["action": "moreComments"])
            let all = try await client.state("article") { $0["comments"]?["items"]?.count == 23 }
            #expect(all["comments"]?["hasMore"]?.isTrue == false)
        }
    }

    @Test("V6 an article of the list opens without a network, but can't be edited before it was loaded")
    func listedArticle() async throws {
        try await PageClient.with { client, _, page in
            try await client.signIn()
            await until { page.reader.list.articles.count == 20 }
            try await client.act(["action": "network", "condition": "offline"])
            try await client.act(["action": "open", "id": 50])
            let article = try await client.state("article") { $0.has("error") && $0["comments"]?.has("error") == true }
            #expect(article["version"]?["title"]?.string == "Mudflats in winter, part 7")
            #expect(article["canEdit"]?.isTrue == false)
        }
    }

    @Test("V6 a deleted article is shown as being deleted, and can be kept")
    func removed() async throws {
        try await PageClient.with { client, _, page in
            try await client.signIn()
            try await client.open(57)
            try await client.act(["action": "network", "condition": "offline"])
            try await client.act(["action": "remove"])
            await until { page.reader.path.isEmpty }
            try await client.act(["action": "open", "id": 57])
            let article = try await client.state("article") { $0["isRemoved"]?.isTrue == true }
            let change = try #require(article["change"]?["id"]?.string)
            #expect(article["change"]?["isDeletion"]?.isTrue == true)
            try await client.act(["action": "discard", "change": .string(change)])
            _ = try await client.state("article") { $0["isRemoved"]?.isTrue == false && $0.has("version") }
        }
    }

    @Test("V6 a reloaded article is shown in the list")
    func reloaded() async throws {
        try await PageClient.with { client, server, page in
            try await client.signIn()
            await until { page.reader.list.articles.count == 20 && page.reader.news.isOpen }
            try await client.open(57)
            page.reader.news.stop()
            await server.rename(57, to: "Theirs")
            try await client.act(["action": "reload"])
            await until { page.reader.list.articles.first?.title == "Theirs" }
        }
    }

    @Test("V6 the feed reconnects after the server's 503, and lets the user connect again when it has ended")
    func feed() async throws {
        try await PageClient.with { client, server, page in
            try await client.signIn()
            await until { page.reader.news.isOpen }
            page.reader.news.stop()
            try await client.act(["action": "network", "condition": "failing"])
            try await client.act(["action": "listen"])
            let waiting = try await client.state("news") { $0["state"]?.string == "waiting" }
            #expect(waiting.has("error") == false)
            page.network.condition = .online
            await until { page.reader.news.isOpen }
        }
    }

    @Test("V6 the focus of the page is that of the store")
    func focus() async throws {
        try await PageClient.with { client, _, page in
            try await client.act(["action": "focus", "isVisible": false])
            #expect(!page.reader.queries.hasFocus)
            try await client.act(["action": "focus", "isVisible": true])
            #expect(page.reader.queries.hasFocus)
        }
    }
}

extension PageClient {
    /// A client of the API in which ben is signed in.
    static func anotherUser(_ server: ContentAPIServer) async throws -> APIClient {
        let api = APIClient(baseURL: server.url, preset: .reader(tokens: MemoryTokenStore()))
        try await api.signIn(api.send(.signIn(Login(name: "ben", password: "tides"))).token)
        return api
    }
}
