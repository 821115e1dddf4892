import Godwit

/// The heads of requests and responses as text.
enum HeadText {
    /// The head of a response as the server sent it, for standard output.
    static func plain(_ response: HTTPResponse, colors: Colors = .none) -> String {
        let fields = response.head.fields.map { colors.field("\($0.name)", $0.value) + "\r\n" }.joined()
        return colors.status(statusLine(response), response.head.status.code) + "\r\n" + fields + "\r\n"
    }

    /// The head of a request for `--verbose`, without secrets, as far as it is known without a connection.
    static func verbose(_ request: HTTPRequest, colors: Colors = .none) -> String {
        lines("> ", [request.description] + request.fields.map { shown($0, request, colors) })
    }

    /// The head of a request that was sent, without secrets.
    ///
    /// - Parameter head: The lines as sent.
    static func verbose(sent head: String, of request: HTTPRequest, colors: Colors = .none) -> String {
        // A line break is one character: "\r\n" is a grapheme.
        let sent = head.split(whereSeparator: \.isNewline).map(String.init)
        guard let first = sent.first else { return "" }
        let fields = sent.dropFirst().map { line in
            let name = line.prefix { $0 != ":" }
            let value = line.dropFirst(name.count + 1)
            guard let name = HTTPField.Name(String(name)), let field = HTTPField(name: name, value: String(value))
            else {
                return "<not a field>"
            }
            return shown(field, request, colors)
        }
        return lines("> ", [requestLine(first, of: request)] + fields)
    }

    /// The head of a response for `--verbose`, without secrets.
    static func verbose(_ response: HTTPResponse, colors: Colors = .none) -> String {
        let status = colors.status(statusLine(response), response.head.status.code)
        // The server can repeat what it was sent.
        return lines("< ", [status] + response.head.fields.map { shown($0, response.request, colors) })
    }

    /// The line before a request that is sent over HTTPS although the URL was `http`.
    static func upgraded(_ request: HTTPRequest) -> String {
        "* https instead of http: \(request.url.host) demands it (HSTS)\n"
    }

    /// What the command's own cache did.
    static func cached(_ status: CacheStatus) -> String { "* cache: \(status)\n" }

    /// The target of a request without secrets: the path and query of its redacted URL.
    private static func requestLine(_ line: String, of request: HTTPRequest) -> String {
        let words = line.split(separator: " ")
        guard words.count == 3, words[0] == request.method.rawValue else {
            return words.first == "CONNECT" ? line : "<not a request line>"
        }
        return "\(words[0]) \(target(of: request)) \(words[2])"
    }

    static func target(of request: HTTPRequest) -> String {
        let url = request.description.drop { $0 != " " }.dropFirst()
        return String(url.dropFirst(request.url.origin.description.count))
    }

    private static func statusLine(_ response: HTTPResponse) -> String {
        let version = response.metrics.protocolVersion?.rawValue ?? "HTTP"
        // HTTP/2 and HTTP/3 have no phrases.
        let phrase = version.hasPrefix("HTTP/1") ? response.head.status.reasonPhrase : nil
        return (["\(version) \(response.head.status)"] + (phrase.map { [$0] } ?? [])).joined(separator: " ")
    }

    /// The field without secrets.
    private static func shown(_ field: HTTPField, _ request: HTTPRequest, _ colors: Colors) -> String {
        let value = field.name.isSensitive ? "<redacted>" : request.redacted(field.value)
        return colors.field(TerminalText.escaped(field.name.rawName), TerminalText.escaped(value))
    }

    private static func lines(_ mark: String, _ lines: [String]) -> String {
        lines.map { "\(mark)\($0)\n" }.joined() + "\(mark.dropLast())\n"
    }
}
