/// Values for hosts: for one host exactly, or for a domain and every name under it.
///
/// ```swift
/// table["api.example.com"] = a            // this host alone
/// table[domain: "example.com"] = b        // example.com, www.example.com, a.b.example.com
/// ```
///
/// The most specific entry holds: the host's own, else that of the longest domain. Hosts are compared without case and
/// without a final dot, by their text: `localhost` and `127.0.0.1` are two hosts. An entry holds for every port.
/// An address has no names under it. A name outside ASCII has to be written in its `xn--` form.
public struct HostTable<Value> {
    private var hosts: [String: Value] = [:]
    private var domains: [String: Value] = [:]
    /// Why an entry can never hold, or nil. Whoever uses a table refuses one with a fault.
    package private(set) var fault: String?

    /// Makes an empty table.
    public init() {}

    /// Whether nothing was entered, not even something unusable.
    public var isEmpty: Bool { hosts.isEmpty && domains.isEmpty && fault == nil }

    /// The entry for one host: a name or an address, without port.
    ///
    /// What is no host, such as a URL, is kept as a fault of the table: a transport made with it throws.
    public subscript(host: String) -> Value? {
        get { Self.normalised(host).flatMap { hosts[$0] } }
        set { enter(newValue, for: host, in: \.hosts) }
    }

    /// The entry for a domain and every name under it.
    public subscript(domain domain: String) -> Value? {
        get { Self.normalised(domain).flatMap { domains[$0] } }
        set { enter(newValue, for: domain, in: \.domains) }
    }

    /// The value that holds for a host; nil where none does.
    ///
    /// - Parameter host: A name or an address, without port, in any case.
    public func value(for host: String) -> Value? {
        Self.normalised(host).flatMap(value(ofNormalised:))
    }

    /// The value for a host that is as URLs keep it: for transports, which ask for every exchange.
    package func value(ofNormalised host: String) -> Value? {
        if hosts.isEmpty && domains.isEmpty { return nil }
        let host = host.utf8.last == UInt8(ascii: ".") ? String(host.dropLast()) : host
        if let value = hosts[host] { return value }
        guard !domains.isEmpty else { return nil }
        return Self.domains(of: host).lazy.compactMap { domains[String($0)] }.first
    }

    /// The same entries with other values, which are told whom they are for.
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
        guard let key = Self.normalised(name) else {
            fault = "\"\(name)\" is not a host; write a name or an address, without scheme and port"
            return
        }
        self[keyPath: entries][key] = value
    }

    /// The host in the one way that URLs are kept in; nil for what is none.
    private static func normalised(_ host: String) -> String? {
        let isBareIPv6 = host.contains(":") && !host.hasPrefix("[")
        let written = isBareIPv6 ? "[\(host)]" : host
        guard let url = try? HTTPURL("https://\(written)/"), url.absoluteString == "https://\(url.host)/",
            url.fragment == nil, written.count == url.host.count || url.host.hasPrefix("[") && written.hasSuffix("]")
        else { return nil }
        return url.host.hasSuffix(".") ? String(url.host.dropLast()) : url.host
    }

    /// The host and the domains it is under, the longest first; an address alone.
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

/// Whom an entry of a ``HostTable`` is for, normalised.
package struct HostScope: Sendable, Hashable {
    package let name: String
    package let hasSubdomains: Bool

    /// Whether a host, in lower case, is in it.
    package func contains(_ host: String) -> Bool {
        let host = host.hasSuffix(".") ? host.dropLast() : host[...]
        return host == name || hasSubdomains && host.hasSuffix("." + name)
    }
}
