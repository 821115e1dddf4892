/// Redacts messages for logs and recordings.
package struct Redaction: Sendable {
    /// The replacement of a secret.
    package static let mark = "<redacted>"

    private var fields: Set<HTTPField.Name>
    private var names: Set<String>

    /// - Parameters:
    ///   - fields: Fields to redact in addition to those that look like secrets.
    ///   - names: Additional names of query items, form items and JSON members; compared case-insensitively.
    package init(fields: Set<HTTPField.Name>, names: Set<String>) {
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

    /// A URL without the values of query items that look like secrets.
    package func url(_ url: HTTPURL) -> String {
        RedactedURL(url, extraNames: names).description
    }

    /// Whether a field's value is redacted: it is sensitive, or its name looks like a secret's.
    package func hides(_ name: HTTPField.Name) -> Bool {
        name.hidesValue || fields.contains(name)
    }

    /// The value of a field without secrets, or the mark.
    package func value(of field: HTTPField) -> String {
        if hides(field.name) { return Self.mark }
        return field.name.holdsURLs ? references(field.value) : field.value
    }

    func hidesQueryItem(_ name: String, _ value: String) -> Bool {
        SecretName.isSecretQueryItem(name) || names.contains(name.asciiLowercased)
            || RedactedText.holdsSecretJSON(value, extraNames: names)
    }

    func form(_ text: some StringProtocol) -> String {
        RedactedText.form(text, extraNames: names)
    }

    func json(_ data: Data, limit: Int) -> String {
        RedactedText.json(data, limit: limit, extraNames: names)
    }

    /// URLs as in header fields.
    package func references(_ value: String) -> String {
        RedactedText.references(value, extraNames: names)
    }

    /// The start of a body and its encoding: text without secrets, or base64 if it isn't text.
    package func text(of data: Data, _ type: MediaType?, limit: Int) -> (text: String, encoding: String?) {
        let start = data.prefix(max(0, limit))
        if type?.isJSON == true || type == .ndjson { return (json(data, limit: limit), nil) }
        guard let text = String(validating: start, as: UTF8.self) else {
            return (start.base64EncodedString(), "base64")
        }
        return (type?.matches(.form) == true ? form(text) : text, nil)
    }
}
