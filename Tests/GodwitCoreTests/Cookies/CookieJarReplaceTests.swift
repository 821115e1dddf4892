import GodwitCore
import Testing

@Suite("Cookies from another store")
struct CookieJarReplaceTests {
    private func cookie(_ value: String, hostOnly: Bool = true) -> Cookie {
        var cookie = Cookie(name: "a", value: value, domain: "example.com")
        cookie.isHostOnly = hostOnly
        return cookie
    }

    @Test("G5 A cookie of another process replaces the one that was read, and not one that was set meanwhile")
    func compares() throws {
        let jar = CookieJar()
        let (one, two, three) = (
            CookieRecord(cookie("1")), CookieRecord(cookie("2")), CookieRecord(cookie("3"))
        )
        jar.replace([(nil, one)])
        #expect(jar.cookies.map(\.value) == ["1"])
        try jar.add(cookie("3"))
        jar.replace([(one, two), (one, nil), (nil, two)])
        #expect(jar.cookies.map(\.value) == ["3"])
        jar.replace([(three, two)])
        #expect(jar.cookies.map(\.value) == ["2"])
        jar.replace([(two, nil)])
        #expect(jar.cookies.isEmpty)
    }

    @Test("G5 Cookies of a host and of its domain are different")
    func hostOnly() {
        #expect(CookieRecord(cookie("1")).id != CookieRecord(cookie("1", hostOnly: false)).id)
    }
}
