import Godwit

/// Heads of requests and answers as text.
enum HeadText {
    /// The head of an answer as the server sent it, for standard output.
    static func plain(_ response: HTTPResponse) -> String {
        statusLine(response) + "\r\n"
            + response.head.fields.map { "\($0.name): \($0.value)\r\n" }.joined() + "\r\n"
    }

    /// A request for a person, without secrets.
    static func verbose(_ request: HTTPRequest) -> String {
        lines("> ", [request.description] + request.fields.map(\.description))
    }

    /// The head of an answer for a person, without secrets.
    static func verbose(_ response: HTTPResponse) -> String {
        let fields = response.head.fields.map { redacted($0, of: response.request) }
        return lines("< ", [statusLine(response)] + fields)
    }

    private static func statusLine(_ response: HTTPResponse) -> String {
        "\(response.metrics.protocolVersion?.rawValue ?? "HTTP") \(response.head.status)"
    }

    private static func lines(_ mark: String, _ lines: [String]) -> String {
        lines.map { "\(mark)\(TerminalText.safe($0))\n" }.joined() + "\(mark.dropLast())\n"
    }

    /// URLs in fields may hold secrets too; a request's description leaves them out.
    private static func redacted(_ field: HTTPField, of request: HTTPRequest) -> String {
        guard [.location, .contentLocation].contains(field.name) else { return field.description }
        guard let url = try? request.url.resolving(field.value) else { return "\(field.name): <redacted>" }
        let target = HTTPRequest(url: url).description.drop { $0 != " " }.dropFirst()
        return "\(field.name): \(target)"
    }
}
