import GodwitSupport

/// JSON Web Tokens (RFC 7519), which any text may have: they start with `{"` in Base64.
enum SecretWebToken {
    private static let start = Array("eyJ".utf8)
    private static let shortestHeader = 8

    /// Whether a token starts here; `nil` if that isn't known yet. Of a token that was cut, its header shows it.
    static func starts(in text: SecretInput) -> Bool? {
        let index = text.position
        if let before = text[index - 1], before.isWebTokenByte { return false }
        guard let isStart = text.has(start, at: index) else { return nil }
        guard isStart else { return false }
        guard let header = text.end(from: index, while: \.isWebTokenByte) else { return nil }
        guard header - index >= shortestHeader, text[header] == UInt8(ascii: ".") else { return false }
        guard let claims = text.end(from: header + 1, while: \.isWebTokenByte) else { return nil }
        return text[claims].map { $0 == UInt8(ascii: ".") } ?? true
    }
}

extension UInt8 {
    /// Whether Base64 for URLs has this byte (RFC 4648 section 5).
    var isWebTokenByte: Bool { isDigit || isLetter || "-_".utf8.contains(self) }
}
