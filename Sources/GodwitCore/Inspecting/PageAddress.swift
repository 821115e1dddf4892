/// Where a page listens: a port of this machine, the path with its token, and what proves that it is the page.
package struct PageAddress: Sendable, Hashable {
    package let host: String
    package let port: UInt16
    /// The token, with a slash at both ends.
    package let path: String
    /// What the page and its programs know. Unlike the token, a browser never sends it: a tab that outlives its page would
    /// give it to whoever listens there next.
    private let secret: String

    /// Parses the URL of a page. `nil` unless it is plain HTTP to a loopback address, with a token.
    package init?(_ url: String) {
        guard let url = try? HTTPURL(url), url.scheme == .http, url.path.count > 16 else { return nil }
        guard ["127.0.0.1", "localhost", "[::1]", "::1"].contains(url.host) else { return nil }
        guard let port = UInt16(exactly: url.port) else { return nil }
        let words = url.path.split(separator: "/")
        guard let token = words.first, let secret = words.last, words.count <= 2 else { return nil }
        host = url.host.contains(":") ? "::1" : "127.0.0.1"
        self.port = port
        path = "/\(token)/"
        self.secret = String(secret)
    }

    /// The answer of the page at this address to a nonce, which needs the secret (decision 085).
    package func proof(of nonce: String) -> String {
        PageProof(secret: secret, port: port).answer(to: nonce)
    }

    /// The page with this URL; with `nil`, the one that runs for this user.
    static func current(_ url: String?) -> PageAddress? {
        if let url { return PageAddress(url) }
        let variables = ProcessInfo.processInfo.environment
        if let value = variables["GODWIT_INSPECT"], value.contains("://") { return PageAddress(value) }
        guard let file = file(variables), let data = try? PrivateFile(file).read(), data.count < 1000 else {
            return nil
        }
        return PageAddress(String(decoding: data, as: UTF8.self).filter { !$0.isNewline })
    }

    /// The file with the URL of this user's page: `inspect` in the folder `godwit` of `$XDG_CACHE_HOME`, by default `~/.cache`.
    ///
    /// `nil` if the user has no home.
    package static func file(_ variables: [String: String]) -> URL? {
        if let path = variables["XDG_CACHE_HOME"], path.hasPrefix("/") {
            return URL(filePath: path).appending(path: "godwit/inspect")
        }
        guard let home = variables["HOME"], home.hasPrefix("/") else { return nil }
        return URL(filePath: home).appending(path: ".cache/godwit/inspect")
    }
}
