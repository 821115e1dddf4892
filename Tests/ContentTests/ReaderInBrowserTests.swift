#if canImport(Glibc)
import ContentAPIServer
import ContentReaderWeb
import Glibc
import Godwit
import TestSupport
import Testing

/// Asked for by `script/test --browser`, which installs the browser.
private let browser = ProcessInfo.processInfo.environment["GODWIT_TEST_BROWSER"]

@Suite("V6 The reader's page in Chromium", .enabled(if: browser != nil), .timeLimit(.minutes(15)))
@MainActor
struct ReaderInBrowserTests {
    private struct Report: Decodable {
        struct SignIn: Decodable { let refused: String, user: String }
        struct Paging: Decodable { let first: Int, rows: Int, descending: Bool }
        struct Search: Decodable { let found: [String], nothing: String }
        struct Edit: Decodable { let fault: String, row: String }
        struct Conflict: Decodable { let both: [String], mine: String, theirs: String, their: String, merged: String }
        struct Offline: Decodable { let banner: String, waiting: String, row: String, changes: String }
        struct Failing: Decodable { let message: String, after: String }
        struct Delete: Decodable { let before: Int, after: Int }
        struct Upload: Decodable { let fractions: [Double] }
        struct SignOut: Decodable { let rows: Int, detail: String, news: Int, name: String }

        let signIn: SignIn, paging: Paging, search: Search, article: String, edit: Edit, conflict: Conflict
        let offline: Offline, failing: Failing, delete: Delete, upload: Upload, signOut: SignOut, elsewhere: [String]
    }

    @Test(
        "V6 the whole story: sign-in, list, search, article, edit, conflict, offline, error, delete, upload, sign-out")
    func story() async throws {
        let report = try await told(articles: 60, "story", as: Report.self)
        #expect(report.signIn.refused == "The password is wrong." && report.signIn.user == "Ada")
        // A part that doesn't fill the window is followed by the next one; scrolling loads the rest.
        #expect(report.paging.first >= 40 && report.paging.rows == 60 && report.paging.descending)
        #expect(report.search.found == ["The last lagoon, part 3"])
        #expect(report.search.nothing == "No articles about “snow”")
        #expect(report.article.contains("by Ben") && report.article.contains("3 comments"))
        #expect(
            report.edit.fault == "must have at most 120 characters" && report.edit.row.hasPrefix("What the tide left"))
        #expect(report.conflict.both == ["Mine", "Theirs"] && report.conflict.mine == "Mine")
        #expect(report.conflict.theirs == "Theirs again")
        #expect(report.conflict.their == "Theirs, merged" && report.conflict.merged == "Theirs, merged")
        #expect(report.offline.banner.hasPrefix("You are offline."))
        #expect(report.offline.waiting.contains("1 change waits") && report.offline.row.contains("not sent yet"))
        #expect(report.offline.changes == "1 change not sent yet")
        #expect(report.failing.message == "The server has a problem. Try again later.")
        #expect(!report.failing.after.isEmpty)
        #expect(report.delete.before == 60 && report.delete.after == 59)
        #expect(report.upload.fractions.count > 5 && report.upload.fractions == report.upload.fractions.sorted())
        #expect(report.signOut.rows == 0 && report.signOut.news == 0 && report.signOut.name.isEmpty)
        #expect(report.signOut.detail == "Select an article.")
        #expect(report.elsewhere.isEmpty)
    }

    private struct Keyboard: Decodable {
        let current: String, during: String, kept: Bool, fault: String, question: String, input: String
        let failure: String, failed: Bool, picture: String
    }

    @Test("V6 by keyboard: the focus follows what opens and closes, and stays while the page changes")
    func keyboard() async throws {
        let report = try await told(articles: 57, "keyboard", as: Keyboard.self)
        #expect(report.current == "57" && report.during == "edit" && report.kept)
        #expect(report.fault == "is required")
        #expect(report.question == "Discard what you wrote?" && report.input == "Half a sentence")
        #expect(report.failure.contains("gone") && !report.failed)
        #expect(report.picture == "The picture wasn't uploaded: The file is too large.")
    }

    private struct Written: Decodable { let title: String }

    private struct Restarted: Decodable {
        let banner: String, count: String, row: String, user: String, article: String, after: String
    }

    @Test("V5 V6 an article changed offline survives kill -9; the next launch shows it offline, and sends it once")
    func killed() async throws {
        let server = try await ContentAPIServer(.signedIn)
        let folder = TemporaryFolder()
        let reader = try await ReaderProgram(server.url, folder.url, .online)
        let written = try await told("write-offline", reader.url, server, as: Written.self)
        #expect(written.title == "Kept by the outbox")
        #expect(await server.title(of: 57)?.version == 1)
        await reader.kill()
        let next = try await ReaderProgram(server.url, folder.url, .offline)
        let report = try await told("start-offline", next.url, server, as: Restarted.self)
        await next.kill()
        #expect(
            report.banner.contains("1 change waits") && report.count.hasSuffix("from before") && report.user == "Ada")
        #expect(report.row.contains("Kept by the outbox") && report.row.contains("not sent yet"))
        #expect(report.article.contains("by Ben") && report.after == "Kept by the outbox")
        // Each change raises the version by one.
        #expect(await server.title(of: 57)?.version == 2)
        await server.stop()
    }

    private func told<Value: Decodable>(articles: Int, _ story: String, as type: Value.Type) async throws -> Value {
        var options = ContentAPIServer.Options.signedIn
        options.articleCount = articles
        let server = try await ContentAPIServer(options)
        let folder = TemporaryFolder()
        let page = try await ReaderPage(baseURL: server.url, in: folder.url)
        let report = try await told(story, page.url.absoluteString, server, as: type)
        await page.stop()
        await server.stop()
        return report
    }

    private func told<Value: Decodable>(
        _ story: String, _ page: String, _ server: ContentAPIServer, as type: Value.Type
    ) async throws -> Value {
        let script = URL(filePath: #filePath).appending(path: "../../../script/browser.d/reader.py").standardized
        var line = ["/usr/bin/python3", script.path, browser ?? "", page, server.url.absoluteString, story]
        if let shots = ProcessInfo.processInfo.environment["GODWIT_SHOTS"] {
            line.append("\(shots)/reader")
            mkdir("\(shots)/reader", 0o700)
        }
        let files = TemporaryFolder()
        let shell = ["/bin/sh", "-c", #"exec "$@" >"$0/out" 2>"$0/err""#, files.url.path]
        let tools = try ChildProgram(shell + line)
        let code = await tools.end()
        let errors = try? String(contentsOf: files.url.appending(path: "err"), encoding: .utf8)
        #expect(code == 0, "\(errors ?? "")")
        return try JSONDecoder().decode(type, from: Data(contentsOf: files.url.appending(path: "out")))
    }
}
#endif
