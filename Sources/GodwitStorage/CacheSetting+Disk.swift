public import GodwitCore

extension CacheSetting {
    /// Up to so many bytes in a folder, from one run of the program to the next; see ``DiskCacheStore``.
    ///
    /// ```swift
    /// let folder = try CacheFolder.standard(for: "reader")
    /// let api = try APIClient(baseURL: "https://api.example.com/v1") { $0.cache = try .disk(folder) }
    /// ```
    ///
    /// - Parameters:
    ///   - folder: A folder for caches; made where it is missing.
    ///   - limit: The most bytes that are kept; 100 MiB by default.
    ///   - diagnostics: Receives a report if the file can't be used.
    /// - Throws: `.file` if the folder can't be made, or is not a folder.
    public static func disk(
        _ folder: URL, limit: Int = 100 << 20, diagnostics: Diagnostics = .shared
    ) throws(NetworkError) -> CacheSetting {
        .store(try DiskCacheStore(directory: folder, limit: limit, diagnostics: diagnostics))
    }
}
