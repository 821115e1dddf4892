public import GodwitCore

/// Keeps responses in a folder, up to a number of bytes; what was not used for longest is forgotten first.
///
/// ```swift
/// let folder = try CacheFolder.standard(for: "reader")
/// let store = try DiskCacheStore(directory: folder, limit: 100 << 20)
/// let chain = Chain([Caching(store)], over: transport)
/// ```
///
/// - What is stored is there after a restart, whether the program ended or was killed. After a power cut the latest
///   responses may be missing.
/// - Processes may share a folder, and so may stores of one process. The lowest of their limits holds.
/// - Everything is in one SQLite file, readable for its owner alone (0600, in a folder made with 0700). A file that
///   is damaged, or of another version or program, is renamed to `responses.sqlite.damaged`, and a new one begun.
/// - A disk that is full or cannot be written to means responses that were not stored, never an error. What must be
///   forgotten, as after a change, is: where a record cannot be removed, the file is.
/// - Nothing blocks the tasks of the program: the file is read and written on a queue of the store's own. Only letting
///   the last reference go waits until it is closed.
public final class DiskCacheStore: CacheStore {
    /// The most bytes that are kept, as ``CachedResponse/byteCount`` counts them. The file takes about as much.
    public let limit: Int

    private let records: DiskRecords

    /// Makes a store over a folder, which is made where it is missing.
    ///
    /// - Parameters:
    ///   - directory: A folder for caches. Files of other names in it are left alone.
    ///   - limit: In bytes; 100 MiB by default. A response that takes more alone is not kept; zero keeps nothing.
    ///
    /// Throws `.file` where the folder can neither be made nor used.
    public init(directory: URL, limit: Int = 100 << 20) throws(NetworkError) {
        self.limit = limit
        records = try DiskRecords("responses.sqlite", in: directory, limit: limit)
    }

    /// What is stored for a URL, all variants of it; empty where nothing is.
    ///
    /// - Parameter url: The URL; its fragment does not count.
    public func responses(for url: HTTPURL) async -> [CachedResponse] {
        let key = url.absoluteString
        return await records.perform { $0.records(for: key) }.compactMap { CachedResponse($0, url: url) }
    }

    /// Keeps a response in place of the one with its URL and variant, and forgets others where there is no room.
    ///
    /// - Parameter response: The response.
    public func store(_ response: CachedResponse) async {
        guard let record = Record(response) else { return await remove(response) }
        await records.perform { $0.put(record) }
    }

    /// Forgets the response with this URL and variant.
    ///
    /// - Parameter response: What to forget; its content does not count.
    public func remove(_ response: CachedResponse) async {
        let (key, variant) = (response.url.absoluteString, response.variant)
        await records.perform { $0.remove(key, variant: variant) }
    }

    /// Forgets all variants of a URL.
    ///
    /// - Parameter url: The URL; its fragment does not count.
    public func removeAll(for url: HTTPURL) async {
        let key = url.absoluteString
        await records.perform { $0.removeAll(for: key) }
    }

    /// Forgets everything.
    public func removeAll() async {
        await records.perform { $0.removeAll() }
    }

    /// The URLs something is stored for, each once, in no particular order.
    public func urls() async -> [HTTPURL] {
        await records.perform { $0.keys() }.compactMap { try? HTTPURL($0) }
    }

    /// How many bytes are stored, as ``CachedResponse/byteCount`` counts them.
    public func byteCount() async -> Int {
        await records.perform { $0.byteCount() }
    }
}
