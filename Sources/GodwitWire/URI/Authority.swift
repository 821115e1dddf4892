/// The host and port of a URL (RFC 3986 section 3.2).
package enum Authority {
    /// Splits and validates an authority. The port defaults to the scheme's.
    ///
    /// - Returns: Also the host as it was typed, if it is a name outside ASCII that can be shown.
    static func parse(
        _ text: String, scheme: HTTPURL.Scheme
    ) throws(InvalidURL) -> (host: String, port: Int, shownHost: String?) {
        guard !text.utf8.contains(UInt8(ascii: "@")) else {
            throw InvalidURL("credentials in a URL end up in logs; configure authentication instead")
        }
        let (host, port) = split(text)
        let shown = isASCII(host) || host.unicodeScalars.contains(where: isInvisible) ? nil : host
        return (try normalized(host), try number(port) ?? scheme.defaultPort, shown)
    }

    private static func isASCII(_ text: String) -> Bool { text.utf8.allSatisfy { $0 < 0x80 } }

    /// Whether a character can be in a name that is typed, but not in the one that is asked for.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isDefaultIgnorableCodePoint }

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

    /// The host as it is in a URL: a name in lowercase ASCII, an address in its one form, an IPv6 address in brackets.
    package static func normalized(_ host: String) throws(InvalidURL) -> String {
        guard !host.isEmpty else { throw InvalidURL("the host is empty") }
        if host.hasPrefix("[") { return try checkedIPv6(host) }
        guard let name = asciiName(host) else { throw InvalidURL("\"\(host)\" is not a valid host name") }
        return try checkedName(name)
    }

    /// The name in ASCII. Characters outside ASCII may be percent-encoded; those within would only hide what the host is.
    static func asciiName(_ host: String) -> String? {
        guard !isASCII(host) || host.utf8.contains(UInt8(ascii: "%")) else { return host }
        guard let name = PercentEncoding.decode(host), !isASCII(name) else { return nil }
        return InternationalName.ascii(name)
    }

    private static func checkedName(_ host: String) throws(InvalidURL) -> String {
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
        let parts = host.dropFirst().dropLast().split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        guard host.hasSuffix("]"), let groups = parts.first.flatMap(IPAddress.v6) else {
            throw InvalidURL("\"\(host)\" is not a valid IPv6 address")
        }
        let address = IPAddress.canonical(groups)
        guard parts.count > 1 else { return "[\(address)]" }
        let zone = parts[1].hasPrefix("25") ? parts[1].dropFirst(2) : parts[1]
        guard (1...15).contains(zone.utf8.count), zone.utf8.allSatisfy(isZoneByte) else {
            throw InvalidURL("\"\(zone)\" is not the name of a network interface")
        }
        return "[\(address)%25\(zone)]"
    }

    /// The text with `%25` where the zone of an IPv6 address begins with `%`, as people write it (RFC 9844, RFC 6874).
    static func encodingZone(in text: String) -> String {
        let bytes = text.utf8
        guard bytes.contains(UInt8(ascii: "[")), let start = text.firstRange(of: "//["),
            start.lowerBound == text.startIndex || text[..<start.lowerBound].hasSuffix(":"),
            !text[..<start.lowerBound].contains(where: { "/?#".contains($0) }),
            let end = bytes[start.upperBound...].firstIndex(of: UInt8(ascii: "]")),
            let mark = bytes[start.upperBound..<end].firstIndex(of: UInt8(ascii: "%")),
            !text[mark...].hasPrefix("%25")
        else { return text }
        return "\(text[..<mark])%25\(text[bytes.index(after: mark)...])"
    }

    /// The host without the zone of an IPv6 address, which has a meaning on this machine only.
    package static func withoutZone(_ host: String) -> String {
        guard let mark = host.utf8.firstIndex(of: UInt8(ascii: "%")) else { return host }
        return "\(host[..<mark])]"
    }

    private static func isZoneByte(_ byte: UInt8) -> Bool {
        isHostByte(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "~")
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
        byte.isLetter || byte.isDigit
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
}
