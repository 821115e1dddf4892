import Godwit

enum CookieSnippets {
    static func jar(in file: URL) throws -> APIClient {
        // snippet: cookies
        let jar = try CookieJar(file: CookieFile(file), accepting: .ownSite, suffixes: PublicSuffixList())
        let api = APIClient(baseURL: "https://api.example.com/v1") { $0.cookies = .jar(jar) }
        for cookie in jar.cookies(for: try HTTPURL("https://api.example.com/")) { print(cookie.name) }
        jar.delete(domain: "example.com")
        try jar.save()
        // end
        return api
    }
}
