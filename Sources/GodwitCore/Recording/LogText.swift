import GodwitSupport

/// Writes requests, responses and errors as log messages, without secrets.
struct LogText: Sendable {
    private let level: LogLevel
    private let bodyLimit: Int
    private var redaction: Redaction

    init(_ options: LogOptions) {
        level = options.level
        // One more byte shows whether the body is longer.
        bodyLimit = min(max(0, options.bodyLimit), .max - 1)
        redaction = Redaction(fields: options.redactedFields, names: options.redactedNames)
    }

    /// The same for one call, without the call's credentials.
    func adding(_ call: Call) -> LogText {
        var text = self
        text.redaction = redaction.adding(call)
        return text
    }

    /// The same for a call whose request has come back, with what inner middlewares have added to it.
    private func adding(_ request: HTTPRequest?) -> LogText {
        guard let request else { return self }
        var text = self
        text.redaction = redaction.adding(request)
        return text
    }

    /// The method and URL of a request after redirects, whose URL comes from a server.
    func redirectedLine(_ request: HTTPRequest) -> String {
        "\(request.method) \(adding(request).redaction.foreignURL(request.url))"
    }

    /// The method and URL of a request.
    func line(_ request: HTTPRequest) -> String {
        var line = TextWriter()
        line.write(request.method.rawValue)
        line.write(" ")
        line.write(redaction.url(request.url))
        return line.text
    }

    /// The message of a request.
    ///
    /// - Parameter type: The media type of the body.
    func message(_ line: String, _ fields: HTTPFields, _ body: HTTPBody?, _ type: String?) -> String {
        line + details(fields, body, type)
    }

    /// The end of a call's line after redirects and upgrades to HTTPS.
    static func redirects(before response: HTTPResponse) -> String {
        let (redirects, upgrades) = (response.metrics.redirectCount, response.metrics.upgradeCount)
        return (redirects > 0 ? " after \(redirects) redirects" : "") + (upgrades > 0 ? ", https by HSTS" : "")
    }

    /// The message of a call's end.
    ///
    /// - Parameter line: The line of its request.
    func message(
        _ outcome: CallOutcome, of request: HTTPRequest, _ line: String, after duration: Duration
    ) -> String {
        func lastLine(_ final: HTTPRequest?) -> String {
            guard let final, !final.hasSameLine(as: request) else { return line }
            return redirectedLine(final)
        }
        switch outcome {
        case .success(let response):
            let suffix = Self.redirects(before: response)
            return message(response, lastLine(response.request), after: duration, suffix: suffix)
        case .failure(let error):
            return message(error, lastLine(error.request), after: duration)
        }
    }

    /// - Parameters:
    ///   - note: Further text inside the parentheses.
    ///   - suffix: The end of the line.
    func message(
        _ response: HTTPResponse, _ line: String, after duration: Duration, _ note: String? = nil, suffix: String = ""
    ) -> String {
        var text = TextWriter()
        text.write(response.head.status.code)
        text.write(" ")
        text.write(line)
        text.write(" (")
        text.write(Int(clamping: duration.boundedMilliseconds))
        text.write(" ms, ")
        text.write(Self.size(response.body))
        if let note {
            text.write(", ")
            text.write(note)
        }
        text.write(")")
        text.write(suffix)
        guard showsDetails else { return text.text }
        let fields = response.head.fields
        return text.text + adding(response.request).details(fields, response.body, fields[.contentType])
    }

    func message(_ error: NetworkError, _ line: String, after duration: Duration) -> String {
        let reason = adding(error.request).redaction.hidden(error.summary)
        return "failed: \(reason): \(line) (\(duration.boundedMilliseconds) ms)"
    }

    private var showsDetails: Bool { level == .headers || level == .bodies }

    private func details(_ fields: HTTPFields, _ body: HTTPBody?, _ type: String?) -> String {
        guard showsDetails else { return "" }
        let lines = fields.map { "\n    \($0.name): \(redaction.value(of: $0))" }.joined()
        guard level == .bodies, let body, let shown = shown(body, type: type) else { return lines }
        return "\(lines)\n\n\(shown)"
    }

    private func shown(_ body: HTTPBody, type: String?) -> String? {
        guard case .bytes(let data) = body.storage else { return "(\(Self.size(body)))" }
        guard !data.isEmpty else { return nil }
        let type = type.flatMap(MediaType.init(_:))
        let bytes = redaction.bytes(of: data, type, limit: bodyLimit)
        let isJSON = type?.isJSON == true || type == .ndjson
        let isText = isJSON || type?.matches(.form) == true || type?.isText == true
        // Some servers send JSON with another type.
        let looksLikeJSON = type != .ndjson && (isJSON || JSONLayout.looksLikeJSON(bytes))
        guard isText || type == nil && (looksLikeJSON || bytes.isPlainText) else {
            return "(\(data.count) bytes of \(type?.essence ?? "no known type"))"
        }
        let text = String(decoding: bytes, as: UTF8.self)
        return (looksLikeJSON ? JSONLayout.indented(text) : text) + (data.count > bodyLimit ? "…" : "")
    }

    private static func size(_ body: HTTPBody) -> String {
        switch body.storage {
        case .bytes(let data): "\(data.count) bytes"
        case .file: "a file"
        case .stream, .incoming: "streamed"
        }
    }
}

extension HTTPRequest {
    /// Whether a log names both by the same line.
    fileprivate func hasSameLine(as other: HTTPRequest) -> Bool {
        method == other.method && url == other.url
    }
}

extension MediaType {
    /// Whether the name of the type indicates human-readable text.
    fileprivate var isText: Bool {
        if type == "text" || subtype.hasSuffix("+xml") || subtype.hasSuffix("+yaml") { return true }
        let names: Set<String> = ["xml", "javascript", "ecmascript", "graphql", "yaml", "toml", "sql", "x-sh"]
        return type == "application" && names.contains(subtype)
    }
}

extension [UInt8] {
    /// Whether the bytes are UTF-8 without control characters. The last character may be incomplete.
    fileprivate var isPlainText: Bool {
        let isPrintable = allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
        return isPrintable
            && (0...Swift.min(3, count)).contains { String(validating: dropLast($0), as: UTF8.self) != nil }
    }
}
