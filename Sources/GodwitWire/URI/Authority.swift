/// The host and port of a URL (RFC 3986 section 3.2).
enum Authority {
    /// Splits and validates an authority. The port defaults to the scheme's.
    static func parse(_ text: String, scheme: HTTPURL.Scheme) throws(InvalidURL) -> (host: String, port: Int) {
        guard !text.utf8.contains(UInt8(ascii: "@")) else {
            throw InvalidURL("credentials in a URL end up in logs; configure authentication instead")
        }
        let (host, port) = split(text)
        return (try checked(host), try number(port) ?? scheme.defaultPort)
    }

    private static func split(_ text: String) -> (host: String, port: String?) {
        let afterAddress = text.utf8.lastIndex(of: UInt8(ascii: "]")) ?? text.startIndex
        guard let colon = text.utf8[afterAddress...].firstIndex(of: UInt8(ascii: ":")) else { return (text, nil) }
        return (String(text[..<colon]), String(text[text.utf8.index(after: colon)...]))
    }

    private static func number(_ text: String?) throws(InvalidURL) -> Int? {
        guard let text, !text.isEmpty else { return nil }
        guard text.utf8.allSatisfy(\.isDigit), let port = Int(text), (1...65535).contains(port) else {
            // It can be a password without its host.
            throw InvalidURL("the port must be a number from 1 to 65535")
        }
        return port
    }

    private static func checked(_ host: String) throws(InvalidURL) -> String {
        guard !host.isEmpty else { throw InvalidURL("the host is empty") }
        guard host.utf8.allSatisfy({ $0 < 0x80 }) else {
            throw InvalidURL("write the host \"\(host)\" in its ASCII form (xn--…)")
        }
        if host.hasPrefix("[") { return try checkedIPv6(host) }
        let name = host.utf8.last == UInt8(ascii: ".") ? host.utf8.dropLast() : host.utf8[...]
        let labels = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard labels.allSatisfy(isLabel), host.utf8.count <= 254 else {
            throw InvalidURL("\"\(host)\" is not a valid host name")
        }
        if let last = labels.last, isNumeric(last), IPAddress.v4(host) == nil {
            throw InvalidURL("\"\(host)\" is not a valid IPv4 address")
        }
        return host.asciiLowercased
    }

    private static func checkedIPv6(_ host: String) throws(InvalidURL) -> String {
        guard host.hasSuffix("]"), let groups = IPAddress.v6(host.dropFirst().dropLast()) else {
            throw InvalidURL("\"\(host)\" is not a valid IPv6 address")
        }
        return "[\(IPAddress.canonical(groups))]"
    }

    private static func isLabel(_ label: Substring.UTF8View) -> Bool {
        (1...63).contains(label.count) && label.allSatisfy(isHostByte)
    }

    /// Whether a resolver would read a host with this last label as an IPv4 address: `0x7f`, `1`.
    private static func isNumeric(_ label: Substring.UTF8View) -> Bool {
        guard let first = label.first, first.isDigit else { return false }
        return label.allSatisfy(\.isDigit)
            || first == UInt8(ascii: "0") && label.dropFirst().first?.asciiLowercased == UInt8(ascii: "x")
                && label.dropFirst(2).allSatisfy(IPAddress.isHexDigit)
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte.asciiLowercased) || byte.isDigit
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
}
