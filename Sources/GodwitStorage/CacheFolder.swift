public import GodwitCore

/// The location of a program's caches.
///
/// ```swift
/// let folder = try CacheFolder.standard(for: "com.example.reader")         // ~/.cache/com.example.reader
/// ```
public enum CacheFolder {
    /// The folder for an application's caches. It need not exist; stores create it.
    ///
    /// On Linux `$XDG_CACHE_HOME/NAME`, by default `~/.cache/NAME`; on Apple platforms `Library/Caches/NAME` of the
    /// user or the app's container.
    ///
    /// ```swift
    /// let store = try DiskCacheStore(directory: CacheFolder.standard(for: "reader"))
    /// ```
    ///
    /// - Parameter application: A unique name, such as a bundle identifier, without slashes.
    ///
    /// Throws `.file` for an invalid name, or without a home directory.
    public static func standard(
        for application: String, variables: [String: String] = ProcessInfo.processInfo.environment
    ) throws(NetworkError) -> URL {
        guard !application.isEmpty, application != ".", application != "..",
            !application.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == 0 })
        else { throw failure("\"\(application)\" is not a valid folder name") }
        return try base(variables).appending(path: application, directoryHint: .isDirectory)
    }

    private static func base(_ variables: [String: String]) throws(NetworkError) -> URL {
        #if canImport(Darwin)
        let folders = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask)
        guard let folder = folders.first else { throw failure("the system has no folder for caches") }
        return folder
        #else
        // A relative path is ignored (XDG Base Directory Specification).
        if let path = variables["XDG_CACHE_HOME"], path.hasPrefix("/") { return URL(filePath: path) }
        guard let home = variables["HOME"], home.hasPrefix("/") else {
            throw failure("neither XDG_CACHE_HOME nor HOME is set")
        }
        return URL(filePath: home).appending(path: ".cache")
        #endif
    }

    private static func failure(_ reason: String) -> NetworkError {
        NetworkError(.file(reason: reason), phase: .building)
    }
}
