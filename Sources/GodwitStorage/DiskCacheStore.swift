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
/// - Everything is in one SQLite file, readable for its owner alone (0600, in a folder made with 0700). Symbolic links on
///   the way to the folder are followed if root or this user made them; the file itself may not be one.
/// - A file that is damaged, or of another program, is renamed to `responses.sqlite.damaged`, and a new one begun. A file
///   that a newer version of the library wrote is left as it is, and nothing is stored.
/// - A disk that is full or cannot be written to means responses that were not stored, never an error: the store reports
///   it once to ``Diagnostics``. What must be forgotten, as after a change, is: where a record cannot be removed, the
///   file is.
/// - Nothing blocks the tasks of the program: the file is read and written on a queue of the store's own. Only letting
///   the last reference go waits until it is closed.
public final class DiskCacheStore: CacheStore {
    /// The most bytes that are kept, as ``CachedResponse/byteCount`` counts them. The file takes about as much.
    public let limit: Int

    /// The most bytes that one response may take; a larger one is not kept.
    public let entryLimit: Int

    private let records: DiskRecords

    /// Makes a store over a folder, which is made where it is missing.
    ///
    /// - Parameters:
    ///   - directory: A folder for caches. Files of other names in it are left alone.
    ///   - limit: The most bytes that are kept; 100 MiB by default. Zero keeps nothing.
    ///   - entryLimit: The most bytes that one response may take. `nil` (the default) means an eighth of the limit, or
    ///     64 KiB if that is more.
    ///   - diagnostics: Receives a report if the file can't be used.
    /// - Throws: `.file` if the folder can't be made, or is not a folder.
    public init(
        directory: URL, limit: Int = 100 << 20, entryLimit: Int? = nil, diagnostics: Diagnostics = .shared
    ) throws(NetworkError) {
        self.limit = limit
        self.entryLimit = min(entryLimit ?? EntryLimit.share(of: limit), limit)
        let limits = RecordLimits(all: limit, entry: self.entryLimit)
        records = try DiskRecords(.responses, in: directory, limits, diagnostics)
    }

    /// What is stored for a URL, all variants of it; empty where nothing is.
    ///
    /// - Parameter url: The URL; its fragment does not count.
    public func responses(for url: HTTPURL) async -> [CachedResponse] {
        let key = url.absoluteString
        return await records.perform { $0.records(for: key) }.compactMap { CachedResponse($0, url: url) }
    }

    /// The stored response that answers a request with these fields: reads the heads of all variants, and one body.
    ///
    /// - Parameters:
    ///   - url: The URL; its fragment does not count.
    ///   - fields: The header fields of the request.
    public func response(for url: HTTPURL, matching fields: HTTPFields) async -> CachedResponse? {
        let key = url.absoluteString
        let found = await records.perform { room in
            room.record(for: key) { heads -> (head: RecordHead, value: CachedResponse)? in
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
