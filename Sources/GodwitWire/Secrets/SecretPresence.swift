// What is known of a text without a scan.
extension SecretScanner {
    /// Whether a text may have something to redact: a name and its value have one of these bytes between them, perhaps
    /// escaped, and a token starts with `eyJ`. Most values of fields have none, and a search takes a hundred times as long.
    package static func mayHoldSecret(_ bytes: UnsafeRawBufferPointer) -> Bool {
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "="), UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "<"), UInt8(ascii: "\\"):
                return true
            case UInt8(ascii: "J") where index > 1 && bytes[index - 1] == UInt8(ascii: "y"): return true
            default: continue
            }
        }
        return false
    }

    /// The same for a message or the value of a field without escapes. A colon after a number, as in a date, has no name
    /// before it.
    package static func mayHoldSecret(prose text: String, extraNames: Set<String>) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            var previous: UInt8 = 0x20
            // Whether something before may be a name: more than a number since the latest blank, or a quotation.
            var (hasName, hasQuotation) = (false, !extraNames.isEmpty)
            for byte in bytes {
                switch byte {
                case UInt8(ascii: "="), UInt8(ascii: "@"): return true
                case UInt8(ascii: "J") where previous == UInt8(ascii: "y"): return true
                case UInt8(ascii: ":"): if hasName || hasQuotation { return true }
                case 0x20: break
                case UInt8(ascii: "0")...UInt8(ascii: "9"):
                    if previous == 0x20 || previous == UInt8(ascii: ":") { hasName = false }
                case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"): hasQuotation = true
                default: hasName = true
                }
                previous = byte
            }
            return false
        }
    }
}
