#if os(Linux)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif
import CGodwitCurl
import GodwitCore
import GodwitSockets

/// The addresses that override DNS, as libcurl's linked list (CURLOPT_RESOLVE).
///
/// Handles point into the list, so it lives as long as their engine.
final class AddressList {
    let first: UnsafeMutablePointer<curl_slist>?

    /// - Parameter overrides: By `host:port`, without a ``fault(in:)``.
    init(_ overrides: [String: [String]]) {
        var list: UnsafeMutablePointer<curl_slist>?
        for (name, addresses) in overrides {
            let targets = addresses.map { $0.contains(":") ? "[\($0)]" : $0 }.joined(separator: ",")
            // On failure the list stays unchanged: the name is then looked up.
            list = curl_slist_append(list, "\(name):\(targets)") ?? list
        }
        first = list
    }

    /// The overrides by host and port.
    static func table(_ overrides: [String: [String]]) -> [HostAndPort: [SocketAddress]] {
        var table: [HostAndPort: [SocketAddress]] = [:]
        for (name, addresses) in overrides {
            guard let url = try? HTTPURL("http://\(name)/") else { continue }
            table[HostAndPort(host: url.host, port: url.port)] = addresses.compactMap {
                SocketAddress($0, port: url.port)
            }
        }
        return table
    }

    deinit {
        curl_slist_free_all(first)
    }

    /// Why these overrides are invalid, or nil.
    static func fault(in overrides: [String: [String]]) -> String? {
        for (name, addresses) in overrides {
            guard isHostAndPort(name) else { return "the address override \"\(name)\" is not of the form host:port" }
            guard !addresses.isEmpty else { return "the address override for \"\(name)\" has no address" }
            if let address = addresses.first(where: { !isAddress($0) }) {
                return "the address override for \"\(name)\" has \"\(address)\", which is not an IP address"
            }
        }
        return nil
    }

    fileprivate static func isHostAndPort(_ name: String) -> Bool {
        guard let url = try? HTTPURL("http://\(name)/") else { return false }
        return url.port > 0 && "\(url.host):\(url.port)" == name.asciiLowercased
    }

    private static func isAddress(_ text: String) -> Bool {
        var bytes = in6_addr()
        return inet_pton(AF_INET, text, &bytes) == 1 || inet_pton(AF_INET6, text, &bytes) == 1
    }
}

/// The hosts to connect to instead of those of URLs, as libcurl's linked list (CURLOPT_CONNECT_TO).
///
/// Handles point into the list, so it lives as long as their engine.
final class TargetList {
    let first: UnsafeMutablePointer<curl_slist>?

    /// - Parameter targets: By `host:port`, without a ``fault(in:)``.
    init(_ targets: [String: String]) {
        var list: UnsafeMutablePointer<curl_slist>?
        for (name, target) in targets { list = curl_slist_append(list, "\(name):\(target)") ?? list }
        first = list
    }

    deinit {
        curl_slist_free_all(first)
    }

    /// Why these targets are invalid, or nil.
    static func fault(in targets: [String: String]) -> String? {
        targets.flatMap { [$0, $1] }.first { !AddressList.isHostAndPort($0) }.map {
            "the connection target \"\($0)\" is not of the form host:port"
        }
    }

    /// Why these values of `Host` are invalid, or nil.
    static func fault(inHosts hosts: [String: String]) -> String? {
        if let name = hosts.keys.first(where: { !AddressList.isHostAndPort($0) }) {
            return "the host field for \"\(name)\" is not for a host:port"
        }
        return hosts.values.first { value in
            value.contains { "/?#@\\".contains($0) } || (try? HTTPURL("http://\(value)/")) == nil
        }.map { "\"\($0)\" is not a host for the field Host" }
    }
}
#endif
