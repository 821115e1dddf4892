import GodwitCore
import GodwitTesting
import TestSupport
import Testing

@Suite("C2 diagnostics of stores", .timeLimit(.minutes(15)))
struct DiagnosticsTests {
    private func sample(_ path: String, _ problem: StorageDiagnostic.Problem = .readOnly) -> StorageDiagnostic {
        StorageDiagnostic(.responses, problem, path: path, detail: "detail")
    }

    @Test("C2 a problem is reported once for each store, whatever its detail says")
    func once() {
        let diagnostics = Diagnostics()
        #expect(diagnostics.report(sample("/a")))
        #expect(!diagnostics.report(sample("/a")))
        #expect(!diagnostics.report(StorageDiagnostic(.responses, .readOnly, path: "/a", detail: "other")))
        #expect(diagnostics.report(sample("/a", .diskFull)))
        #expect(diagnostics.report(sample("/b")))
        #expect(diagnostics.recent == [sample("/a"), sample("/a", .diskFull), sample("/b")])
    }

    @Test("C2 an observer receives what was reported before it, then each report, and others do too")
    func observing() async {
        let diagnostics = Diagnostics()
        diagnostics.report(sample("/a"))
        var first = diagnostics.updates.makeAsyncIterator()
        #expect(await first.next() == sample("/a"))
        diagnostics.report(sample("/b"))
        var second = diagnostics.updates.makeAsyncIterator()
        #expect(await first.next() == sample("/b"))
        #expect(await second.next() == sample("/a"))
        #expect(await second.next() == sample("/b"))
    }

    @Test("C2 the number of diagnostics is bounded")
    func bounded() {
        let diagnostics = Diagnostics()
        for number in 0..<1000 { diagnostics.report(sample("/\(number)")) }
        #expect(diagnostics.recent.count == Diagnostics.limit)
        #expect(diagnostics.recent.last == sample("/999"))
    }

    @Test("C2 every diagnostic says in one line what happened, to what, and what follows")
    func text() {
        #expect(
            "\(sample("/a/responses.sqlite"))"
                == "the response cache /a/responses.sqlite can't be written: the file system is read-only (detail); "
                + "responses are not kept")
        for store in StorageDiagnostic.Store.allCases {
            for problem in StorageDiagnostic.Problem.allCases {
                let text = "\(StorageDiagnostic(store, problem, path: "/place"))"
                #expect(text.contains("/place") && text.contains("; ") && !text.contains("\n"))
            }
        }
    }

    @Test("K3 a cookie file that can't be written is reported once, and the jar keeps its cookies in memory")
    func cookies() throws {
        let diagnostics = Diagnostics()
        let folder = TemporaryFolder()
        let file = folder.url.appending(path: "missing/jar")
        let jar = try CookieJar(file: CookieFile(file), diagnostics: diagnostics)
        let url = try HTTPURL("https://example.com/")
        for value in ["1", "2"] {
            #expect(jar.store("a=\(value); Max-Age=3600", from: url))
            #expect(throws: NetworkError.self) { try jar.save() }
        }
        #expect(jar.cookies(for: url).map(\.value) == ["2"])
        #expect(diagnostics.recent.map(\.store) == [.cookies])
        #expect(diagnostics.recent.first?.path == file.path)
        #expect(diagnostics.recent.allSatisfy { !$0.description.contains("a=") })
    }

    @Test("K3 a cookie file under a linked folder works, and a file that is itself a link is refused")
    func linkedCookies() throws {
        let folder = TemporaryFolder()
        let manager = FileManager.default
        try manager.createDirectory(at: folder.url.appending(path: "real"), withIntermediateDirectories: false)
        try manager.createSymbolicLink(atPath: folder.url.appending(path: "link").path, withDestinationPath: "real")
        let url = try HTTPURL("https://example.com/")
        let jar = try CookieJar(file: CookieFile(folder.url.appending(path: "link/jar")))
        jar.store("a=1; Max-Age=3600", from: url)
        try jar.save()
        #expect(try folder.mode(of: "real/jar") == 0o600)
        #expect(try CookieJar(file: CookieFile(folder.url.appending(path: "real/jar"))).cookies.count == 1)

        let alias = folder.url.appending(path: "alias")
        try manager.createSymbolicLink(atPath: alias.path, withDestinationPath: "real/jar")
        #expect(throws: NetworkError.self) { try CookieJar(file: CookieFile(alias)) }
        #expect(throws: NetworkError.self) { try HARRecorder().save(to: alias) }
        #expect(throws: NetworkError.self) { try HARRecorder().save(to: URL(filePath: "/dev/null")) }
        #expect(try manager.destinationOfSymbolicLink(atPath: alias.path) == "real/jar")
    }

    @Test(
        "A2 a token file under a linked folder works; what it can't do is thrown, and reported once without the token")
    func tokens() throws {
        let folder = TemporaryFolder()
        let manager = FileManager.default
        try manager.createDirectory(at: folder.url.appending(path: "real"), withIntermediateDirectories: false)
        try manager.createSymbolicLink(atPath: folder.url.appending(path: "link").path, withDestinationPath: "real")
        let diagnostics = Diagnostics()
        let store = FileTokenStore(at: folder.url.appending(path: "link/token"), diagnostics: diagnostics)
        try store.save(AccessToken(access: "s3cret"))
        #expect(try store.load()?.access == "s3cret")
        #expect(diagnostics.recent.isEmpty)
        try Data("s3cret".utf8).write(to: folder.url.appending(path: "real/token"))
        try manager.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: folder.url.appending(path: "real/token").path)
        for _ in 0..<2 { #expect(throws: TokenStoreError.self) { try store.load() } }
        #expect(diagnostics.recent.map(\.problem) == [.damaged])
        #expect(diagnostics.recent.allSatisfy { !$0.description.contains("s3cret") })
    }

    @Test("T6 a download under a linked folder arrives, and its partial file and ticket go")
    func downloads() async throws {
        let folder = TemporaryFolder()
        let manager = FileManager.default
        try manager.createDirectory(at: folder.url.appending(path: "real"), withIntermediateDirectories: false)
        try manager.createSymbolicLink(atPath: folder.url.appending(path: "link").path, withDestinationPath: "real")
        let mock = MockTransport { $0.get("/a").reply(.text("content")) }
        let api = APIClient(baseURL: "https://example.com", transport: mock)
        let file = try await api.download(.get("a"), to: folder.url.appending(path: "link/a")).file
        #expect(file.lastPathComponent == "a")
        #expect(try folder.read("real/a") == "content")
        #expect(try manager.contentsOfDirectory(atPath: folder.url.appending(path: "real").path) == ["a"])
    }

    @Test("T6 a ticket that can't be read is reported, and the download starts over")
    func ticket() async throws {
        let folder = TemporaryFolder()
        let ticket = folder.url.appending(path: ".a.godwit-ticket")
        try FileManager.default.createSymbolicLink(atPath: ticket.path, withDestinationPath: "/etc/passwd")
        let mock = MockTransport { $0.get("/a").reply(.text("content")) }
        let api = APIClient(baseURL: "https://example.com", transport: mock)
        _ = try await api.download(.get("a"), to: folder.url.appending(path: "a")).file
        #expect(try folder.read("a") == "content")
        #expect(Diagnostics.shared.recent.contains { $0.store == .tickets && $0.path == ticket.path })
    }
}
