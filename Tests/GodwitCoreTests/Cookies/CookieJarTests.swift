import GodwitCore
import Synchronization
import Testing

@Suite("K2 the jar")
struct CookieJarTests {
    private let url: HTTPURL
    private let jar = CookieJar(suffixes: OnlyTopLevel())

    init() throws {
        url = try HTTPURL("https://www.example.com/a/b")
    }

    @Test("K2 cookies can be listed by URL or all together, oldest first")
    func inspect() throws {
        #expect(jar.store("a=1; Path=/", from: url))
        #expect(jar.store("b=2", from: url))
        #expect(!jar.store("c=3; Domain=com", from: url))
        #expect(jar.cookies.map(\.name) == ["a", "b"])
        #expect(jar.cookies(for: url).map(\.name) == ["b", "a"])
        #expect(jar.cookies(for: try HTTPURL("https://example.com/")).isEmpty)
    }

    @Test("K2 an added cookie is sent, regardless of the policy, and replaces its predecessor")
    func add() throws {
        let jar = CookieJar(accepting: .never)
        var cookie = Cookie(name: "a", value: "1", domain: "Example.com")
        try jar.add(cookie)
        cookie.value = "2"
        try jar.add(cookie)
        cookie.isHostOnly = false
        cookie.value = "3"
        try jar.add(cookie)
        #expect(jar.cookies(for: try HTTPURL("https://example.com/")).map(\.value) == ["2", "3"])
        #expect(jar.cookies(for: try HTTPURL("https://www.example.com/")).map(\.value) == ["3"])
        #expect(!jar.store("b=1", from: try HTTPURL("https://example.com/")))
    }

    @Test(
        "K2 a cookie that can't be sent isn't added, and the error doesn't show its value",
        arguments: [
            Cookie(name: "a", value: "s3cret;b", domain: "a.com"),
            Cookie(name: "a", value: "s3cret\r\n", domain: "a.com"),
            Cookie(name: "a=b", value: "s3cret", domain: "a.com"), Cookie(name: "", value: "s3=cret", domain: "a.com"),
            Cookie(name: "", value: "", domain: "a.com"), Cookie(name: "a", value: "s3cret", domain: ""),
            Cookie(name: "a", value: "s3cret", domain: ".a.com"), Cookie(name: "a", value: "s3cret", domain: "a.com/x"),
            Cookie(name: "__Secure-a", value: "s3cret", domain: "a.com"),
            Cookie(name: "a", value: String(repeating: "s3cret", count: 1000), domain: "a.com"),
        ])
    func refused(cookie: Cookie) {
        do throws(NetworkError) {
            try jar.add(cookie)
            Issue.record("nothing was thrown")
        } catch {
            #expect(error.phase == .building)
            #expect(!"\(error)".contains("s3cret"))
        }
        #expect(jar.cookies.isEmpty)
    }

    @Test("K2 an invalid path is rejected")
    func badPath() {
        var cookie = Cookie(name: "a", value: "1", domain: "a.com")
        cookie.path = "x"
        #expect(throws: NetworkError.self) { try jar.add(cookie) }
    }

    @Test("K2 one cookie, a domain with its subdomains, session cookies or all can be deleted")
    func delete() throws {
        jar.store("a=1; Path=/", from: url)
        jar.store("b=1; Path=/; Max-Age=60", from: url)
        jar.store("c=1; Path=/; Domain=example.com", from: url)
        jar.store("d=1; Path=/; Max-Age=60", from: try HTTPURL("https://notexample.com/"))
        jar.delete(try #require(jar.cookies.first))
        #expect(jar.cookies.map(\.name) == ["b", "c", "d"])
        jar.endSession()
        #expect(jar.cookies.map(\.name) == ["b", "d"])
        jar.delete(domain: "EXAMPLE.com")
        #expect(jar.cookies.map(\.name) == ["d"])
        jar.clear()
        #expect(jar.cookies.isEmpty)
    }

    @Test("K1 cookies expire by the jar's clock")
    func clock() {
        let time = TimeBox(Date(timeIntervalSince1970: 1_800_000_000))
        let jar = CookieJar(now: { time.now })
        jar.store("a=1; Max-Age=10", from: url)
        time.advance(by: 9)
        #expect(jar.cookies.count == 1)
        time.advance(by: 1)
        #expect(jar.cookies.isEmpty)
        #expect(jar.cookies(for: url).isEmpty)
    }

    @Test("K3 jars share nothing")
    func isolation() {
        jar.store("a=1", from: url)
        #expect(CookieJar().cookies.isEmpty)
    }

    @Test("M2 a jar's description shows no cookie")
    func description() {
        jar.store("a=s3cret", from: url)
        #expect("\(jar)" == "CookieJar(1 cookies)")
    }
}

/// A time that stands still until it is moved.
private final class TimeBox: Sendable {
    private let date: Mutex<Date>

    init(_ date: Date) {
        self.date = Mutex(date)
    }

    var now: Date { date.withLock { $0 } }

    func advance(by seconds: Double) {
        date.withLock { $0 += seconds }
    }
}
