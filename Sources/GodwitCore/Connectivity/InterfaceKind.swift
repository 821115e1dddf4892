/// What a network interface is.
///
/// The raw value is the name of the case.
public enum InterfaceKind: String, Sendable, Hashable, CaseIterable {
    case wifi
    /// A mobile network.
    case cellular
    /// Ethernet, or what looks like it: a virtual machine's or container's interface.
    case wired
    /// A tunnel over other interfaces, such as a VPN. Apple's systems report one as ``other``.
    case tunnel
    /// This machine itself. Never part of a path.
    case loopback
    case other
}
