/// This device's network path.
///
/// ```swift
/// for await path in SystemPathMonitor.shared.paths { print(path) }
/// ```
public enum SystemPathMonitor {
    /// The monitor of this process. It starts on first use and never stops.
    ///
    /// If the system doesn't provide the path, as in a sandbox without rtnetlink, the path is satisfied.
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
