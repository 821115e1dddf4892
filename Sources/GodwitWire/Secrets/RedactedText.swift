/// Redacts text that comes in chunks: the values of secret names, and secrets that are known.
package struct SecretRedactor: Sendable {
    private var scanner: SecretScanner?
    private var run: SecretSearchRun?

    /// - Parameters:
    ///   - extraNames: More names of secrets, in lowercase.
    ///   - secrets: The known secrets.
    ///   - scansNames: Whether the values of secret names are redacted. Without that, only the known secrets are.
    package init(extraNames: Set<String> = [], secrets: SecretSearch? = nil, scansNames: Bool = true) {
        scanner = scansNames ? SecretScanner(extraNames: extraNames) : nil
        run = secrets.flatMap { $0.isEmpty ? nil : SecretSearchRun($0) }
    }

    /// Reads the next bytes, and returns those that are known to be shown. Few bytes wait for the next ones.
    package mutating func append(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        let scanned = scanner?.append(bytes) ?? Array(bytes)
        return run?.append(scanned) ?? scanned
    }

    /// Ends the text, and returns the rest.
    ///
    /// - Parameter isCut: Whether the text was cut off, perhaps inside a secret.
    package mutating func finish(isCut: Bool = false) -> [UInt8] {
        let scanned = scanner?.finish() ?? []
        guard run != nil else { return scanned }
        let start = run?.append(scanned) ?? []
        return start + (run?.finish(isCut: isCut) ?? [])
    }
}

/// Message text as shown in logs and errors: bounded, with secrets redacted.
package enum RedactedText {
    /// The start of a body with secrets redacted.
    ///
    /// Scans the text instead of parsing it, so truncated or malformed bodies are redacted as far as they go.
    ///
    /// - Parameter extraNames: More member names to redact, in lowercase.
    package static func json(_ data: Data, limit: Int, extraNames: Set<String> = []) -> String {
        var redactor = SecretRedactor(extraNames: extraNames)
        let start = redactor.append(data.prefix(max(0, limit)))
        let text = String(decoding: start + redactor.finish(isCut: data.count > limit), as: UTF8.self)
        return data.count > limit ? text + "…" : text
    }

    /// A query, or a body in the same form, with the values of secret items redacted.
    package static func form(_ text: String, extraNames: Set<String> = []) -> String {
        text.withBytes { bytes in
            var shown: [UInt8] = []
            var (start, written) = (0, 0)
            while start < bytes.count {
                let end = bytes[start...].firstIndex(of: UInt8(ascii: "&")) ?? bytes.count
                if let sign = secretSign(in: bytes[start..<end], extraNames) {
                    shown += bytes[written...sign]
                    shown += SecretScanner.mark.utf8
                    written = end
                }
                start = end + 1
            }
            return shown.isEmpty ? text : String(decoding: shown + bytes[written...], as: UTF8.self)
        }
    }

    /// The `=` before a value to redact; `nil` if there is nothing to redact.
    private static func secretSign(in item: Slice<UnsafeBufferPointer<UInt8>>, _ extraNames: Set<String>) -> Int? {
        guard let sign = item.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        let name = String(decoding: item[..<sign], as: UTF8.self)
        let value = UnsafeBufferPointer(rebasing: item[(sign + 1)...])
        return hidesItem(PercentEncoding.decode(name) ?? name, value, extraNames) ? sign : nil
    }

    /// Whether the value of a query item is a secret or has one in it, as in the `variables` of a GraphQL query.
    ///
    /// - Parameters:
    ///   - name: The decoded name.
    ///   - value: As in the query, or decoded.
    package static func hidesItem(_ name: String, _ value: String, extraNames: Set<String> = []) -> Bool {
        value.withBytes { hidesItem(name, $0, extraNames) }
    }

    private static func hidesItem(
        _ name: String, _ value: UnsafeBufferPointer<UInt8>, _ extraNames: Set<String>
    ) -> Bool {
        if SecretName.isSecretQueryItem(name) || extraNames.contains(name.asciiLowercased) { return true }
        guard value.contains(where: mayStartSecret) else { return false }
        let spaced = String(decoding: value.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }, as: UTF8.self)
        return SecretScanner.holdsSecret(PercentEncoding.decode(spaced) ?? spaced, extraNames: extraNames)
    }

    /// Values with a secret have a quotation mark, an equals sign or a user, perhaps encoded.
    private static func mayStartSecret(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "%"), UInt8(ascii: "\""), UInt8(ascii: "="), UInt8(ascii: "@"), UInt8(ascii: ":"): true
        default: false
        }
    }

    /// A message or the value of a field, without the secrets in its URLs and quotations. Tokens also occur in fragments at
    /// the end of a sign-in (RFC 6749 section 4.2.2), and credentials before a host.
    package static func references(_ text: String, extraNames: Set<String> = []) -> String {
        guard SecretScanner.mayHoldSecret(prose: text, extraNames: extraNames) else { return text }
        return SecretScanner.redacted(text, extraNames: extraNames, isProse: true)
    }
}
