import Godwit

/// The body of a request as text for a person, without secrets.
enum PrintedBody {
    /// The maximum bytes that are shown.
    static let limit = 64 << 10

    /// Returns the body, or its size if it can't be read twice, is long or isn't text.
    static func shown(_ body: HTTPBody, of request: HTTPRequest) async -> String {
        guard body.isReplayable, let length = body.length, length <= limit,
            let data = try? await body.collect(upTo: limit)
        else { return "[a body of \(body.length.map { "\($0) bytes" } ?? "unknown length")]" }
        return text(data, of: request)
    }

    static func text(_ data: Data, of request: HTTPRequest) -> String {
        guard let content = String(validating: data, as: UTF8.self), !content.utf8.contains(0) else {
            return "[\(data.count) bytes that are not text]"
        }
        let text = request.redacted(content)
        let type = request.fields[.contentType].flatMap(MediaType.init(_:))
        if type?.isJSON == true, let json = try? OrderedJSON(parsing: Data(text.utf8)) { return json.text(.compact) }
        return TerminalText.escapedLines(text)
    }
}
