import Godwit

/// Runs `cookies`.
struct CookieCommand {
    let arguments: CookieArguments
    let command: Command

    func run() async throws(CommandFailure) -> ExitCode {
        let jar = try jar()
        let meant = arguments.url.map(jar.cookies(for:)) ?? jar.cookies
        if arguments.changes {
            let doomed = meant.filter { arguments.deletesAll || arguments.deleted.contains($0.name) }
            for cookie in doomed { jar.delete(cookie) }
            try CommandFailure.network { () throws(NetworkError) in try jar.save() }
            await command.report("deleted \(doomed.count) of \(meant.count) cookies")
            return .success
        }
        if arguments.output == .netscape { try await command.print(CookieLines.head) }
        for cookie in meant { try await print(cookie) }
        return .success
    }

    private func jar() throws(CommandFailure) -> CookieJar {
        let path = try path()
        if case .file = arguments.source, try CookieLines.isForeign(path) {
            guard !arguments.changes else {
                throw .usage(UsageError("\(path) is in curl's format, which is only read", command: "cookies"))
            }
            let jar = CookieJar(suffixes: PublicSuffixList())
            try CookieLines.add(path, to: jar)
            return jar
        }
        return try CommandFailure.network { () throws(NetworkError) in
            try CookieJar(
                file: CookieFile(URL(fileURLWithPath: path), keepsSessionCookies: true), suffixes: PublicSuffixList(),
                diagnostics: command.diagnostics)
        }
    }

    private func path() throws(CommandFailure) -> String {
        switch arguments.source {
        case .file(let path):
            guard FileManager.default.fileExists(atPath: path) else { throw .file("\(path) does not exist") }
            return path
        case .session(let name):
            guard let url = arguments.url else { throw .usage(UsageError("the URL is missing", command: "cookies")) }
            let path = try SessionFile(name, for: url, command.environment).cookies
            guard FileManager.default.fileExists(atPath: path) else {
                throw .file("the session \(name) has no cookies for \(url.host)")
            }
            return path
        }
    }

    private func print(_ cookie: Cookie) async throws(CommandFailure) {
        switch arguments.output {
        case .table: try await command.print(CookieReport.line(cookie, withValue: arguments.showsValues) + "\n")
        case .json: try await command.print(CookieReport.report(cookie, withValue: arguments.showsValues))
        case .netscape: try await command.print(CookieLines.line(cookie) + "\n")
        }
    }
}

/// How `cookies` shows a cookie.
enum CookieReport {
    /// `sid example.com/ until 2027-01-01T00:00:00Z Secure HttpOnly`
    static func line(_ cookie: Cookie, withValue showsValue: Bool) -> String {
        let name = showsValue ? "\(cookie.name)=\(cookie.value)" : cookie.name
        let domain = cookie.isHostOnly ? cookie.domain : "*.\(cookie.domain)"
        let end = cookie.expires.map { "until \($0.formatted(.iso8601))" } ?? "session"
        let flags = [
            cookie.isSecure ? "Secure" : nil, cookie.isHTTPOnly ? "HttpOnly" : nil,
            sameSite(cookie).map { "SameSite=\($0)" },
        ]
        let words = [name, domain + cookie.path, end] + flags.compactMap(\.self)
        return TerminalText.escaped(words.joined(separator: " "))
    }

    static func report(_ cookie: Cookie, withValue showsValue: Bool) -> OrderedJSON {
        .object([
            "name": .string(cookie.name), "value": showsValue ? .string(cookie.value) : nil,
            "domain": .string(cookie.domain), "hostOnly": .bool(cookie.isHostOnly), "path": .string(cookie.path),
            "expires": cookie.expires.map { .string($0.formatted(.iso8601)) }, "secure": .bool(cookie.isSecure),
            "httpOnly": .bool(cookie.isHTTPOnly),
            "sameSite": sameSite(cookie).map { .string($0) },
        ])
    }

    /// The value as in `Set-Cookie`.
    private static func sameSite(_ cookie: Cookie) -> String? {
        switch cookie.sameSite {
        case .unspecified: nil
        case .none: "None"
        case .lax: "Lax"
        case .strict: "Strict"
        }
    }
}
