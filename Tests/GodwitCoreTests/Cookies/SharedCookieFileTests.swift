import GodwitCore
import GodwitSupport
import TestSupport
import Testing

@Suite("A9 K3 a cookie file that several processes use")
struct SharedCookieFileTests {
    private let folder: TemporaryFolder
    private let url: HTTPURL

    init() throws {
        folder = TemporaryFolder()
        url = try HTTPURL("https://www.example.com/")
    }

    private func jar(keepsSessionCookies: Bool = true) throws(NetworkError) -> CookieJar {
        try CookieJar(
            file: CookieFile(folder.url.appending(path: "cookies.json"), keepsSessionCookies: keepsSessionCookies),
            suffixes: OnlyTopLevel())
    }

    private func values(_ jar: CookieJar) -> [String: String] {
        Dictionary(jar.cookies.map { ($0.name, $0.value) }) { first, _ in first }
    }

    @Test("A9 jars that were read before either wrote keep the cookies of both")
    func both() throws {
        let (first, second) = (try jar(), try jar())
        first.store("a=1", from: url)
        try first.save()
        second.store("b=2", from: url)
        try second.save()
        #expect(try values(jar()) == ["a": "1", "b": "2"])
        #expect(values(second) == ["a": "1", "b": "2"])
        #expect(try folder.names == ["cookies.json"])
    }

    @Test("A9 a jar that never touched a cookie doesn't write its old value, nor what was deleted")
    func untouched() throws {
        let start = try jar()
        for cookie in ["sid=old", "gone=1"] { start.store(cookie, from: url) }
        try start.save()
        let (slow, quick) = (try jar(), try jar())
        quick.store("sid=new", from: url)
        quick.store("gone=; Max-Age=0", from: url)
        try quick.save()
        _ = slow.cookies(for: url)
        slow.store("theme=dark", from: url)
        try slow.save()
        #expect(try values(jar()) == ["sid": "new", "theme": "dark"])
        #expect(values(slow) == ["sid": "new", "theme": "dark"])
    }

    @Test("A9 what a jar deletes is deleted, also if another process has set it again")
    func deleted() throws {
        let start = try jar()
        start.store("a=1", from: url)
        try start.save()
        let (deleting, setting) = (try jar(), try jar())
        setting.store("a=2", from: url)
        try setting.save()
        deleting.delete(try #require(deleting.cookies.first))
        try deleting.save()
        #expect(try values(jar()) == [:])
    }

    @Test("A9 clear and delete(domain:) also remove what only the file has", arguments: [false, true])
    func cleared(byDomain: Bool) throws {
        let clearing = try jar()
        let other = try jar()
        other.store("a=1", from: url)
        try other.save()
        if byDomain { clearing.delete(domain: "example.com") } else { clearing.clear() }
        clearing.store("b=2", from: url)
        try clearing.save()
        #expect(try values(jar()) == ["b": "2"])
    }

    @Test("A9 cookies that aren't kept in the file stay in the jar after a write")
    func sessionCookies() throws {
        let (first, second) = (try jar(keepsSessionCookies: false), try jar(keepsSessionCookies: false))
        second.store("b=2; Max-Age=60", from: url)
        try second.save()
        first.store("session=1", from: url)
        first.store("a=1; Max-Age=60", from: url)
        try first.save()
        #expect(values(first) == ["session": "1", "a": "1", "b": "2"])
        #expect(try values(jar()) == ["a": "1", "b": "2"])
        // Written once, it isn't this jar's change anymore.
        second.store("a=2; Max-Age=60", from: url)
        try second.save()
        first.store("c=3; Max-Age=60", from: url)
        try first.save()
        #expect(try values(jar()) == ["a": "2", "b": "2", "c": "3"])
    }

    @Test("A9 without the lock nothing is written, and a later save writes it")
    func locked() throws {
        let file = folder.url.appending(path: "cookies.json")
        let held = try FileLock(of: file.path).take()
        let private0600 = PrivateFile(file, allowsSharedFolder: false, patience: .zero)
        let error = #expect(throws: NetworkError.self) { try private0600.change { $0 = Data("x".utf8) } }
        #expect(
            error?.kind
                == .file(reason: "cookies.json is in use by process \(ProcessInfo.processInfo.processIdentifier)"))
        #expect(try folder.names == ["cookies.json.lock"])
        held.release()
        try private0600.change { $0 = Data("x".utf8) }
        #expect(try folder.read("cookies.json") == "x")
        #expect(try folder.names == ["cookies.json"])
    }
}
