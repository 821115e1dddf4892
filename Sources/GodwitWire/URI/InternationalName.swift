#if canImport(CIDN2)
import CIDN2

/// Domain names with characters outside ASCII.
enum InternationalName {
    /// The name as DNS has it, by UTS 46 (non-transitional processing); `nil` if it isn't a domain name.
    ///
    ///     bücher.example → xn--bcher-kva.example
    static func ascii(_ name: String) -> String? {
        guard !name.utf8.contains(0) else { return nil }
        let (text, status) = convert(name, IDN2_NONTRANSITIONAL)
        // libidn2 also asks for IDNA2008 here, which has no emoji. Without these characters, both processings are one.
        guard status == IDN2_DISALLOWED, !name.unicodeScalars.contains(where: deviations.contains) else { return text }
        return convert(name, IDN2_TRANSITIONAL).text
    }

    /// What the two processings of UTS 46 treat differently (section 2.3).
    private static let deviations: Set<Unicode.Scalar> = ["ß", "ẞ", "ς", "\u{200C}", "\u{200D}"]

    private static func convert(_ name: String, _ processing: idn2_flags) -> (text: String?, status: idn2_rc) {
        var result: UnsafeMutablePointer<CChar>?
        let status = idn2_to_ascii_8z(name, &result, CInt(processing.rawValue))
        defer { idn2_free(result) }
        return (status == IDN2_OK.rawValue ? result.map { String(cString: $0) } : nil, idn2_rc(rawValue: status))
    }
}
#endif
