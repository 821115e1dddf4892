/// Writes requests, responses and errors as log messages, without secrets.
struct LogText: Sendable {
    private let level: LogLevel
    private let bodyLimit: Int
    private let fieldNames: Set<HTTPField.Name>
    private let names: Set<String>

    init(_ options: LogOptions) {
        level = options.level
        // One byte more is looked at, to see whether there is more.
        bodyLimit = min(max(0, options.bodyLimit), .max - 1)
        fieldNames = options.redactedFields
        names = Set(options.redactedNames.map(\.asciiLowercased))
    }

    func message(_ request: HTTPRequest) -> String {
        line(request) + details(request.fields, request.body)
    }

    func message(_ response: HTTPResponse, after duration: Duration) -> String {
        let facts = [Self.milliseconds(duration), Self.size(response.body)].joined(separator: ", ")
        let redirects = response.metrics.redirectCount
        return "\(response.head.status) \(line(response.request)) (\(facts))"
            + (redirects > 0 ? " after \(redirects) redirects" : "") + details(response.head.fields, response.body)
    }

    func message(_ error: NetworkError, for request: HTTPRequest, after duration: Duration) -> String {
        "failed: \(error.kind.summary): \(line(error.request ?? request)) (\(Self.milliseconds(duration)))"
    }

    private func line(_ request: HTTPRequest) -> String {
        "\(request.method) \(RedactedURL(request.url, extraNames: names))"
    }

    private func details(_ fields: HTTPFields, _ body: HTTPBody?) -> String {
        guard level == .headers || level == .bodies else { return "" }
        let lines = fields.map { "\n    \($0.name): \(value(of: $0))" }.joined()
        guard level == .bodies, let body, let shown = shown(body, type: fields[.contentType]) else { return lines }
        return "\(lines)\n\n\(shown)"
    }

    private func value(of field: HTTPField) -> String {
        if field.name.isSensitive || fieldNames.contains(field.name) { return "<redacted>" }
        return Self.urlFields.contains(field.name) ? references(field.value) : field.value
    }

    /// URLs as servers write them. Tokens stand in fragments too, where a sign-in ends (RFC 6749 section 4.2.2).
    private func references(_ value: String) -> String {
        var shown = ""
        var rest = value[...]
        while let mark = rest.firstIndex(where: { $0 == "?" || $0 == "#" }) {
            shown += (shown.isEmpty ? String(rest[..<mark]) : RedactedText.form(rest[..<mark], extraNames: names))
            shown.append(rest[mark])
            rest = rest[mark...].dropFirst()
        }
        return shown.isEmpty ? value : shown + RedactedText.form(rest, extraNames: names)
    }

    private static let urlFields: [HTTPField.Name] = [.location, .contentLocation, .referer, .link, "Refresh"]

    private func shown(_ body: HTTPBody, type: String?) -> String? {
        guard case .bytes(let data) = body.storage else { return "(\(Self.size(body)))" }
        guard !data.isEmpty else { return nil }
        let type = type.flatMap(MediaType.init(_:))
        if type?.isJSON == true || type == .ndjson {
            return RedactedText.json(data, limit: bodyLimit, extraNames: names)
        }
        if type?.matches(.form) == true {
            return bounded(RedactedText.form(String(decoding: data, as: UTF8.self), extraNames: names))
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
        "\(Int64(duration / .milliseconds(1))) ms"
    }
}
