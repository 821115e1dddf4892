import Foundation
import Godwit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
#if canImport(WebKit)
import WebKit
#endif

// snippet: recipe-K2-web-views-cookies
extension Cookie {
    init(_ cookie: HTTPCookie) {
        let isForSubdomains = cookie.domain.hasPrefix(".")  // it came with the attribute Domain
        self.init(name: cookie.name, value: cookie.value, domain: String(cookie.domain.drop { $0 == "." }))
        isHostOnly = !isForSubdomains
        path = cookie.path
        expires = cookie.expiresDate
        isSecure = cookie.isSecure
        isHTTPOnly = cookie.isHTTPOnly
    }
}

extension HTTPCookie {
    static func make(_ cookie: Cookie) -> HTTPCookie? {
        var properties: [HTTPCookiePropertyKey: Any] = [
            .name: cookie.name, .value: cookie.value, .path: cookie.path,
            .domain: cookie.isHostOnly ? cookie.domain : ".\(cookie.domain)",
        ]
        properties[.expires] = cookie.expires
        if cookie.isSecure { properties[.secure] = "TRUE" }
        if cookie.isHTTPOnly { properties[HTTPCookiePropertyKey("HttpOnly")] = "TRUE" }
        return HTTPCookie(properties: properties)
    }
}
// end

#if canImport(WebKit)
// snippet: recipe-K2-web-views
extension CookieJar {
    /// After a sign-in in a web view: the client sends the web view's cookies.
    @MainActor
    func take(from store: WKHTTPCookieStore) async {
        for cookie in await store.allCookies() { try? add(Cookie(cookie)) }  // one that could never be sent is left out
    }

    /// Before a web view loads a page: it sends the client's cookies.
    @MainActor
    func give(to store: WKHTTPCookieStore) async {
        for cookie in cookies.compactMap(HTTPCookie.make) { await store.setCookie(cookie) }
    }
}
// end
#endif

@Suite("Recipes: Foundation and web views")
struct AppleRecipes {
    /// Not a test: it would write to the home directory.
    func places(_ api: APIClient) async throws -> FileTokenStore {
        // snippet: recipe-B5-where-to-save
        let files = FileManager.default
        let documents = files.urls(for: .documentDirectory, in: .userDomainMask)[0]  // the user's files
        let support = files.urls(for: .applicationSupportDirectory, in: .userDomainMask)[0]  // tokens, cookies, queues
        let caches = try CacheFolder.standard(for: "com.example.reader")  // what can be fetched again

        let folder = support.appending(path: "com.example.reader/")
        try files.createDirectory(at: folder, withIntermediateDirectories: true)
        let tokens = FileTokenStore(at: folder.appending(path: "token"))
        let responses = try DiskCacheStore(directory: caches)
        let film = try await api.download(.export, to: documents) { $0.isExcludedFromBackup = true }.file
        // end
        print(responses, film)
        return tokens
    }

    @Test("A cookie becomes Foundation's and back", arguments: [true, false])
    func cookies(isHostOnly: Bool) throws {
        var cookie = Cookie(name: "session", value: "1", domain: "example.com")
        cookie.isHostOnly = isHostOnly
        cookie.path = "/app"
        cookie.isSecure = true
        cookie.isHTTPOnly = true
        cookie.expires = Date(timeIntervalSince1970: 4_000_000_000)
        let foundation = try #require(HTTPCookie.make(cookie))
        #expect(foundation.isSecure && foundation.isHTTPOnly && foundation.path == "/app")
        #expect(Cookie(foundation) == cookie)
        let jar = CookieJar()
        try jar.add(Cookie(foundation))
        #expect(jar.cookies(for: try HTTPURL("https://example.com/app")).map(\.name) == ["session"])
        #expect(jar.cookies(for: try HTTPURL("https://a.example.com/app")).isEmpty == isHostOnly)
    }
}
