import GodwitWire
import Testing

@Suite struct HTTPMethodTests {
    @Test(
        "U6 standard methods know whether they are safe and idempotent",
        arguments: [
            (HTTPMethod.get, "GET", true, true), (.head, "HEAD", true, true), (.post, "POST", false, false),
            (.put, "PUT", false, true), (.patch, "PATCH", false, false), (.delete, "DELETE", false, true),
            (.options, "OPTIONS", true, true), (.trace, "TRACE", true, true), (.connect, "CONNECT", false, false),
        ])
    func standardMethods(method: HTTPMethod, name: String, isSafe: Bool, isIdempotent: Bool) {
        #expect(method.rawValue == name)
        #expect(method.description == name)
        #expect(method.isSafe == isSafe)
        #expect(method.isIdempotent == isIdempotent)
    }

    @Test("U6 any token is a method, by default neither safe nor idempotent")
    func customMethod() throws {
        let method = try #require(HTTPMethod("PURGE"))
        #expect(method.rawValue == "PURGE")
        #expect(!method.isSafe && !method.isIdempotent)
        #expect(HTTPMethod("get") != .get, "methods are case-sensitive")
    }

    @Test(
        "U6 a text that isn't a token isn't a method",
        arguments: ["", "GE T", "GET\r\n", "G\u{0}T", "GET/", "ÄT", "A:B"])
    func notAToken(text: String) {
        #expect(HTTPMethod(text) == nil)
        #expect(HTTPMethod(rawValue: text) == nil)
    }
}
