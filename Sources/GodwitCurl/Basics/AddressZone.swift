#if os(Linux)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif
import GodwitCore
import GodwitSockets

/// The zone of an IPv6 address in a URL: the interface to connect over (RFC 9844).
enum AddressZone {
    /// Why a URL's zone can't be used; nil if it can, or there is none.
    static func fault(in url: HTTPURL) -> NetworkError.Kind? {
        let host = url.host
        guard host.utf8.last == UInt8(ascii: "]"), let mark = host.firstRange(of: "%25") else { return nil }
        guard CurlLibrary.features.separatesZones else {
            return .unsupported(feature: "the zone of an IPv6 address", on: "libcurl before 7.83")
        }
        let zone = String(host[mark.upperBound...].dropLast())
        // libcurl would connect without a zone.
        guard if_nametoindex(zone) != 0 || UInt32(zone) != nil else {
            return .transport(.cannotConnect("this machine has no network interface \(zone)"))
        }
        return nil
    }
}
#endif
