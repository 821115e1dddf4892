/// Redacts messages for logs and recordings: values under secret names, and the secrets that their call has used.
package struct Redaction: Sendable {
    /// The replacement of a secret.
    package static let mark = SecretScanner.mark

    private var fields: Set<HTTPField.Name>
    private var names: Set<String>
    private var sent: SentSecrets?

    /// - Parameters:
    ///   - fields: Fields to redact in addition to those that look like secrets.
    ///   - names: Additional names of query items, form items and JSON members; compared case-insensitively.
    package init(fields: Set<HTTPField.Name> = [], names: Set<String> = []) {
        self.fields = fields
        self.names = Set(names.map(\.asciiLowercased))
    }

    /// Redacts more fields and query items.
    package func adding(_ fields: Set<HTTPField.Name>, _ queryItems: Set<String>) -> Redaction {
        if fields.isEmpty && queryItems.isEmpty { return self }
        var redaction = self
        redaction.fields.formUnion(fields)
        redaction.names.formUnion(queryItems.map(\.asciiLowercased))
        return redaction
    }

    /// Also redacts the secrets of a request's call, wherever a server repeats them.
    package func adding(_ request: HTTPRequest) -> Redaction {
        var redaction = self
        redaction.sent = SentSecrets(request, fields: fields, names: names)
        return redaction
    }

    /// Also redacts secrets that are known.
    package func adding(_ sent: SentSecrets) -> Redaction {
        var redaction = self
        redaction.sent = sent
        return redaction
    }

    private var search: SecretSearch? { sent?.search }

    /// Whether the call has secrets to hide.
    var knowsSecrets: Bool { !(search?.isEmpty ?? true) }

    /// A URL without the values of query items that look like secrets.
    package func url(_ url: HTTPURL) -> String {
        RedactedURL(url, extraNames: names).description
    }

    /// A URL that comes from a server, which may have put any secret into it.
    package func foreignURL(_ url: HTTPURL) -> String { hidden(self.url(url)) }

    /// Whether a field's value is redacted: it is sensitive, or its name looks like a secret's.
    package func hides(_ name: HTTPField.Name) -> Bool {
        name.isSensitive || fields.contains(name)
    }

    /// The value of a field without secrets, or the mark.
    package func value(of field: HTTPField) -> String {
        hides(field.name) ? Self.mark : references(field.value)
    }

    func hidesQueryItem(_ name: String, _ value: String) -> Bool {
        RedactedText.hidesItem(name, value, extraNames: names)
    }

    /// A message or the value of a field.
    package func references(_ value: String) -> String {
        hidden(RedactedText.references(value, extraNames: names))
    }

    /// A text without the secrets of the call.
    package func hidden(_ text: String) -> String { search?.redacted(text) ?? text }

    /// Redacts a body that comes in chunks.
    package func redactor(for type: MediaType? = nil) -> SecretRedactor {
        SecretRedactor(
            isForm: type?.matches(.form) == true, extraNames: names, secrets: search,
            scansNames: type?.isBinary != true)
    }

    /// The start of a body and its encoding: text without secrets, or base64 if it isn't text.
    ///
    /// - Parameter isCut: Whether the data is only the start of the body.
    package func text(
        of data: Data, _ type: MediaType?, limit: Int, isCut: Bool = false
    ) -> (text: String, encoding: String?) {
        let isCut = isCut || data.count > limit
        let bytes = self.bytes(of: data, type, limit: limit, isCut: isCut)
        if type?.isJSON == true || type == .ndjson {
            return (String(decoding: bytes, as: UTF8.self) + (data.count > limit ? "…" : ""), nil)
        }
        // The last character may be incomplete.
        let text = (0...(isCut ? min(3, bytes.count) : 0)).lazy
            .compactMap { String(validating: bytes.dropLast($0), as: UTF8.self) }.first
        return text.map { ($0, nil) } ?? (Data(bytes).base64EncodedString(), "base64")
    }

    /// The start of a body without secrets.
    package func bytes(of data: Data, _ type: MediaType?, limit: Int, isCut: Bool = false) -> [UInt8] {
        let isCut = isCut || data.count > limit
        let data = data.prefix(max(0, limit))
        if !knowsSecrets, !data.withUnsafeBytes(SecretScanner.mayHoldSecret) { return Array(data) }
        var redactor = redactor(for: type)
        return redactor.finish(data, isCut: isCut)
    }
}

extension MediaType {
    /// Whether a body of this type has no names: an image, or compressed data.
    fileprivate var isBinary: Bool {
        ["image", "audio", "video", "font"].contains(type) && subtype != "svg+xml"
    }
}

extension HTTPRequest {
    /// A text without secrets, for logs of your own: values under secret names, and what this request's call has sent,
    /// however the text writes it.
    ///
    /// ```swift
    /// let response = try await next(call)
    /// print(response.request.redacted("\(response.head.fields["X-Debug"] ?? "")"))
    /// ```
    ///
    /// Use the request of a response or an error: it knows the credentials that were attached.
    ///
    /// - Parameter text: A message, or a body in JSON, as a form, in parts, or in any other text.
    public func redacted(_ text: String) -> String {
        let data = Data(text.utf8)
        return String(decoding: Redaction().adding(self).bytes(of: data, nil, limit: data.count), as: UTF8.self)
    }
}
