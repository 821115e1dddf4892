public import GodwitCore

extension CacheSetting {
    /// A persistent cache in a folder; see ``DiskCacheStore``.
    ///
    /// ```swift
    /// let folder = try CacheFolder.standard(for: "reader")
    /// let api = try APIClient(baseURL: "https://api.example.com/v1") { $0.cache = try .disk(folder) }
    /// ```
    ///
    /// - Parameters:
    ///   - folder: A folder for caches; created if missing.
    ///   - limit: Maximum bytes stored; 100 MiB by default.
    ///   - diagnostics: Receives a report if the file can't be used.
    /// - Throws: `.file` if the folder can't be created or isn't a folder.
    public static func disk(
        _ folder: URL, limit: Int = 100 << 20, diagnostics: Diagnostics = .shared
    ) throws(NetworkError) -> CacheSetting {
        .store(try DiskCacheStore(directory: folder, limit: limit, diagnostics: diagnostics))
    }
}
