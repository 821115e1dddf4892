import Godwit

/// A cookie file of curl and other tools: seven values per line, separated by tabs.
enum CookieLines {
    private static let sizeLimit = 16 << 20

    /// Adds the cookies of a file to a jar. The file is godwit's, or in the Netscape format; one that doesn't exist has none.
    static func add(_ path: String, to jar: CookieJar) throws(CommandFailure) {
        guard FileManager.default.fileExists(atPath: path) else { return }
        let text = try read(path)
        if isOwn(text) {
            let file = CookieFile(URL(fileURLWithPath: path), keepsSessionCookies: true)
            let kept = try CommandFailure.network { () throws(NetworkError) in
                try CookieJar(file: file, suffixes: PublicSuffixList(), diagnostics: Diagnostics())
            }
            for cookie in kept.cookies { try? jar.add(cookie) }
            return
        }
        var count = 0
        for line in text.split(whereSeparator: \.isNewline) {
            guard let cookie = cookie(line) else { continue }
            try? jar.add(cookie)
            count += 1
        }
        if count == 0, !text.hasPrefix("#"), !text.isEmpty {
            throw .file("\(path) is not a cookie file; to send a cookie, write -b NAME=VALUE")
        }
    }

    /// Whether a file is in the Netscape format.
    static func isForeign(_ path: String) throws(CommandFailure) -> Bool { !isOwn(try read(path)) }

    private static func read(_ path: String) throws(CommandFailure) -> String {
        let text = try SmallFile.unforgeableText(path)
        guard text.utf8.count <= sizeLimit else { throw .file("\(path) is larger than 16 MiB") }
        return text
    }

    private static func isOwn(_ text: String) -> Bool { text.first { !$0.isWhitespace } == "{" }

    /// A file of cookies in the Netscape format.
    static func file(of cookies: some Sequence<Cookie>) -> String {
        cookies.reduce(into: head) { text, cookie in text += line(cookie) + "\n" }
    }

    /// The first line of the Netscape format.
    static let head = "# Netscape HTTP Cookie File\n"

    /// A cookie as a line of the Netscape format.
    static func line(_ cookie: Cookie) -> String {
        let values = [
            "\(cookie.isHTTPOnly ? "#HttpOnly_" : "")\(cookie.isHostOnly ? "" : ".")\(cookie.domain)",
            cookie.isHostOnly ? "FALSE" : "TRUE", cookie.path, cookie.isSecure ? "TRUE" : "FALSE",
            String(seconds(cookie.expires)), cookie.name, cookie.value,
        ]
        return values.joined(separator: "\t")
    }

    /// Seconds since 1970; 0 for a session cookie.
    private static func seconds(_ date: Date?) -> Int64 {
        guard let date else { return 0 }
        return Int64(min(max(date.timeIntervalSince1970, 1), 99_999_999_999))
    }

    private static func cookie(_ line: Substring) -> Cookie? {
        var line = line
        let isHTTPOnly = line.hasPrefix("#HttpOnly_")
        if isHTTPOnly { line = line.dropFirst("#HttpOnly_".count) }
        let values = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard !line.hasPrefix("#"), values.count == 7, let expires = Double(values[4]) else { return nil }
        let domain = values[0].hasPrefix(".") ? String(values[0].dropFirst()) : values[0]
        var cookie = Cookie(name: values[5], value: values[6], domain: domain.lowercased())
        cookie.isHostOnly = values[1] != "TRUE"
        cookie.path = values[2]
        cookie.isSecure = values[3] == "TRUE"
        // 0 is a session cookie.
        cookie.expires = expires > 0 && expires < 1e11 ? Date(timeIntervalSince1970: expires) : nil
        cookie.isHTTPOnly = isHTTPOnly
        return cookie
    }
}
