import ContentAPIServer
import ContentReaderKit
import ContentReaderWeb
import Godwit
import GodwitUI
import TestSupport
import Testing

/// The page without a browser: actions in, states out, over a real socket.
@Suite("V6 The reader's page", .timeLimit(.minutes(15)))
@MainActor
struct ReaderPageTests {
    @Test("V6 signing in shows the user and the first articles; another part follows on demand")
    func signIn() async throws {
        try await PageClient.with { client, _, page in
            let nobody = try await client.state("account") { $0["isSignedIn"]?.isTrue == false }
            #expect(nobody["name"] == nil)
            try await client.act(["action": "signIn", "login": ["name": "ada", "password": "ebb"]])
            _ = try await client.state("account") { $0["message"]?.string == "The password is wrong." }
            try await client.signIn()
            let user = try await client.state("account") { $0.has("name") }
            #expect(user["name"]?.string == "Ada")
            let first = try await client.state("rows") { $0["rows"]?.count ?? 0 > 0 }
            #expect(first["rows"]?.count == 20 && first["keep"]?.integer == 0)
            #expect(first["rows"]?.first?["id"]?.integer == 57)
            await until { !page.reader.list.list.isLoading }
            try await client.act(["action": "loadMore"])
            // All rows to a new browser, or only those added.
            let whole = try await client.state("rows") { ($0["keep"]?.integer ?? 0) + ($0["rows"]?.count ?? 0) > 20 }
            #expect(whole["rows"]?.count == (whole["keep"]?.integer == 20 ? 20 : 40))
            #expect(page.reader.list.articles.count == 40)
        }
    }

    @Test("V6 an expired token is refreshed without the user's help; a revoked one ends the session")
    func refreshing() async throws {
        try await PageClient.with { client, server, page in
            try await client.signIn()
            server.expireAccessTokens()
            try await client.act(["action": "open", "id": 7])
            let article = try await client.state("article") { $0.has("version") }
            #expect(article["version"]?["title"]?.string == "Counting birds from the air, part 1")
            #expect(page.reader.account.isSignedIn == true)
            server.revokeTokens()
            try await client.act(["action": "reload"])
            let ended = try await client.state("account") { $0["isSignedIn"]?.isTrue == false }
            #expect(ended["hasEnded"]?.isTrue == true && page.reader.path.isEmpty)
        }
    }

    @Test("V6 without a network, a change is shown, waits, and is sent when the network returns")
    func offline() async throws {
        try await PageClient.with { client, _, page in
            try await client.signIn()
            try await client.open(57)
            try await client.act(["action": "network", "condition": "offline"])
            try await client.save("Written offline")
            let changes = try await client.state("changes") { $0["items"]?.first?["state"]?.string == "waiting" }
            #expect(changes["items"]?.first?["title"]?.string == "Written offline")
            let network = try await client.state("network") { $0["isOnline"]?.isTrue == false }
            #expect(network["condition"]?.string == "offline")
            let article = try await client.state("article") { $0.has("change") }
            #expect(article["version"]?["title"]?.string == "Written offline")
            _ = try await client.state("rows") { $0["rows"]?.first?["title"]?.string == "Written offline" }
            #expect(changes["items"]?.first?["article"]?.integer == 57)
            try await client.act(["action": "network", "condition": "online"])
            _ = try await client.state("changes") { $0["items"]?.count == 0 }
            #expect(try await page.reader.queries.api.send(.article(id: 57)).title == "Written offline")
        }
    }

    @Test("V6 a conflict shows both versions, and ends with the one that is chosen", arguments: ["mine", "theirs"])
    func conflict(_ choice: String) async throws {
        try await PageClient.with { client, server, page in
            try await client.signIn()
            try await client.open(57)
            try await client.edit()
            await server.rename(57, to: "Theirs")
            try await client.fillIn("Mine")
            let article = try await client.state("article") { $0.has("conflict") }
            #expect(article["conflict"]?["mine"]?["title"]?.string == "Mine")
            #expect(article["conflict"]?["theirs"]?["title"]?.string == "Theirs")
            #expect(article["version"]?["title"]?.string == "Theirs")
            let change = try #require(article["change"]?["id"]?.string)
            try await client.act(["action": choice == "mine" ? "resend" : "discard", "change": .string(change)])
            _ = try await client.state("article") {
                !$0.has("conflict") && $0["version"]?["title"]?.string?.lowercased() == choice
            }
            _ = try await client.state("changes") { $0["items"]?.count == 0 }
            _ = try await client.state("rows") { $0["rows"]?.first?["title"]?.string?.lowercased() == choice }
            let server = try await page.reader.queries.api.response(for: .article(id: 57))
            #expect(server.value.title.lowercased() == choice)
            // The next edit expects the version that is shown.
            #expect(page.reader.queries.etag(of: .article(id: 57)) == server.head.fields[.etag])
        }
    }

    @Test("V6 the form of a conflict has both versions")
    func merging() async throws {
        try await PageClient.with { client, server, _ in
            try await client.signIn()
            try await client.open(57)
            try await client.edit()
            await server.rename(57, to: "Theirs")
            try await client.fillIn("Mine")
            _ = try await client.state("article") { $0.has("conflict") }
            try await client.act(["action": "edit"])
            let editor = try await client.state("editor") { $0.has("theirs") }
            #expect(editor["title"]?.string == "Mine" && editor["theirs"]?["title"]?.string == "Theirs")
        }
    }

    @Test("V6 a deletion waits while the server fails, and is sent later")
    func deletion() async throws {
        try await PageClient.with { client, _, page in
            try await client.signIn()
            _ = try await client.state("rows") { $0["rows"]?.count ?? 0 > 0 }
            try await client.open(57)
            try await client.act(["action": "network", "condition": "offline"])
            try await client.act(["action": "remove"])
            let changes = try await client.state("changes") { $0["items"]?.count == 1 }
            #expect(changes["items"]?.first?["title"]?.string == "Deletion of article 57")
            #expect(page.reader.list.articles.first?.id == 56)
            try await client.act(["action": "network", "condition": "online"])
            _ = try await client.state("changes") { $0["items"]?.count == 0 }
            #expect(page.reader.list.articles.first?.id == 56)
        }
    }

    @Test("V6 signing out clears the list, the article, the news and the changes that wait")
    func signOut() async throws {
        try await PageClient.with { client, _, page in
            try await client.signIn()
            try await client.open(57)
            try await client.act(["action": "network", "condition": "offline"])
            try await client.save("Never sent")
            _ = try await client.state("changes") { $0["items"]?.count == 1 }
            await until { page.reader.form == nil }
            try await client.act(["action": "signOut"])
            let question = try await client.state("question") { $0.has("about") }
            #expect(question["about"]?.string == "changes" && question["count"]?.integer == 1)
            #expect(page.reader.account.isSignedIn == true)
            try await client.act(["action": "confirm"])
            _ = try await client.state("account") { $0["isSignedIn"]?.isTrue == false }
            await until { page.reader.list.articles.isEmpty }
            let list = try await client.state("list") { _ in true }
            #expect(list["search"]?.string?.isEmpty == true)
            _ = try await client.state("changes") { $0["items"]?.count == 0 }
            await until { page.reader.news.elements.isEmpty && page.reader.account.user.value == nil }
        }
    }

    @Test("V6 the page refuses other hosts, other origins and other tokens, and allows nothing from elsewhere")
    func security() async throws {
        try await PageClient.with { client, _, page in
            let url = page.url
            let api = APIClient(baseURL: url) { $0.retry.maximumAttempts = 1 }
            let index = try await api.response(for: Endpoint<Data>.get(""))
            #expect(index.head.fields["Content-Security-Policy"]?.contains("default-src 'none'") == true)
            for (name, value) in [("Host", "rebound.example.com"), ("Origin", "http://rebound.example.com")] {
                let host = name == "Host" ? "" : "Host: 127.0.0.1\r\n"
                let head = "GET \(url.path) HTTP/1.1\r\n\(host)\(name): \(value)\r\n\r\n"
                #expect(try await RawRequest.status(head, port: url.port) == 400, "\(name)")
            }
            let guess = APIClient(baseURL: "http://127.0.0.1:\(url.port)/guess")
            let error = await failure { _ = try await guess.send(Endpoint<Data>.get("state")) }
            #expect(error?.kind == .notFound)
            let bad = await failure { try await client.act(["action": "format"]) }
            #expect(bad?.kind == .client(status: 400))
        }
    }
}
