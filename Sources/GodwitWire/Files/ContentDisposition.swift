/// What a server says about how its content is to be kept (RFC 6266).
package struct ContentDisposition: Sendable, Hashable {
    /// `attachment`, `inline` or another, in lower case.
    package let type: String
    /// The name as the server wrote it, `filename*` before `filename`; not safe yet, see ``SafeFileName``.
    package let fileName: String?

    /// Reads a value; nil where it begins with no type.
    package init?(_ text: String) {
        var scanner = FieldScanner(text)
        scanner.skipBlanks()
        guard let type = scanner.token() else { return nil }
        self.type = type.asciiLowercased
        var (plain, extended): (String?, String?)
        while !scanner.isAtEnd {
            scanner.read { $0 == UInt8(ascii: ";") }
            guard scanner.skip(";") else { break }
            scanner.skipBlanks()
            guard let name = scanner.token()?.asciiLowercased else { continue }
            scanner.skipBlanks()
            guard scanner.skip("=") else { continue }
            scanner.skipBlanks()
            let value = scanner.quotedString() ?? scanner.read { $0 == UInt8(ascii: ";") }.trimmingBlanks
            // The first of several counts.
            if name == "filename" { plain = plain ?? value }
            if name == "filename*" { extended = extended ?? Self.decoded(value) }
        }
        fileName = extended ?? plain
    }

    /// A value with its charset and language before it (RFC 8187 section 3.2): `UTF-8'en'na%C3%AFve`.
    private static func decoded(_ text: String) -> String? {
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
