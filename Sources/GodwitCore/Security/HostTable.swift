/// Values for single hosts, and for domains with their subdomains.
///
/// ```swift
/// table["api.example.com"] = a            // this host alone
/// table[domain: "example.com"] = b        // example.com, www.example.com, a.b.example.com
/// ```
///
/// The most specific entry applies: that of the host, or else that of the longest domain. Hosts are compared as text,
/// ignoring case and a trailing dot: `localhost` and `127.0.0.1` differ. An entry applies to every port. An address has
/// no subdomains. A name may be outside ASCII (`bücher.example`). The zone of an IPv6 address doesn't count.
public struct HostTable<Value> {
    private var hosts: [String: Value] = [:]
    private var domains: [String: Value] = [:]
    /// Why an entry is invalid, if one is. Users of a table must refuse it.
    package private(set) var fault: String?

    /// Creates an empty table.
    public init() {}

    /// Whether the table has no entries, not even an invalid one.
    public var isEmpty: Bool { hosts.isEmpty && domains.isEmpty && fault == nil }

    /// The entry for one host: a name or an address, without port.
    ///
    /// Anything else, such as a URL, makes the initializer of the transport throw.
    public subscript(host: String) -> Value? {
        get { Self.normalized(host).flatMap { hosts[$0] } }
        set { enter(newValue, for: host, in: \.hosts) }
    }

    /// The entry for a domain and its subdomains.
    public subscript(domain domain: String) -> Value? {
        get { Self.normalized(domain).flatMap { domains[$0] } }
        set { enter(newValue, for: domain, in: \.domains) }
    }

    /// The value for a host; `nil` if there is none.
    ///
    /// - Parameter host: A name or an address, without port, in any case.
    public func value(for host: String) -> Value? {
        Self.normalized(host).flatMap(value(ofNormalised:))
    }

    /// The value for a host in the form of a URL, for transports, which look it up for each exchange.
    package func value(ofNormalised host: String) -> Value? {
        if hosts.isEmpty && domains.isEmpty { return nil }
        let host = host.utf8.last == UInt8(ascii: ".") ? String(host.dropLast()) : Authority.withoutZone(host)
        if let value = hosts[host] { return value }
        guard !domains.isEmpty else { return nil }
        return Self.domains(of: host).lazy.compactMap { domains[String($0)] }.first
    }

    /// The table with transformed values.
    package func map<Other, Failure: Error>(
        _ change: (Value, HostScope) throws(Failure) -> Other
    ) throws(Failure) -> HostTable<Other> {
        var table = HostTable<Other>()
        table.fault = fault
        for (host, value) in hosts {
            table.hosts[host] = try change(value, HostScope(name: host, hasSubdomains: false))
        }
        for (domain, value) in domains {
            table.domains[domain] = try change(value, HostScope(name: domain, hasSubdomains: true))
        }
        return table
    }

    private mutating func enter(
        _ value: Value?, for name: String, in entries: WritableKeyPath<Self, [String: Value]>
    ) {
        guard let key = Self.normalized(name) else {
            fault =
                "\"\(RedactedText.references(name))\" isn't a host; write a name or an address, without scheme and port"
            return
        }
        self[keyPath: entries][key] = value
    }

    /// The host in the form of a URL; `nil` if it isn't a host.
    private static func normalized(_ host: String) -> String? {
        let isBareIPv6 = host.contains(":") && !host.hasPrefix("[")
        let written = isBareIPv6 ? "[\(host)]" : host
        guard let host = try? Authority.normalized(written) else { return nil }
        return host.hasSuffix(".") ? String(host.dropLast()) : Authority.withoutZone(host)
    }

    /// The host and its parent domains, the longest first; only the host if it is an address.
    private static func domains(of host: String) -> [Substring] {
        if host.hasPrefix("[") || host.utf8.last.map({ (0x30...0x39).contains($0) }) == true { return [host[...]] }
        var names = [host[...]]
        while let last = names.last, let dot = last.firstIndex(of: ".") {
            names.append(last[last.index(after: dot)...])
        }
        return names
    }
}

extension HostTable: Sendable where Value: Sendable {}

/// The host or domain of an entry in a ``HostTable``, normalized.
package struct HostScope: Sendable, Hashable {
    package let name: String
    let hasSubdomains: Bool

    /// Whether the entry applies to a host in lowercase.
    package func contains(_ host: String) -> Bool {
        let host = host.hasSuffix(".") ? host.dropLast() : host[...]
        return host == name || hasSubdomains && host.hasSuffix("." + name)
    }
}
