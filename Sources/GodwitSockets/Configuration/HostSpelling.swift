#if os(Linux)
import GodwitCore

/// Hosts of settings in the form that URLs have, with which they are compared: in lowercase ASCII.
package enum HostSpelling {
    /// A host and port; unchanged if it isn't one.
    package static func normalized(_ place: String) -> String {
        guard let colon = place.utf8.lastIndex(of: UInt8(ascii: ":")),
            let host = try? Authority.normalized(String(place[..<colon]))
        else { return place }
        return host + place[colon...]
    }

    /// A table by host and port.
    package static func normalized<Value>(table: [String: Value]) -> [String: Value] {
        Dictionary(table.map { (normalized($0), $1) }, uniquingKeysWith: { first, _ in first })
    }

    /// The URL of a proxy, with its name in ASCII.
    package static func normalized(proxy url: String) -> String {
        guard url.utf8.contains(where: { $0 >= 0x80 }) else { return url }
        let start = url.firstRange(of: "://")?.upperBound ?? url.startIndex
        let end = url[start...].firstIndex(of: "/") ?? url.endIndex
        let hostStart = url[start..<end].lastIndex(of: "@").map { url.index(after: $0) } ?? start
        let place = String(url[hostStart..<end])
        let name = place.contains(":") ? normalized(place) : (try? Authority.normalized(place)) ?? place
        return url[..<hostStart] + name + url[end...]
    }
}
#endif
