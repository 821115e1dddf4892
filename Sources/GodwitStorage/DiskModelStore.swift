public import GodwitCore

/// Keeps models in a folder, up to a number of bytes; what was not used for longest is forgotten first.
///
/// ```swift
/// let store = try DiskModelStore(directory: CacheFolder.standard(for: "reader"))
/// for try await reading in api.reading(.articles(page: 1), from: store) { … }
/// ```
///
/// It is made as ``DiskCacheStore`` is, and promises the same: models are there after a restart and a kill, processes may
/// share the folder, a damaged file is set aside, and a full disk is no error. Both may use one folder; the models' file
/// is `models.sqlite`.
public final class DiskModelStore: ModelStore {
    /// The most bytes that are kept, keys included. The file takes about as much.
    public let limit: Int

    /// The most bytes that one model may take, its key included; a larger one is not kept.
    public let entryLimit: Int

    private let records: DiskRecords

    /// Makes a store over a folder, which is made where it is missing.
    ///
    /// - Parameters:
    ///   - directory: A folder for caches. Files of other names in it are left alone.
    ///   - limit: The most bytes that are kept; 20 MiB by default. Zero keeps nothing.
    ///   - entryLimit: The most bytes that one model may take. `nil` (the default) means an eighth of the limit, or 64 KiB
    ///     if that is more.
    ///   - diagnostics: Receives a report if the file can't be used.
    /// - Throws: `.file` if the folder can't be made, or is not a folder.
    public init(
        directory: URL, limit: Int = 20 << 20, entryLimit: Int? = nil, diagnostics: Diagnostics = .shared
    ) throws(NetworkError) {
        self.limit = limit
        self.entryLimit = min(entryLimit ?? EntryLimit.share(of: limit), limit)
        let limits = RecordLimits(all: limit, entry: self.entryLimit)
        records = try DiskRecords(.models, in: directory, limits, diagnostics)
    }

    /// The model that is stored under a key; nil where none is.
    ///
    /// - Parameter key: What it was stored under.
    public func model(for key: String) async -> StoredModel? {
        await records.perform { $0.records(for: key) }.first.flatMap { StoredModel($0) }
    }

    /// Keeps a model in place of any other of its key, and forgets others where there is no room.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - key: What it is found by.
    public func store(_ model: StoredModel, for key: String) async {
        let record = Record(model, key: key)
        await records.perform { $0.put(record) }
    }

    /// Forgets the model of a key.
    ///
    /// - Parameter key: The key.
    public func removeModel(for key: String) async {
        await records.perform { $0.removeAll(for: key) }
    }

    /// Forgets all models, as when somebody signs out.
    public func removeAll() async {
        await records.perform { $0.removeAll() }
    }
}

// The head of a model's record is its date, as the bits of seconds since 2001, and its revision; least byte first. Records
// of before have no revision.
extension Record {
    fileprivate init(_ model: StoredModel, key: String) {
        var head = Data()
        head.append(model.date.timeIntervalSinceReferenceDate.bitPattern)
        head.append(model.revision)
        let size = model.data.count + key.utf8.count + 64
        self.init(key: key, variant: "", head: head, body: model.data, size: size)
    }
}

extension StoredModel {
    fileprivate init?(_ record: Record) {
        var head = record.head
        guard let seconds: UInt64 = head.takeInteger() else { return nil }
        let date = Date(timeIntervalSinceReferenceDate: Double(bitPattern: seconds))
        self.init(data: record.body, date: date, revision: head.takeInteger() ?? 0)
    }
}
