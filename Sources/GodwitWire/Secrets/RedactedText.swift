/// Message text as shown in logs and errors: bounded, with values that look like secrets redacted.
package enum RedactedText {
    private static let mark = "<redacted>"

    /// The start of a JSON body with secrets redacted. Text that isn't JSON is only bounded.
    ///
    /// Scans the text instead of parsing it, so truncated or malformed bodies are redacted as far as they go.
    ///
    /// - Parameter extraNames: More member names to redact, in lowercase.
    package static func json(_ data: Data, limit: Int, extraNames: Set<String> = []) -> String {
        var scanner = Scanner(rest: data.prefix(max(0, limit)), extraNames: extraNames)
        let text = scanner.redacted()
        return data.count > limit ? text + "…" : text
    }

    /// A query, or a body in the same form, with the values of secret items redacted.
    package static func form(_ text: some StringProtocol, extraNames: Set<String> = []) -> String {
        var shown = ""
        let text = Substring(text)
        for item in text.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false) {
            if item.startIndex > text.startIndex { shown += "&" }
            shown += secretSign(in: item, extraNames).map { Substring(item[...$0]) + mark } ?? Substring(item)
        }
        return shown
    }

    /// Whether a query has a value to redact.
    static func holdsSecrets(_ query: String, _ extraNames: Set<String>) -> Bool {
        query.utf8.split(separator: UInt8(ascii: "&")).contains { secretSign(in: $0, extraNames) != nil }
    }

    /// The `=` before a value to redact; `nil` if there is nothing to redact.
    private static func secretSign(in item: Substring.UTF8View, _ extraNames: Set<String>) -> String.Index? {
        guard let sign = item.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        let value = Substring(item[sign...].dropFirst())
        let hides = isSecret(Substring(item[..<sign]), extraNames) || holdsSecretJSON(value, extraNames: extraNames)
        return hides ? sign : nil
    }

    /// Whether an item's value is JSON with a secret in it, as in the `variables` of a GraphQL query.
    ///
    /// - Parameter value: As in the query, or decoded.
    package static func holdsSecretJSON(_ value: some StringProtocol, extraNames: Set<String> = []) -> Bool {
        let start = String(value.prefix(3)).asciiLowercased
        guard ["{", "[", "%7b", "%5b"].contains(where: start.hasPrefix) else { return false }
        let spaced = String(value.map { $0 == "+" ? " " : $0 })
        let text = PercentEncoding.decode(spaced) ?? spaced
        let data = Data(text.utf8)
        return json(data, limit: data.count, extraNames: extraNames) != text
    }

    private static func isSecret(_ name: Substring, _ extraNames: Set<String>) -> Bool {
        let name = PercentEncoding.decode(name) ?? String(name)
        return SecretName.isSecretQueryItem(name) || extraNames.contains(name.asciiLowercased)
    }

    /// URLs in a text, as in header fields. Tokens also occur in fragments at the end of a sign-in (RFC 6749 section
    /// 4.2.2), and credentials before a host.
    package static func references(_ text: String, extraNames: Set<String> = []) -> String {
        let text = withoutUserInfo(text)
        var shown = ""
        var rest = text[...]
        while let mark = rest.firstIndex(where: { $0 == "?" || $0 == "#" }) {
            shown += shown.isEmpty ? String(rest[..<mark]) : form(rest[..<mark], extraNames: extraNames)
            shown.append(rest[mark])
            rest = rest[mark...].dropFirst()
        }
        return shown.isEmpty ? text : shown + form(rest, extraNames: extraNames)
    }

    private static func withoutUserInfo(_ text: String) -> String {
        let pieces = text.split(separator: "//", omittingEmptySubsequences: false)
        let shown = pieces.dropFirst().map { piece -> String in
            let authority = piece.prefix { !"/?#>;, ".contains($0) }
            return authority.lastIndex(of: "@").map { mark + piece[$0...] } ?? String(piece)
        }
        return ([String(pieces.first ?? "")] + shown).joined(separator: "//")
    }

    private struct Scanner {
        var rest: Data
        let extraNames: Set<String>

        mutating func redacted() -> String {
            var shown: [UInt8] = []
            while let byte = rest.first {
                guard byte == UInt8(ascii: "\"") else {
                    shown.append(byte)
                    rest.removeFirst()
                    continue
                }
                let name = takeString()
                shown += name
                let gap = takeGap()
                shown += gap
                if gap.contains(UInt8(ascii: ":")), isSecret(name) {
                    skipValue()
                    shown += "\"\(mark)\"".utf8
                }
            }
            return Self.text(shown)
        }

        private func isSecret(_ quoted: [UInt8]) -> Bool {
            let name = Self.text(quoted.dropFirst().dropLast())
            return SecretName.isSecret(name) || extraNames.contains(name.asciiLowercased)
        }

        /// A string with its quotes; reads to the end if it isn't closed.
        private mutating func takeString() -> [UInt8] {
            var string = [rest.removeFirst()]
            var isEscaped = false
            while let byte = rest.popFirst() {
                string.append(byte)
                if byte == UInt8(ascii: "\""), !isEscaped { break }
                isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
            }
            return string
        }

        /// Whitespace and a colon, as between a name and its value.
        private mutating func takeGap() -> [UInt8] {
            let gap = rest.prefix { $0 == UInt8(ascii: ":") || $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
            rest.removeFirst(gap.count)
            return Array(gap)
        }

        private mutating func skipValue() {
            var depth = 0
            while let byte = rest.first {
                switch byte {
                case UInt8(ascii: "\""): _ = takeString()
                case UInt8(ascii: "{"), UInt8(ascii: "["):
                    depth += 1
                    rest.removeFirst()
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    guard depth > 0 else { return }
                    depth -= 1
                    rest.removeFirst()
                case UInt8(ascii: ",") where depth == 0: return
                default: rest.removeFirst()
                }
            }
        }

        private static func text(_ bytes: some Collection<UInt8>) -> String {
            String(decoding: bytes, as: UTF8.self)
        }
    }
}
