import GodwitSupport

/// Elements and attributes of XML and HTML.
enum SecretMarkup {
    /// Attributes that hold the name of a value: `<input name="password" value="…">`.
    static let nameAttributes = ["name", "key", "id", "type", "property", "field"]
    private static let valueAttributes = ["value", "content"]
    /// Elements without an end.
    static let voidElements: Set<String> = [
        "input", "meta", "link", "param", "br", "img", "area", "base", "hr", "source",
    ]

    static func isValue(_ name: SecretLabel) -> Bool { valueAttributes.contains { name.names($0) } }

    /// The text in the quotes after a sign, or up to a blank.
    static func quoted(after sign: Int, in text: SecretInput) -> ArraySlice<UInt8> {
        let rest = text.bytes[(sign + 1)...].prefix(SecretInput.reach)
        guard let quote = rest.first, "\"'".utf8.contains(quote) else {
            return rest.prefix { $0 > 0x20 && $0 != UInt8(ascii: ">") }
        }
        return rest.dropFirst().prefix { $0 != quote }
    }
}

extension SecretText {
    /// Hides the content of an element with a secret name.
    mutating func readTagEnd(_ text: inout SecretInput) {
        let end = text.position
        guard let start = tag(in: text), tagEnd(from: start, in: text) == end, text[end - 1] != UInt8(ascii: "/")
        else { return }
        let name = text.bytes[start..<end].prefix { $0 > 0x20 }
        guard let first = name.first, first >= 0x40 else { return }
        let isPaired =
            namesSecret(start..<end, in: text)
            && !SecretMarkup.voidElements.contains(String(decoding: name, as: UTF8.self).asciiLowercased)
        guard isPaired || meaning(of: name).isSecret else { return }
        text.position += 1
        hide(.before("</".utf8 + Array(name)), in: &text)
    }

    /// Whether an attribute is the value of another attribute that names a secret; `nil` if that isn't known yet.
    mutating func pairsWithSecret(in text: SecretInput) -> Bool? {
        guard let start = tag(in: text) else { return false }
        guard let end = tagEnd(from: start, in: text) else { return nil }
        // Of a tag that was cut, the name may be missing.
        return end == text.bytes.count || namesSecret(start..<end, in: text)
    }

    /// What follows the latest `<`.
    private func tag(in text: SecretInput) -> Int? {
        tagStart.map { text.index($0) + 1 }.flatMap { $0 > text.position - SecretInput.reach ? $0 : nil }
    }

    /// The end of a tag, or of a text that was cut; `nil` if it isn't known yet.
    private func tagEnd(from start: Int, in text: SecretInput) -> Int? {
        var quote: UInt8?
        return text.end(from: start) { byte in
            if let open = quote {
                if byte == open { quote = nil }
            } else if "\"'".utf8.contains(byte) {
                quote = byte
            }
            return quote != nil || !"<>".utf8.contains(byte)
        }
    }

    /// Whether an attribute of a tag names a secret.
    private mutating func namesSecret(_ tag: Range<Int>, in text: SecretInput) -> Bool {
        for sign in tag where text.bytes[sign] == UInt8(ascii: "=") {
            guard let label = SecretLabel(before: sign, in: text), label.quoteLevel == nil,
                SecretMarkup.nameAttributes.contains(where: label.names)
            else { continue }
            if meaning(of: SecretMarkup.quoted(after: sign, in: text)).isSecret { return true }
        }
        return false
    }
}
