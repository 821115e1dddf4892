/// The host and port of a URL (RFC 3986 section 3.2).
enum Authority {
    /// Splits and checks an authority; the port is the scheme's default where none is named.
    static func parse(_ text: String, scheme: HTTPURL.Scheme) throws(InvalidURL) -> (host: String, port: Int) {
        guard !text.contains("@") else {
            throw InvalidURL("credentials in a URL end up in logs; configure authentication instead")
        }
        let (host, port) = split(text)
        return (try checked(host), try number(port) ?? scheme.defaultPort)
    }

    private static func split(_ text: String) -> (host: String, port: String?) {
        let afterAddress = text.lastIndex(of: "]").map { text.index(after: $0) } ?? text.startIndex
        guard let colon = text[afterAddress...].firstIndex(of: ":") else { return (text, nil) }
        return (String(text[..<colon]), String(text[text.index(after: colon)...]))
    }

    private static func number(_ text: String?) throws(InvalidURL) -> Int? {
        guard let text, !text.isEmpty else { return nil }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = Int(text), (1...65535).contains(port)
        else { throw InvalidURL("the port must be a number from 1 to 65535, not \"\(text)\"") }
        return port
    }

    private static func checked(_ host: String) throws(InvalidURL) -> String {
        guard !host.isEmpty else { throw InvalidURL("the host is empty") }
        guard host.utf8.allSatisfy({ $0 < 0x80 }) else {
            throw InvalidURL("write the host \"\(host)\" in its ASCII form (xn--…)")
        }
        if host.hasPrefix("[") { return try checkedIPv6(host) }
        guard host.utf8.allSatisfy(isHostByte), host.utf8.count <= 253 else {
            throw InvalidURL("\"\(host)\" is not a legal host name")
        }
        return host.asciiLowercased
    }

    private static func checkedIPv6(_ host: String) throws(InvalidURL) -> String {
        let address = host.dropFirst().dropLast()
        let isLegal = address.utf8.allSatisfy { byte in
            isHexDigit(byte) || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
        }
        guard host.hasSuffix("]"), isLegal, address.contains(":"), address.utf8.count <= 45 else {
            throw InvalidURL("\"\(host)\" is not a legal IPv6 address")
        }
        return host.asciiLowercased
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte.asciiLowercased) || (0x30...0x39).contains(byte)
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte.asciiLowercased)
    }
}
