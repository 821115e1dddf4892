import GodwitCore
import TestSupport
import Testing

@Suite("K3 the jar's file")
struct CookieFileTests {
    private let folder: TemporaryFolder
    private let url: HTTPURL

    init() throws {
        folder = TemporaryFolder()
        url = try HTTPURL("https://www.example.com/a/b")
    }

    private func jar() throws(NetworkError) -> CookieJar {
        try CookieJar(file: CookieFile(folder.file), suffixes: OnlyTopLevel())
    }

    @Test("K3 a missing file means an empty jar; it is written once there is a persistent cookie")
    func missing() throws {
        let jar = try jar()
        jar.store("a=1", from: url)
        try jar.save()
        #expect(jar.cookies.count == 1)
        #expect(try folder.names.isEmpty)
    }

    @Test("K3 persistent cookies are restored, session cookies aren't")
    func roundTrip() throws {
        let first = try jar()
        first.store("a=\"1\" é; Max-Age=60; Path=/; Domain=example.com; Secure; HttpOnly; SameSite=Strict", from: url)
        first.store("session=1; Path=/", from: url)
        first.store("b=2; Max-Age=60", from: url)
        try first.save()
        let second = try jar()
        #expect(second.cookies.map(\.name) == ["a", "b"])
        let (before, after) = (try #require(first.cookies.first), try #require(second.cookies.first))
        #expect(after.value == "\"1\" é")
        #expect(after.domain == "example.com")
        #expect(!after.isHostOnly && after.isSecure && after.isHTTPOnly)
        #expect(after.sameSite == .strict)
        #expect(abs(after.created.timeIntervalSince(before.created)) < 0.001)
        #expect(abs((after.expires ?? .distantPast).timeIntervalSince(before.expires ?? .distantFuture)) < 0.001)
        #expect(second.cookies.last?.path == "/a")
    }

    @Test("K3 the file has mode 0600 and leaves no other files, however often it is written")
    func mode() throws {
        let jar = try jar()
        for index in 0..<3 {
            jar.store("a=\(index); Max-Age=60", from: url)
            try jar.save()
            #expect(try folder.mode(of: "cookies.json") == 0o600)
        }
        #expect(try folder.names == ["cookies.json"])
        #expect(try self.jar().cookies.map(\.value) == ["2"])
    }

    @Test("K3 a deleted or replaced cookie is also removed from the file")
    func deletion() throws {
        let jar = try jar()
        jar.store("a=1; Max-Age=60", from: url)
        jar.store("b=1; Max-Age=60", from: url)
        try jar.save()
        jar.store("a=session", from: url)
        try jar.save()
        #expect(try self.jar().cookies.map(\.name) == ["b"])
        jar.clear()
        try jar.save()
        #expect(try self.jar().cookies.isEmpty)
        #expect(!String(decoding: try Data(contentsOf: folder.file), as: UTF8.self).contains("\"b\""))
    }

    @Test("K3 changes are written automatically", .timeLimit(.minutes(15)))
    func background() async throws {
        try jar().store("a=1; Max-Age=86400", from: url)
        while try folder.names != ["cookies.json"] { await Task.yield() }
        #expect(try jar().cookies.map(\.name) == ["a"])
    }

    @Test("K3 a file that others can read or write is rejected", arguments: [0o644, 0o640, 0o604, 0o620, 0o601])
    func permissions(mode: Int) throws {
        try folder.write("{\"version\":1,\"cookies\":[]}", mode: mode)
        #expect(fileReason(jar)?.contains("chmod 600") == true)
        try folder.write("{\"version\":1,\"cookies\":[]}")
        #expect(try jar().cookies.isEmpty)
    }

    @Test(
        "K3 a file that isn't a cookie file is rejected and left unchanged",
        arguments: ["", "{", "[]", "{\"version\":2,\"cookies\":[]}", "{\"version\":1,\"cookies\":[{\"name\":\"a\"}]}"])
    func damaged(text: String) throws {
        try folder.write(text)
        #expect(fileReason(jar)?.contains("not a cookie file") == true)
        #expect(String(decoding: try Data(contentsOf: folder.file), as: UTF8.self) == text)
    }

    @Test("K3 a directory instead of the file is rejected")
    func directory() throws {
        try FileManager.default.createDirectory(at: folder.file, withIntermediateDirectories: true)
        #expect(fileReason(jar) != nil)
    }

    @Test("K3 invalid and expired cookies in the file are skipped")
    func unfit() throws {
        func record(_ name: String, _ value: String, _ expires: Int) -> String {
            """
            {"name":"\(name)","value":"\(value)","domain":"a.com","hostOnly":true,"path":"/","expires":\(expires),
            "secure":false,"httpOnly":false,"sameSite":"odd","created":0,"lastUsed":0}
            """
        }
        let records = [record("a", "x; b=y", 9_999_999_999), record("old", "1", 1), record("good", "1", 9_999_999_999)]
        try folder.write("{\"version\":1,\"cookies\":[\(records.joined(separator: ","))]}")
        let cookies = try jar().cookies
        #expect(cookies.map(\.name) == ["good"])
        #expect(cookies.first?.sameSite == .unspecified)
    }

    @Test("K3 if the file can't be written, every save throws, but the exchange doesn't")
    func unwritable() throws {
        let gone = folder.url.appending(path: "missing/cookies.json")
        let jar = try CookieJar(file: CookieFile(gone))
        #expect(jar.store("a=1; Max-Age=60", from: url))
        for _ in 0..<2 { #expect(fileReason(jar.save)?.contains("cookies.json") == true) }
        #expect(jar.cookies.count == 1)
    }
}

extension TemporaryFolder {
    fileprivate var file: URL { url.appending(path: "cookies.json") }

    fileprivate func write(_ text: String, mode: Int = 0o600) throws {
        try Data(text.utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
    }
}
