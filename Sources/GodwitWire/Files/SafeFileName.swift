/// A file name made safe from an untrusted one: a visible file directly in its folder.
///
/// - Only the part after the last `/` or `\` is used.
/// - Control characters, bidirectional marks and other invisible characters are removed (all that are default-ignorable).
/// - `:*?"<>|`, which other systems forbid, become `_`.
/// - Leading and trailing dots and spaces are removed, also those with combining marks, so the name isn't hidden, `.` or `..`.
/// - Device names such as `CON` or `lpt1.txt` are prefixed with `_`.
/// - Names over 255 bytes of UTF-8 are truncated between characters, before the extension.
package struct SafeFileName: Sendable, Hashable, CustomStringConvertible {
    /// The maximum length on common file systems, in bytes.
    package static let longest = 255

    /// The name.
    package let text: String

    /// Creates a safe name; `nil` if nothing remains.
    package init?(_ proposed: String) {
        let last = proposed.unicodeScalars.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "\\" }.last
        var scalars = String.UnicodeScalarView()
        for scalar in last ?? Substring.UnicodeScalarView() where !Self.isInvisible(scalar) {
            scalars.append(Self.forbidden.contains(scalar) ? "_" : scalar)
        }
        var name = Self.trimmed(String(scalars))
        if Self.isDevice(name) { name = "_" + name }
        name = Self.trimmed(Self.cut(name, to: Self.longest))
        guard !name.isEmpty else { return nil }
        text = name
    }

    /// The numbered name: `report.pdf` as `report (2).pdf`.
    package func numbered(_ number: Int) -> SafeFileName {
        let (stem, suffix) = Self.parts(of: text)
        let tail = " (\(number))\(suffix)"
        return SafeFileName(kept: Self.prefix(of: stem, bytes: Self.longest - tail.utf8.count) + tail)
    }

    package var description: String { text }

    private init(kept text: String) {
        self.text = text
    }

    private static let forbidden: Set<Unicode.Scalar> = [":", "*", "?", "\"", "<", ">", "|"]

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.properties.isDefaultIgnorableCodePoint { return true }
        return switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse: true
        default: false
        }
    }

    private static func trimmed(_ name: String) -> String {
        // Not characters: a dot with a combining mark is another character than a dot.
        let isEdge: (Unicode.Scalar) -> Bool = { $0 == "." || $0.properties.isWhitespace }
        let start = name.unicodeScalars.drop { isEdge($0) || isMark($0) }
        var end = start.endIndex
        while end > start.startIndex, isEdge(start[start.index(before: end)]) { end = start.index(before: end) }
        return String(start[..<end])
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }

    /// Windows reserves these names for devices, with any extension.
    private static func isDevice(_ name: String) -> Bool {
        let stem = String(Substring(name.unicodeScalars.prefix { $0 != "." })).trimmingBlanks.asciiLowercased
        if ["con", "prn", "aux", "nul", "conin$", "conout$", "clock$"].contains(stem) { return true }
        guard stem.hasPrefix("com") || stem.hasPrefix("lpt"), stem.count == 4, let last = stem.last else {
            return false
        }
        return "0123456789¹²³".contains(last)
    }

    private static func cut(_ name: String, to limit: Int) -> String {
        guard name.utf8.count > limit else { return name }
        let (stem, suffix) = parts(of: name)
        return prefix(of: stem, bytes: limit - suffix.utf8.count) + suffix
    }

    /// The stem and the extension with its dot. An overlong extension counts as part of the stem.
    private static func parts(of name: String) -> (stem: String, suffix: String) {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex, name[dot...].utf8.count <= 32 else {
            return (name, "")
        }
        return (String(name[..<dot]), String(name[dot...]))
    }

    /// The longest prefix of whole characters that fits.
    private static func prefix(of text: String, bytes limit: Int) -> String {
        var (kept, count) = ("", 0)
        for character in text {
            count += character.utf8.count
            if count > limit { break }
            kept.append(character)
        }
        return kept
    }
}

/// The value of `Content-Disposition` (RFC 6266).
package struct ContentDisposition: Sendable, Hashable {
    /// `attachment`, `inline` or another type, in lowercase.
    package let type: String
    /// The name as the server sent it; `filename*` takes precedence over `filename`. Unsafe; see ``SafeFileName``.
    package let fileName: String?

    /// Parses a value; `nil` if it doesn't start with a type.
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
