import GodwitSupport

extension HTTPRequest {
    /// Whether a curl command shows credentials.
    public enum SecretDisplay: Sendable, Hashable {
        /// Replaced by `<redacted>`, as in logs.
        case hidden
        /// As sent. Anyone who sees the command can use them.
        case shown
    }

    /// The request as a curl command for a terminal or a bug report, with credentials redacted.
    ///
    /// ```swift
    /// print(try api.request(for: .article(id: 42)).curlCommand)   // curl https://api.example.com/v1/articles/42 -H …
    /// ```
    ///
    /// It has only the fields of this value. For those that middlewares add, use the request of a response or error.
    public var curlCommand: String { curlCommand(secrets: .hidden) }

    /// The request as a curl command.
    ///
    /// A body that isn't text comes from `base64`; a streamed body is read from standard input.
    public func curlCommand(secrets: SecretDisplay) -> String {
        let writer = CurlCommandWriter(secrets == .hidden ? Redaction().adding(self) : nil)
        return writer.command(for: self)
    }

    /// Parses a curl command, such as one copied from a browser's developer tools.
    ///
    /// ```swift
    /// let request = try HTTPRequest(curl: "curl -X POST https://api.example.com/v1/articles --json '{\"title\": \"Tides\"}'")
    /// ```
    ///
    /// Nothing is run and no file is read: `--data-binary @file`, `-T` and `-F name=@file` become bodies that are
    /// streamed from the file when the request is sent. Options that only change curl's output are ignored.
    ///
    /// - Parameter command: One command, quoted as for a POSIX shell, with or without the word `curl`.
    /// - Throws: `.invalidRequest` if the command can't be read, has an unknown option or one that belongs to the
    ///   client (such as `--proxy`); `.invalidURL` if its URL can't be used.
    public init(curl command: String) throws(NetworkError) {
        let parsed: CurlCommand
        do throws(CurlCommand.Fault) {
            parsed = try CurlCommand(parsing: command)
        } catch {
            throw NetworkError(.invalidRequest(reason: "curl command: \(error.reason)"), phase: .building)
        }
        guard let method = HTTPMethod(parsed.method) else {
            throw NetworkError(.invalidRequest(reason: "\"\(parsed.method)\" is not a method"), phase: .building)
        }
        try self.init(method: method, url: parsed.url)
        // Invalid names are rejected below, with the same text as in every transport.
        for field in parsed.fields { fields.append(field.value, for: HTTPField.Name(unchecked: field.name)) }
        try setContent(parsed.content)
        if let seconds = parsed.totalTime { options.timeouts.total = Self.duration(seconds) }
        if let seconds = parsed.connectTime { options.timeouts.connect = Self.duration(seconds) }
        if let fault = fieldFault { throw NetworkError(fault, phase: .building) }
    }

    /// A day is as good as no limit, and avoids overflow of `Duration`.
    private static func duration(_ seconds: Double) -> Duration { .seconds(min(seconds, 86_400)) }

    private mutating func setContent(_ content: CurlCommand.Content) throws(NetworkError) {
        switch content {
        case .none: break
        case .text(let text): body = .bytes(Data(text.utf8))
        case .file(let path): body = .file(at: URL(filePath: path))
        case .form(let parts):
            let form = MultipartForm(parts)
            fields[.contentType] = "\(form.contentType)"
            body = try form.body()
            for secret in form.secrets { note(.value(secret)) }
        }
    }
}

extension MultipartForm {
    fileprivate init(_ parts: [CurlCommand.FormPart]) {
        self.init()
        for part in parts {
            let type = part.type.flatMap { MediaType($0) }
            if part.isFile {
                file(part.name, at: URL(filePath: part.value), fileName: part.fileName, type: type)
            } else if part.fileName != nil || type != nil {
                data(part.name, Data(part.value.utf8), fileName: part.fileName, type: type)
            } else {
                field(part.name, part.value)
            }
        }
    }
}

/// Writes a request as shell words.
private struct CurlCommandWriter {
    /// `nil` shows everything.
    private let redaction: Redaction?

    init(_ redaction: Redaction?) {
        self.redaction = redaction
    }

    func command(for request: HTTPRequest) -> String {
        var words = ["curl"]
        words += method(of: request)
        words.append(ShellWords.quoted(redaction?.foreignURL(request.url) ?? "\(request.url)"))
        for field in request.fields {
            let value = redaction?.value(of: field) ?? field.value
            words += ["-H", ShellWords.quoted(value.isEmpty ? "\(field.name);" : "\(field.name): \(value)")]
        }
        // Otherwise curl adds its default.
        if request.body != nil, !request.fields.contains(.contentType) { words += ["-H", "Content-Type:"] }
        let (source, options) = content(of: request)
        return source + (words + options).joined(separator: " ")
    }

    private func method(of request: HTTPRequest) -> [String] {
        switch (request.method, request.body == nil) {
        case (.get, true), (.post, false): []
        case (.head, true): ["-I"]
        default: ["-X", ShellWords.quoted(request.method.rawValue)]
        }
    }

    /// The command that pipes into curl, and the options for the body.
    private func content(of request: HTTPRequest) -> (source: String, options: [String]) {
        switch request.body?.storage {
        case nil: ("", [])
        case .bytes(let data): content(data, MediaType(request.fields[.contentType] ?? ""))
        case .file(let region): ("", ["--data-binary", ShellWords.quoted("@" + region.url.path)])
        case .stream, .incoming: ("", ["--data-binary", "@-"])
        }
    }

    private func content(_ data: Data, _ type: MediaType?) -> (source: String, options: [String]) {
        let data = redaction.map { Data($0.bytes(of: data, type, limit: .max)) } ?? data
        guard let text = String(validating: data, as: UTF8.self), !text.utf8.contains(0) else {
            return ("echo \(data.base64EncodedString()) | base64 -d | ", ["--data-binary", "@-"])
        }
        return ("", ["--data-raw", ShellWords.quoted(text)])
    }
}
