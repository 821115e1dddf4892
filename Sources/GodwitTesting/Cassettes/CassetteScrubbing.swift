import GodwitCore

/// Converts messages to recordings without secrets.
struct CassetteScrubbing: Sendable {
    /// `nil` keeps secrets.
    private var redaction: Redaction?

    init(_ options: Cassette.Options) {
        if options.secrets == .scrubbed {
            redaction = Redaction(fields: options.redactedFields, names: options.redactedNames)
        }
    }

    /// Also redacts the fields and items that contain the call's credentials.
    func adding(_ call: Call) -> CassetteScrubbing {
        var scrubbing = self
        scrubbing.redaction = redaction?.adding(call)
        return scrubbing
    }

    /// Also redacts the secrets of a call that has come back, wherever the server repeats them.
    func adding(_ request: HTTPRequest) -> CassetteScrubbing {
        var scrubbing = self
        scrubbing.redaction = redaction?.adding(request)
        return scrubbing
    }

    func request(_ method: HTTPMethod, _ url: HTTPURL, _ fields: HTTPFields, _ content: Data) -> RecordedRequest {
        RecordedRequest(
            method: method.rawValue, url: redaction.map { Self.url(url, $0) } ?? url.absoluteString,
            fields: RecordedFields(self.fields(fields)), body: body(content, fields))
    }

    func response(_ head: HTTPResponseHead, _ content: Data, to method: HTTPMethod) -> RecordedResponse {
        var fields = fields(head.fields)
        let body = body(content, fields)
        // Redaction changed the length. Without a body, Content-Length does not describe this message.
        if method != .head, !head.status.forbidsContent, fields.contains(.contentLength) {
            fields[.contentLength] = "\(body?.data.count ?? 0)"
        }
        return RecordedResponse(status: head.status.code, fields: RecordedFields(fields), body: body)
    }

    /// A URL without secrets. In a replay, it can come from a `Location` that was recorded without them.
    private static func url(_ url: HTTPURL, _ redaction: Redaction) -> String {
        redaction.foreignURL(url).replacing("%3Credacted%3E", with: Redaction.mark)
    }

    private func fields(_ fields: HTTPFields) -> HTTPFields {
        HTTPFields(fields.compactMap { HTTPField(name: $0.name, value: value(of: $0)) })
    }

    private func value(of field: HTTPField) -> String {
        guard let redaction else { return field.value }
        return field.name == .setCookie ? redaction.hidden(Self.cookie(field.value)) : redaction.value(of: field)
    }

    /// A cookie without its value. The name and attributes stay, so that the cookie jar behaves as in the recording.
    private static func cookie(_ text: String) -> String {
        let pair = text.prefix { $0 != ";" }
        guard let equals = pair.firstIndex(of: "=") else { return Redaction.mark + text[pair.endIndex...] }
        return text[...equals] + Redaction.mark + text[pair.endIndex...]
    }

    private func body(_ content: Data, _ fields: HTTPFields) -> RecordedBody? {
        guard !content.isEmpty else { return nil }
        let type = fields[.contentType].flatMap { MediaType($0) }
        guard let redaction else {
            return String(validating: content, as: UTF8.self).map(RecordedBody.text) ?? .base64(content)
        }
        let bytes = redaction.bytes(of: content, type, limit: content.count)
        return String(validating: bytes, as: UTF8.self).map(RecordedBody.text) ?? .base64(Data(bytes))
    }
}
