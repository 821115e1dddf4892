/// A parameter's value with its character set and language before it (RFC 8187 section 3.2): `UTF-8'en'na%C3%AFve`.
package enum ExtendedValue {
    /// The text; nil if the value has another form, or a character set other than UTF-8 and ISO-8859-1.
    package static func decoded(_ text: String) -> String? {
        let parts = text.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        switch String(parts[0]).asciiLowercased {
        case "utf-8": return PercentEncoding.decode(parts[2])
        case "iso-8859-1": return latin(parts[2])
        default: return nil
        }
    }

    private static func latin(_ text: Substring) -> String? {
        var scalars = String.UnicodeScalarView()
        var rest = text.utf8[...]
        while let next = rest.popFirst() {
            guard next == UInt8(ascii: "%") else {
                scalars.append(Unicode.Scalar(next))
                continue
            }
            guard let byte = PercentEncoding.byte(rest.prefix(2)) else { return nil }
            scalars.append(Unicode.Scalar(byte))
            rest.removeFirst(2)
        }
        return String(scalars)
    }
}
