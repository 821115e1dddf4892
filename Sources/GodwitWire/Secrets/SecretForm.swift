import GodwitSupport

/// Reads a form, or a query: items between `&`, of which nothing else is the end.
///
/// An item is hidden as a whole if its name is a secret's, or if its value has a secret in it.
struct SecretForm: Sendable {
    private static let deepest = 4

    private let extraNames: Set<String>
    private var hiding: SecretEnding?
    /// What reads the rest, which isn't a form.
    private var other: SecretText?

    init(_ extraNames: Set<String>) {
        self.extraNames = extraNames
    }

    mutating func read(_ text: inout SecretInput) {
        while other == nil, !text.isAtEnd, readNext(&text) {}
        other?.read(&text)
    }

    /// The quotation mark that a text which ends needs.
    var closing: [UInt8] { other?.hiding?.closing ?? [] }

    private mutating func readNext(_ text: inout SecretInput) -> Bool {
        let start = text.position
        if hiding?.hide(in: &text) == false { return false }
        if hiding != nil {
            hiding = nil
            return true
        }
        guard let sign = text.end(from: start, while: { !"=&".utf8.contains($0) }) else { return false }
        // A form would encode these bytes.
        if text.bytes[start..<sign].contains(where: { $0 <= 0x20 || "<>\"'{}\\:/?#".utf8.contains($0) }) {
            other = SecretText(extraNames, isProse: false)
            return true
        }
        let value = text[sign] == UInt8(ascii: "=") ? sign + 1 : start
        if value > start, Self.isSecret(String(decoding: text.bytes[start..<sign], as: UTF8.self), extraNames) {
            text.position = value
            text.startHiding()
            hiding = .formItem
            return true
        }
        guard let end = text.end(from: value, while: { $0 != UInt8(ascii: "&") }) else { return false }
        if Self.holdsSecret(text.bytes[value..<end], extraNames) {
            text.position = value
            text.startHiding()
            text.hide(upTo: end)
        }
        text.position = min(end + 1, text.bytes.count)
        return true
    }

    /// Whether the value of an item is hidden.
    static func hides(_ name: String, _ value: String, _ extraNames: Set<String>) -> Bool {
        isSecret(name, extraNames) || holdsSecret(Array(value.utf8)[...], extraNames)
    }

    private static func isSecret(_ name: String, _ extraNames: Set<String>) -> Bool {
        let name = PercentEncoding.decode(name) ?? name
        return SecretName.isSecretQueryItem(name) || !extraNames.isEmpty && extraNames.contains(name.asciiLowercased)
    }

    /// Whether a value, which may be encoded JSON or an encoded URL, has a secret in it.
    ///
    /// - Parameter depth: How many values it is in that encode it. Of values that are too deep, nothing is known.
    static func holdsSecret(_ value: ArraySlice<UInt8>, _ extraNames: Set<String>, depth: Int = 0) -> Bool {
        guard value.withUnsafeBytes(SecretScanner.mayHoldSecret) || value.contains(UInt8(ascii: "%")) else {
            return false
        }
        guard depth < deepest else { return true }
        let decoded = SecretEscapes.decodedItem(value)
        var text = SecretInput(decoded, isWhole: true)
        var reader = SecretText(extraNames, isProse: false, depth: depth + 1)
        reader.read(&text)
        if !text.hidden.isEmpty { return true }
        // It may be encoded twice.
        let isEncoded = decoded.contains(UInt8(ascii: "%")) && decoded.count < value.count
        return isEncoded && holdsSecret(decoded[...], extraNames, depth: depth + 1)
    }
}

extension SecretText {
    /// Reads an item of a query in a text. Returns whether its value was read too; `nil` if that isn't known yet.
    mutating func readItem(_ text: inout SecretInput, _ name: SecretLabel, _ meaning: NameMeaning) -> Bool? {
        let value = text.position + 1
        let inQuery = name.isInQuery(in: text)
        if meaning.isSecretItem {
            let isPath = text[name.start - 1] == UInt8(ascii: ";") && !inQuery
            awaited = .item(inQuery: inQuery, isPath: isPath, allowsBlank: name.isApart)
            return false
        }
        guard text.absolute(value) >= plainEnd else { return false }
        guard let end = text.end(from: value, while: { !SecretEnding.endsItem($0, inQuery: inQuery) }) else {
            return nil
        }
        guard text.bytes[value..<end].contains(where: { "%+".utf8.contains($0) }) else {
            plainEnd = text.absolute(end)
            return false
        }
        text.position = value
        if SecretForm.holdsSecret(text.bytes[value..<end], extraNames, depth: depth) { text.startHiding() }
        if !text.hidden.isEmpty, text.hidden.last?.range == value..<value { text.hide(upTo: end) }
        text.position = end
        return true
    }
}
