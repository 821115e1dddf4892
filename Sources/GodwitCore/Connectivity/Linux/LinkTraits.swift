#if os(Linux)
import GodwitLibc
#endif

/// The properties of a link that sysfs provides and netlink doesn't.
struct LinkTraits: OptionSet, Sendable {
    let rawValue: UInt8

    init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Wi-Fi.
    static let wireless = LinkTraits(rawValue: 1)
    /// A modem for mobile networks.
    static let mobile = LinkTraits(rawValue: 2)
    /// A tunnel or VPN.
    static let tunnel = LinkTraits(rawValue: 4)
}

#if os(Linux)
extension LinkTraits {
    /// Reads `/sys/class/net`. Empty if it has no such link, as in a network namespace without its own sysfs.
    init(ofLink name: String) {
        self = []
        // Keeps the path inside the folder, although the kernel allows no such names.
        guard !name.isEmpty, name != "..", !name.utf8.contains(UInt8(ascii: "/")) else { return }
        let folder = "/sys/class/net/\(name)/"
        if Self.exists(folder + "wireless") || Self.exists(folder + "phy80211") { insert(.wireless) }
        if Self.exists(folder + "tun_flags") { insert(.tunnel) }
        let events = Self.text(folder + "uevent")
        if events.contains("DEVTYPE=wwan") { insert(.mobile) }
        if events.contains("DEVTYPE=wlan") { insert(.wireless) }
    }

    private static func exists(_ path: String) -> Bool {
        access(path, F_OK) == 0
    }

    private static func text(_ path: String) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(descriptor, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}
#endif
