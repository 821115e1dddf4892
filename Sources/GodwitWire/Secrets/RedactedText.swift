import GodwitSupport

/// Message text as shown in logs and errors: bounded, with secrets redacted.
package enum RedactedText {
    /// The start of a body with secrets redacted, as far as it goes: it may be cut or malformed.
    ///
    /// - Parameter extraNames: More member names to redact, in lowercase.
    package static func json(_ data: Data, limit: Int, extraNames: Set<String> = []) -> String {
        var redactor = SecretRedactor(extraNames: extraNames)
        let start = redactor.finish(data.prefix(max(0, limit)), isCut: data.count > limit)
        let text = String(decoding: start, as: UTF8.self)
        return data.count > limit ? text + "…" : text
    }

    /// A query, or a body in the same form, with the values of secret items redacted.
    package static func form(_ text: String, extraNames: Set<String> = []) -> String {
        var input = SecretInput(Array(text.utf8), isWhole: true)
        var form = SecretForm(extraNames)
        form.read(&input)
        return input.hidden.isEmpty ? text : String(decoding: input.takeShown(), as: UTF8.self)
    }

    /// Whether the value of a query item is a secret or has one in it, as in the `variables` of a GraphQL query.
    ///
    /// - Parameters:
    ///   - name: The decoded name.
    ///   - value: As in the query, or decoded.
    package static func hidesItem(_ name: String, _ value: String, extraNames: Set<String> = []) -> Bool {
        SecretForm.hides(name, value, extraNames)
    }

    /// A message or the value of a field, without the secrets in its URLs and quotations. Tokens also occur in fragments at
    /// the end of a sign-in (RFC 6749 section 4.2.2), and credentials before a host.
    package static func references(_ text: String, extraNames: Set<String> = []) -> String {
        guard SecretScanner.mayHoldSecret(prose: text, extraNames: extraNames) else { return text }
        return SecretScanner.redacted(text, extraNames: extraNames, isProse: true)
    }
}
