/// What logs and recordings show of a message: the one place that decides, for both.
package struct Redaction: Sendable {
    /// What stands in place of a secret.
    package static let mark = "<redacted>"

    private var fields: Set<HTTPField.Name>
    private var names: Set<String>

    /// - Parameters:
    ///   - fields: Fields to leave out, beside those that look like secrets.
    ///   - names: Names of query items, form items and JSON members to leave out beside; compared without case.
    package init(fields: Set<HTTPField.Name>, names: Set<String>) {
        self.fields = fields
        self.names = Set(names.map(\.asciiLowercased))
    }

    /// Leaves out more fields and query items.
    func adding(_ fields: Set<HTTPField.Name>, _ queryItems: Set<String>) -> Redaction {
        if fields.isEmpty && queryItems.isEmpty { return self }
        var redaction = self
        redaction.fields.formUnion(fields)
        redaction.names.formUnion(queryItems.map(\.asciiLowercased))
        return redaction
    }

    /// A URL without values of query items that look like secrets.
    package func url(_ url: HTTPURL) -> String {
        RedactedURL(url, extraNames: names).description
    }

    /// Whether a field's value is not shown: it is known as a secret, or its name looks like one.
    package func hides(_ name: HTTPField.Name) -> Bool {
        name.hidesValue || fields.contains(name)
    }

    /// The value of a field as it may be shown: without secrets, or the mark alone.
    package func value(of field: HTTPField) -> String {
        if hides(field.name) { return Self.mark }
        return field.name.holdsURLs ? references(field.value) : field.value
    }

    func hidesQueryItem(_ name: String) -> Bool {
        SecretName.isSecretQueryItem(name) || names.contains(name.asciiLowercased)
    }

    func form(_ text: some StringProtocol) -> String {
        RedactedText.form(text, extraNames: names)
    }

    func json(_ data: Data, limit: Int) -> String {
        RedactedText.json(data, limit: limit, extraNames: names)
    }

    /// URLs as servers write them.
    package func references(_ value: String) -> String {
        RedactedText.references(value, extraNames: names)
    }

    /// The beginning of a content: as text without secrets where it is text, else as base64, and how it is written.
    package func text(of data: Data, _ type: MediaType?, limit: Int) -> (text: String, encoding: String?) {
        let start = data.prefix(max(0, limit))
        if type?.isJSON == true || type == .ndjson { return (json(data, limit: limit), nil) }
        guard let text = String(validating: start, as: UTF8.self) else {
            return (start.base64EncodedString(), "base64")
        }
        return (type?.matches(.form) == true ? form(text) : text, nil)
    }
}
