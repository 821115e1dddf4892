import GodwitSupport

/// Percent-encoding of URL components (RFC 3986 section 2).
package enum PercentEncoding {
    /// The bytes that a component keeps unencoded.
    package struct Allowed: Sendable {
        fileprivate let table: [Bool]

        fileprivate init(_ extra: String, forbidding forbidden: String = "") {
            var table = [Bool](repeating: false, count: 256)
            let alphanumeric = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
            for byte in (alphanumeric + "-._~" + extra).utf8 { table[Int(byte)] = true }
            for byte in forbidden.utf8 { table[Int(byte)] = false }
            self.table = table
        }

        /// RFC 3986 section 2.3: safe anywhere.
        package static let unreserved = Allowed("")
        /// A whole path of AWS.
        package static let unreservedAndSlash = Allowed("/")
        /// A value inside one path segment: no `/`, `?`, `#`, `;`, `%`.
        static let segmentValue = Allowed("!$&'()*,=:@")
        /// A path template; `%` marks text that is already encoded.
        package static let path = Allowed("!$&'()*+,;=:@/%")
        /// A name or value of a query item: no `&`, `=`, `+`, `#`, `%`.
        package static let queryValue = Allowed("!$'()*,:@/?")
        /// A value in a comma-separated list.
        static let queryListElement = Allowed("!$'()*:@/?")
        /// A name or value of a form, before spaces become `+` (WHATWG URL section 1.3).
        static let formValue = Allowed("* ", forbidding: "~")
        /// A name or value of a form, with `%20` for spaces (RFC 9421 section 2.2.8).
        package static let signedFormValue = Allowed("*", forbidding: "~")
        /// A query template; `%` marks text that is already encoded.
        package static let query = Allowed("!$&'()*+,;=:@/?%[]")
    }

    /// The text with every other byte as `%XX`, in uppercase digits (RFC 3986 section 2.1).
    package static func encode(_ text: String, allowing allowed: Allowed) -> String {
        if text.utf8.allSatisfy({ allowed.table[Int($0)] }) { return text }
        return encode(text.utf8, allowing: allowed)
    }

    /// Bytes, which need not be UTF-8, as text with every other byte as `%XX`.
    package static func encode(_ text: some Collection<UInt8>, allowing allowed: Allowed) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count * 3)
        for byte in text {
            if allowed.table[Int(byte)] {
                bytes.append(byte)
            } else {
                bytes.append(UInt8(ascii: "%"))
                bytes.append(hexDigit(byte >> 4))
                bytes.append(hexDigit(byte & 0x0F))
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The decoded text; `nil` if a `%` isn't followed by two hexadecimal digits, or the bytes aren't UTF-8.
    package static func decode(_ text: some StringProtocol) -> String? {
        if !text.utf8.contains(UInt8(ascii: "%")) { return String(text) }
        var bytes: [UInt8] = []
        var rest = String(text).utf8[...]
        while let next = rest.popFirst() {
            guard next == UInt8(ascii: "%") else {
                bytes.append(next)
                continue
            }
            guard let decoded = byte(rest.prefix(2)) else { return nil }
            bytes.append(decoded)
            rest.removeFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// The decoded text, whatever it is: a stray `%` is kept, invalid UTF-8 is repaired.
    ///
    /// - Parameter plusIsSpace: Whether `+` is a space, as in a form (WHATWG URL section 5).
    package static func decodeLeniently(_ text: Substring, plusIsSpace: Bool) -> String {
        String(decoding: lenientBytes(text.utf8, plusIsSpace: plusIsSpace), as: UTF8.self)
    }

    /// The same as bytes, which need not be UTF-8.
    package static func lenientBytes(_ text: Substring.UTF8View, plusIsSpace: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text
        while let next = rest.popFirst() {
            if next == UInt8(ascii: "%"), let decoded = byte(rest.prefix(2)) {
                bytes.append(decoded)
                rest.removeFirst(2)
            } else {
                bytes.append(plusIsSpace && next == UInt8(ascii: "+") ? 0x20 : next)
            }
        }
        return bytes
    }

    /// Whether every `%` is followed by two hexadecimal digits.
    package static func isWellFormed(_ text: String) -> Bool {
        var rest = text.utf8[...]
        while let mark = rest.firstIndex(of: UInt8(ascii: "%")) {
            rest = rest[mark...].dropFirst()
            guard byte(rest.prefix(2)) != nil else { return false }
        }
        return true
    }

    /// The value of two hexadecimal digits.
    static func byte(_ digits: Substring.UTF8View) -> UInt8? {
        guard digits.count == 2, let high = digits.first.flatMap(Hexadecimal.value),
            let low = digits.last.flatMap(Hexadecimal.value)
        else { return nil }
        return high << 4 | low
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}
