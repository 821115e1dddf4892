public import GodwitCore

/// Stores models in a folder, up to a number of bytes. Evicts the least recently used ones.
///
/// ```swift
/// let store = try DiskModelStore(directory: CacheFolder.standard(for: "reader"))
/// for try await reading in api.reading(.articles(page: 1), from: store) { … }
/// ```
///
/// Works like ``DiskCacheStore``: models survive a restart and a kill, processes may share the folder, a damaged file
/// is renamed and replaced, and a full disk isn't an error. Both stores may use the same folder; the models' file is
/// `models.sqlite`.
public final class DiskModelStore: ModelStore {
    /// Maximum bytes stored, including keys. The file has about this size.
    public let limit: Int

    /// Maximum bytes of one model, including its key; a larger one isn't stored.
    public let entryLimit: Int

    private let records: DiskRecords

    /// Creates a store in a folder, which is created if missing.
    ///
    /// - Parameters:
    ///   - directory: A folder for caches. Other files in it stay untouched.
    ///   - limit: Maximum bytes stored; 20 MiB by default. Zero stores nothing.
    ///   - entryLimit: Maximum bytes of one model. `nil` (the default) means an eighth of the limit, but at least 64
    ///     KiB.
    ///   - diagnostics: Receives a report if the file can't be used.
    /// - Throws: `.file` if the folder can't be created or isn't a folder.
    public init(
        directory: URL, limit: Int = 20 << 20, entryLimit: Int? = nil, diagnostics: Diagnostics = .shared
    ) throws(NetworkError) {
        self.limit = limit
        self.entryLimit = min(entryLimit ?? EntryLimit.share(of: limit), limit)
        let limits = RecordLimits(all: limit, entry: self.entryLimit)
        records = try DiskRecords(.models, in: directory, limits, diagnostics)
    }

    /// The model stored under a key; `nil` if missing.
    public func model(for key: String) async -> StoredModel? {
        await records.perform { $0.records(for: key) }.first.flatMap { StoredModel($0) }
    }

    /// Stores a model, replacing one with the same key, and evicts others over the limit.
    public func store(_ model: StoredModel, for key: String) async {
        let record = Record(model, key: key)
        await records.perform { $0.put(record) }
    }

    /// Removes the model with a key.
    public func removeModel(for key: String) async {
        await records.perform { $0.removeAll(for: key) }
    }

    /// Removes all models, for example when the user signs out.
    public func removeAll() async {
        await records.perform { $0.removeAll() }
    }
}

// The head of a model's record is its date, as the bits of seconds since 2001, and its revision, both little-endian, then its
// ETag. Older records have no revision, or no ETag.
extension Record {
    fileprivate init(_ model: StoredModel, key: String) {
        var head = Data()
        head.append(model.date.timeIntervalSinceReferenceDate.bitPattern)
        head.append(model.revision)
        if let etag = model.etag { head.append(contentsOf: etag.utf8) }
        let size = model.data.count + key.utf8.count + head.count + 48
        self.init(key: key, variant: "", head: head, body: model.data, size: size)
    }
}

extension StoredModel {
    fileprivate init?(_ record: Record) {
        var head = record.head
        guard let seconds: UInt64 = head.takeInteger() else { return nil }
        let date = Date(timeIntervalSinceReferenceDate: Double(bitPattern: seconds))
        let revision: UInt64 = head.takeInteger() ?? 0
        let etag = head.isEmpty ? nil : String(decoding: head, as: UTF8.self)
        self.init(data: record.body, date: date, revision: revision, etag: etag)
    }
}
