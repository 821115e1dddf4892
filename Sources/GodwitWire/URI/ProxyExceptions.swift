/// The hosts that are reached without a proxy, as listed in `NO_PROXY`.
///
/// Entries are separated by commas or whitespace, and mean what they mean to curl 8 and Go: `example.com` and
/// `.example.com` include subdomains, `10.0.0.0/8` and `fd00::/8` are networks, `[::1]` and `::1` are one address in any
/// spelling, `example.com:8080` applies to one port, and `*` is every host.
package struct ProxyExceptions: Sendable, Hashable {
    private enum Pattern: Hashable {
        case any
        /// A name with its subdomains, in lowercase, without dots at its ends.
        case name(String)
        case network([UInt8], length: Int)
    }

    private struct Entry: Hashable {
        var pattern: Pattern
        /// `nil` for every port.
        var port: Int?
    }

    private let entries: [Entry]

    /// Reads a list. Entries that make no sense match nothing.
    package init(_ list: String) {
        let words = list.split { $0 == "," || $0.isWhitespace }
        entries = words.compactMap(Self.entry)
    }

    /// Whether a host is reached directly.
    ///
    /// - Parameters:
    ///   - host: As in a URL: in lowercase, an IPv6 address in brackets.
    ///   - port: The URL's port, or its scheme's.
    package func contain(_ host: String, port: Int) -> Bool {
        guard !entries.isEmpty else { return false }
        let address = IPAddress.bytes(host)
        let name = host.hasSuffix(".") ? host.dropLast() : host[...]
        return entries.contains { entry in
            guard entry.port == nil || entry.port == port else { return false }
            return switch entry.pattern {
            case .any: true
            case .name(let pattern): address == nil && Self.isInside(name, pattern)
            case .network(let prefix, let length): address.map { Self.shares($0, prefix, length) } ?? false
            }
        }
    }

    private static func entry(_ word: Substring) -> Entry? {
        if word == "*" { return Entry(pattern: .any) }
        if let pattern = network(word) { return Entry(pattern: pattern) }
        let (host, port) = separatingPort(word)
        if let port, Int(port) == nil { return nil }
        let number = port.flatMap { Int($0) }
        if host == "*" { return Entry(pattern: .any, port: number) }
        if let address = IPAddress.bytes(host) {
            return Entry(pattern: .network(address, length: address.count * 8), port: number)
        }
        let name = bareName(host)
        return name.isEmpty ? nil : Entry(pattern: .name(name), port: number)
    }

    /// `10.0.0.0/8`; `nil` if it isn't a network.
    private static func network(_ word: Substring) -> Pattern? {
        guard let slash = word.firstIndex(of: "/"), let address = IPAddress.bytes(word[..<slash]) else { return nil }
        guard let length = Int(word[word.index(after: slash)...]), (0...address.count * 8).contains(length) else {
            return nil
        }
        return .network(address, length: length)
    }

    /// The last colon separates a port, unless it is one of several outside brackets: those of an IPv6 address.
    private static func separatingPort(_ word: Substring) -> (host: Substring, port: Substring?) {
        guard let colon = word.lastIndex(of: ":"), IPAddress.bytes(word) == nil else { return (word, nil) }
        return (word[..<colon], word[colon...].dropFirst())
    }

    /// Without `*.`, `.` and a final dot.
    private static func bareName(_ host: Substring) -> String {
        var name = host.hasPrefix("*.") ? host.dropFirst(2) : host
        while name.hasPrefix(".") { name = name.dropFirst() }
        if name.hasSuffix(".") { name = name.dropLast() }
        let text = String(name)
        return (Authority.asciiName(text) ?? text).asciiLowercased
    }

    private static func isInside(_ name: Substring, _ domain: String) -> Bool {
        guard name.hasSuffix(domain) else { return false }
        return name.utf8.count == domain.utf8.count || name.dropLast(domain.count).hasSuffix(".")
    }

    private static func shares(_ address: [UInt8], _ prefix: [UInt8], _ length: Int) -> Bool {
        guard address.count == prefix.count else { return false }
        let (whole, rest) = (length / 8, length % 8)
        guard address[..<whole] == prefix[..<whole] else { return false }
        return rest == 0 || (address[whole] ^ prefix[whole]) >> (8 - rest) == 0
    }
}

extension IPAddress {
    /// The bytes of an address, in brackets or without, and without its zone. `nil` for a name.
    ///
    /// An IPv4 address that is written as IPv6 (`::ffff:127.0.0.1`) is the IPv4 address.
    fileprivate static func bytes(_ host: some StringProtocol) -> [UInt8]? {
        var text = Substring(host)
        if text.hasPrefix("["), text.hasSuffix("]") { text = text.dropFirst().dropLast() }
        if let quad = v4(text) { return [quad[0], quad[1], quad[2], quad[3]] }
        guard let groups = v6(text.prefix { $0 != "%" }) else { return nil }
        let bytes = groups.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        let isMapped = groups[..<5].allSatisfy { $0 == 0 } && groups[5] == 0xFFFF
        return isMapped ? Array(bytes[12...]) : bytes
    }
}
