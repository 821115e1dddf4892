extension InterfaceKind {
    /// The kind of a link.
    ///
    /// - Parameters:
    ///   - hardware: ARPHRD, from linux/if_arp.h.
    ///   - driver: The driver's kind; `nil` for hardware.
    ///   - traits: The traits from sysfs.
    init(name: String, hardware: UInt16, driver: String?, traits: LinkTraits = []) {
        let (ethernet, rawIP, none, loopback): (UInt16, UInt16, UInt16, UInt16) = (1, 519, 65_534, 772)
        let ipTunnels: Set<UInt16> = [768, 769, 776, 778, 823]
        let isTunnel = driver.map(Self.tunnels.contains) ?? false
        self =
            if hardware == loopback { .loopback } else if traits.contains(.wireless) {
                .wifi
            } else if traits.contains(.mobile) || hardware == rawIP || name.hasPrefix("wwan") {
                .cellular
            } else if isTunnel || traits.contains(.tunnel) || hardware == none || ipTunnels.contains(hardware) {
                .tunnel
            } else if hardware == ethernet { .wired } else { .other }
    }

    private static let tunnels: Set<String> = [
        "tun", "wireguard", "gre", "gretap", "ip6gre", "ipip", "ip6tnl", "sit", "vti", "vti6", "xfrm", "geneve",
        "vxlan",
    ]
}
