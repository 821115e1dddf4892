public import GodwitCore

/// Where a program's caches belong on this system.
///
/// ```swift
/// let folder = try CacheFolder.standard(for: "com.example.reader")         // ~/.cache/com.example.reader
/// ```
public enum CacheFolder {
    /// The folder for an application's caches; it need not exist, stores make it.
    ///
    /// On Linux `$XDG_CACHE_HOME/NAME`, by default `~/.cache/NAME`; on Apple's systems `Library/Caches/NAME` of the user
    /// or the app's container.
    ///
    /// ```swift
    /// let store = try DiskCacheStore(directory: CacheFolder.standard(for: "reader"))
    /// ```
    ///
    /// - Parameters:
    ///   - application: A name of its own, such as a bundle identifier: one part of a path.
    ///   - variables: The process's environment variables.
    ///
    /// Throws `.file` for a name that is no part of a path, and where there is no home either.
    public static func standard(
        for application: String, variables: [String: String] = ProcessInfo.processInfo.environment
    ) throws(NetworkError) -> URL {
        guard !application.isEmpty, application != ".", application != "..",
            !application.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == 0 })
        else { throw failure("\"\(application)\" cannot name a folder for caches") }
        return try base(variables).appending(path: application, directoryHint: .isDirectory)
    }

    private static func base(_ variables: [String: String]) throws(NetworkError) -> URL {
        #if canImport(Darwin)
        let folders = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask)
        guard let folder = folders.first else { throw failure("there is no folder for caches") }
        return folder
        #else
        // A path that is not absolute counts as none (XDG Base Directory Specification).
        if let path = variables["XDG_CACHE_HOME"], path.hasPrefix("/") { return URL(filePath: path) }
        guard let home = variables["HOME"], home.hasPrefix("/") else {
            throw failure("neither XDG_CACHE_HOME nor HOME says where caches belong")
        }
        return URL(filePath: home).appending(path: ".cache")
        #endif
    }

    private static func failure(_ reason: String) -> NetworkError {
        NetworkError(.file(reason: reason), phase: .building)
    }
}
