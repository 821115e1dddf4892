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
            if name == "filename*" { extended = extended ?? ExtendedValue.decoded(value) }
        }
        fileName = extended ?? plain
    }
}
