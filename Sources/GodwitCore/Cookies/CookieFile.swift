/// A JSON file for a jar's cookies, which only its owner can read.
///
/// It has mode 0600 and is replaced atomically, so that a crash leaves the old one. Session cookies are stored only on
/// request. Several processes can use one file: each changes only its own cookies, under the lock of `NAME.lock` in the same
/// folder.
///
/// ```swift
/// let jar = try CookieJar(file: CookieFile(file))
/// ```
public struct CookieFile: Sendable, Hashable {
    /// The file's URL.
    public let url: URL
    let keepsSessionCookies: Bool

    /// Refers to a file, which doesn't have to exist yet.
    ///
    /// - Parameters:
    ///   - url: The file. Its folder must exist when cookies are saved.
    ///   - keepsSessionCookies: Whether session cookies are stored too, as curl does. They then last until the file is
    ///     deleted or ``CookieJar/endSession()`` is called. `false` by default, as in browsers.
    public init(_ url: URL, keepsSessionCookies: Bool = false) {
        self.url = url
        self.keepsSessionCookies = keepsSessionCookies
    }

    /// Reads the cookies. Returns none if the file doesn't exist.
    ///
    /// Throws `.file` if group or others have any permission, another user owns the file, or its contents are invalid.
    /// Skips invalid cookies.
    func read() throws(NetworkError) -> [Cookie] {
        try cookies(in: PrivateFile(url).read())
    }

    /// Changes what the file has while no other process does. Session cookies are left out unless the file keeps them.
    func change<Value>(_ body: (inout [Cookie]) -> Value) throws(NetworkError) -> Value {
        try PrivateFile(url).change { data throws(NetworkError) in
            var cookies = try cookies(in: data)
            let value = body(&cookies)
            data = try encode(cookies.filter { keepsSessionCookies || $0.isPersistent })
            return value
        }
    }

    private func cookies(in data: Data?) throws(NetworkError) -> [Cookie] {
        guard let data else { return [] }
        guard let content = try? JSONDecoder().decode(Content.self, from: data), content.version == 1 else {
            throw PrivateFile.error("\(url.lastPathComponent) is not a cookie file that this version can read")
        }
        return content.cookies.compactMap(\.cookie)
    }

    private func encode(_ cookies: [Cookie]) throws(NetworkError) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(Content(version: 1, cookies: cookies.map(Record.init))) else {
            throw PrivateFile.error("the cookies cannot be encoded for \(url.lastPathComponent)")
        }
        return data
    }

    private struct Content: Codable {
        let version: Int
        let cookies: [Record]
    }

    /// A cookie in the file: one object with the fields of `CookieRecord` and these.
    private struct Record: Codable {
        let cookieRecord: CookieRecord
        let times: Times

        struct Times: Codable {
            let created: Double
            let lastUsed: Double
        }

        init(_ cookie: Cookie) {
            cookieRecord = CookieRecord(cookie)
            times = Times(
                created: cookie.created.timeIntervalSince1970, lastUsed: cookie.lastUsed.timeIntervalSince1970)
        }

        init(from decoder: any Decoder) throws {
            cookieRecord = try CookieRecord(from: decoder)
            times = try Times(from: decoder)
        }

        func encode(to encoder: any Encoder) throws {
            try cookieRecord.encode(to: encoder)
            try times.encode(to: encoder)
        }

        var cookie: Cookie? {
            var cookie = cookieRecord.cookie
            cookie?.created = Date(timeIntervalSince1970: times.created)
            cookie?.lastUsed = Date(timeIntervalSince1970: times.lastUsed)
            return cookie
        }
    }
}
