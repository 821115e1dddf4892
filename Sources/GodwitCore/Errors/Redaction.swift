/// What logs and recordings show of a message: the one place that decides, for both.
struct Redaction: Sendable {
    static let mark = "<redacted>"

    private var fields: Set<HTTPField.Name>
    private var names: Set<String>

    /// - Parameters:
    ///   - fields: Fields to leave out, beside those that look like secrets.
    ///   - names: Names of query items, form items and JSON members to leave out beside; compared without case.
    init(fields: Set<HTTPField.Name>, names: Set<String>) {
        self.fields = fields
        self.names = Set(names.map(\.asciiLowercased))
    }

    /// What a call's credentials stand under is left out too, whatever its name.
    func adding(_ call: Call) -> Redaction {
        var redaction = self
        redaction.fields.formUnion(call.originBoundFields)
        redaction.names.formUnion(call.secretQueryItems.map(\.asciiLowercased))
        return redaction
    }

    func url(_ url: HTTPURL) -> String {
        RedactedURL(url, extraNames: names).description
    }

    /// Whether a field's value is not shown: it is known as a secret, or its name looks like one.
    func hides(_ name: HTTPField.Name) -> Bool {
        name.hidesValue || fields.contains(name)
    }

    func value(of field: HTTPField) -> String {
        if hides(field.name) { return Self.mark }
        return Self.urlFields.contains(field.name) ? references(field.value) : field.value
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

    /// URLs as servers write them. Tokens stand in fragments too, where a sign-in ends (RFC 6749 section 4.2.2), and
    /// credentials before a host.
    func references(_ value: String) -> String {
        let value = withoutUserInfo(value)
        var shown = ""
        var rest = value[...]
        while let mark = rest.firstIndex(where: { $0 == "?" || $0 == "#" }) {
            shown += (shown.isEmpty ? String(rest[..<mark]) : form(rest[..<mark]))
            shown.append(rest[mark])
            rest = rest[mark...].dropFirst()
        }
        return shown.isEmpty ? value : shown + form(rest)
    }

    private func withoutUserInfo(_ value: String) -> String {
        let pieces = value.split(separator: "//", omittingEmptySubsequences: false)
        let shown = pieces.dropFirst().map { piece -> String in
            let authority = piece.prefix { !"/?#>;, ".contains($0) }
            return authority.lastIndex(of: "@").map { Self.mark + piece[$0...] } ?? String(piece)
        }
        return ([String(pieces.first ?? "")] + shown).joined(separator: "//")
    }

    private static let urlFields: [HTTPField.Name] = [.location, .contentLocation, .referer, .link, "Refresh"]
}
