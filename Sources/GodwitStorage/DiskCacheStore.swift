public import GodwitCore

/// Stores responses in a folder, up to a number of bytes. Evicts the least recently used ones.
///
/// ```swift
/// let folder = try CacheFolder.standard(for: "reader")
/// let store = try DiskCacheStore(directory: folder, limit: 100 << 20)
/// let chain = Chain([Caching(store)], over: transport)
/// ```
///
/// - Stored responses survive a restart, even if the process was killed. After a power failure, the latest ones may be
///   missing.
/// - Processes and stores may share a folder. The lowest of their limits applies.
/// - All data is in one SQLite file that only its owner can read (0600, in a folder with 0700). Symbolic links in the
///   folder's path are followed if root or this user created them; the file must not be a link.
/// - A damaged file, or one of another program, is renamed to `responses.sqlite.damaged` and replaced. A file of a
///   newer version of the library stays unchanged, and nothing is stored.
/// - If the disk is full or can't be written, responses aren't stored; calls don't fail. The store reports the problem
///   once to ``Diagnostics``. Removals always succeed: if a record can't be removed, the file is.
/// - All file access is on a dispatch queue, so tasks aren't blocked. Only releasing the last reference waits until the
///   file is closed.
public final class DiskCacheStore: CacheStore {
    /// Maximum bytes stored, as counted by ``CachedResponse/byteCount``. The file has about this size.
    public let limit: Int

    /// Maximum bytes of one response; a larger one isn't stored.
    public let entryLimit: Int

    private let records: DiskRecords

    /// Creates a store in a folder, which is created if missing.
    ///
    /// - Parameters:
    ///   - directory: A folder for caches. Other files in it stay untouched.
    ///   - limit: Maximum bytes stored; 100 MiB by default. Zero stores nothing.
    ///   - entryLimit: Maximum bytes of one response. `nil` (the default) means an eighth of the limit, but at least 64
    ///     KiB.
    ///   - diagnostics: Receives a report if the file can't be used.
    /// - Throws: `.file` if the folder can't be created or isn't a folder.
    public init(
        directory: URL, limit: Int = 100 << 20, entryLimit: Int? = nil, diagnostics: Diagnostics = .shared
    ) throws(NetworkError) {
        self.limit = limit
        self.entryLimit = min(entryLimit ?? EntryLimit.share(of: limit), limit)
        let limits = RecordLimits(all: limit, entry: self.entryLimit)
        records = try DiskRecords(.responses, in: directory, limits, diagnostics)
    }

    /// All stored variants for a URL; empty if there are none.
    ///
    /// - Parameter url: The URL; its fragment is ignored.
    public func responses(for url: HTTPURL) async -> [CachedResponse] {
        let key = url.absoluteString
        return await records.perform { $0.records(for: key) }.compactMap { CachedResponse($0, url: url) }
    }

    /// The stored response that matches a request with these fields. Reads the heads of all variants, and one body.
    ///
    /// - Parameter url: The URL; its fragment is ignored.
    public func response(for url: HTTPURL, matching fields: HTTPFields) async -> CachedResponse? {
        let key = url.absoluteString
        let found = await records.perform { records in
            records.record(for: key) { heads -> (head: RecordHead, value: CachedResponse)? in
                let responses = heads.compactMap { CachedResponse($0, url: url) }
                guard let selected = responses.selected(for: fields),
                    let head = heads.first(where: { $0.variant == selected.variant })
                else { return nil }
                return (head, selected)
            }
        }
        switch found {
        case .only(let head, let body):
            let response = CachedResponse(head, body, url: url)
            return response.flatMap { $0.matches(fields) ? $0 : nil }
        case .chosen(_, let response, let body): return response.with(body: body)
        case nil: return nil
        }
    }

    /// Stores a response, replacing one with the same URL and variant, and evicts others over the limit.
    public func store(_ response: CachedResponse) async {
        guard let record = Record(response) else { return await remove(response) }
        await records.perform { $0.put(record) }
    }

    /// Removes the response with this URL and variant.
    ///
    /// - Parameter response: The response; its contents aren't compared.
    public func remove(_ response: CachedResponse) async {
        let (key, variant) = (response.url.absoluteString, response.variant)
        await records.perform { $0.remove(key, variant: variant) }
    }

    /// Removes all variants of a URL.
    ///
    /// - Parameter url: The URL; its fragment is ignored.
    public func removeAll(for url: HTTPURL) async {
        let key = url.absoluteString
        await records.perform { $0.removeAll(for: key) }
    }

    /// Removes all responses.
    public func removeAll() async {
        await records.perform { $0.removeAll() }
    }

    /// The URLs of all stored responses, without duplicates, in no particular order.
    public func urls() async -> [HTTPURL] {
        await records.perform { $0.keys() }.compactMap { try? HTTPURL($0) }
    }

    /// The number of bytes stored, as counted by ``CachedResponse/byteCount``.
    public func byteCount() async -> Int {
        await records.perform { $0.byteCount() }
    }

    /// The stored responses with a `Use-As-Dictionary` field, without their bodies, in no particular order. None counts as
    /// used.
    public func dictionaries() async -> [CachedResponse] {
        // In the spelling of HTTP/1.1 servers and of HTTP/2.
        let found = await records.perform { $0.heads(containing: ["Use-As-Dictionary:", "use-as-dictionary:"]) }
        return found.compactMap { record in
            (try? HTTPURL(record.key)).flatMap { CachedResponse(record.head, url: $0) }
        }
    }
}
