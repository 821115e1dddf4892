/// This device's network path.
///
/// ```swift
/// for await path in SystemPathMonitor.shared.paths { print(path) }
/// ```
public enum SystemPathMonitor {
    /// The one monitor of this process; it starts when it is first used, and never stops.
    ///
    /// Where the system does not tell (a sandbox without rtnetlink), the path counts as satisfied: better to try in
    /// vain than not to try.
    public static let shared: any PathMonitor = makeShared()

    private static func makeShared() -> any PathMonitor {
        #if canImport(Network)
        return ApplePathMonitor()
        #elseif os(Linux)
        if let monitor = try? LinuxPathMonitor() { return monitor }
        return PathFeed(NetworkPath(status: .satisfied, interfaces: [.other]))
        #else
        return PathFeed(NetworkPath(status: .satisfied, interfaces: [.other]))
        #endif
    }
}
