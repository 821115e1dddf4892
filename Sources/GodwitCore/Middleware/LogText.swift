/// Writes requests, responses and errors as log messages, without secrets.
struct LogText: Sendable {
    private let level: LogLevel
    private let bodyLimit: Int
    private var redaction: Redaction

    init(_ options: LogOptions) {
        level = options.level
        // One byte more is looked at, to see whether there is more.
        bodyLimit = min(max(0, options.bodyLimit), .max - 1)
        redaction = Redaction(fields: options.redactedFields, names: options.redactedNames)
    }

    /// The same for one call, whose credentials are left out whatever they stand under.
    func adding(_ call: Call) -> LogText {
        var text = self
        text.redaction = redaction.adding(call)
        return text
    }

    /// What names a request in each of its messages.
    func line(_ request: HTTPRequest) -> String {
        "\(request.method) \(redaction.url(request.url))"
    }

    func message(_ request: HTTPRequest, _ line: String) -> String {
        line + details(request.fields, request.body)
    }

    func message(_ response: HTTPResponse, _ line: String, after duration: Duration) -> String {
        var text = ""
        text.reserveCapacity(line.utf8.count + 48)
        text += String(response.head.status.code)
        text += " "
        text += line
        text += " ("
        text += Self.milliseconds(duration)
        text += ", "
        text += Self.size(response.body)
        text += ")"
        let redirects = response.metrics.redirectCount
        if redirects > 0 { text += " after \(redirects) redirects" }
        return text + details(response.head.fields, response.body)
    }

    func message(_ error: NetworkError, _ line: String, after duration: Duration) -> String {
        "failed: \(error.kind.summary): \(line) (\(Self.milliseconds(duration)))"
    }

    private func details(_ fields: HTTPFields, _ body: HTTPBody?) -> String {
        guard level == .headers || level == .bodies else { return "" }
        let lines = fields.map { "\n    \($0.name): \(redaction.value(of: $0))" }.joined()
        guard level == .bodies, let body, let shown = shown(body, type: fields[.contentType]) else { return lines }
        return "\(lines)\n\n\(shown)"
    }

    private func shown(_ body: HTTPBody, type: String?) -> String? {
        guard case .bytes(let data) = body.storage else { return "(\(Self.size(body)))" }
        guard !data.isEmpty else { return nil }
        let type = type.flatMap(MediaType.init(_:))
        if type?.isJSON == true || type == .ndjson {
            return redaction.json(data, limit: bodyLimit)
        }
        if type?.matches(.form) == true {
            return bounded(redaction.form(String(decoding: data, as: UTF8.self)))
        }
        guard type?.type == "text" || type?.subtype.hasSuffix("xml") == true else {
            return "(\(data.count) bytes of \(type?.essence ?? "no known type"))"
        }
        return bounded(String(decoding: data.prefix(bodyLimit + 1), as: UTF8.self))
    }

    private func bounded(_ text: String) -> String {
        guard text.utf8.count > bodyLimit else { return text }
        return String(decoding: text.utf8.prefix(bodyLimit), as: UTF8.self) + "…"
    }

    private static func size(_ body: HTTPBody) -> String {
        switch body.storage {
        case .bytes(let data): "\(data.count) bytes"
        case .file: "a file"
        case .stream, .incoming: "streamed"
        }
    }

    private static func milliseconds(_ duration: Duration) -> String {
        "\(duration.boundedMilliseconds) ms"
    }
}
