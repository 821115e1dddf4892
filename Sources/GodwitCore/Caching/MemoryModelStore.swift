import Synchronization

/// Keeps models in memory, up to a number of bytes; what was not used for longest is forgotten first.
///
/// ```swift
/// let models = MemoryModelStore(limit: 5 << 20)
/// for try await reading in api.reading(.articles(page: 1), from: models) { show(reading.value) }
/// ```
public final class MemoryModelStore: ModelStore {
    /// The most bytes that are kept, keys included.
    public let limit: Int

    /// The most bytes that one model may take, its key included; a larger one is not kept.
    public let entryLimit: Int

    private let models: Mutex<RecentValues<String, StoredModel>>

    /// Makes a store.
    ///
    /// - Parameters:
    ///   - limit: The most bytes that are kept; 20 MiB by default. Zero or less keeps nothing.
    ///   - entryLimit: The most bytes that one model may take. `nil` (the default) means an eighth of the limit, or 64 KiB
    ///     if that is more.
    public init(limit: Int = 20 << 20, entryLimit: Int? = nil) {
        self.limit = limit
        self.entryLimit = min(entryLimit ?? EntryLimit.share(of: limit), limit)
        models = Mutex(RecentValues(limit: limit, entryLimit: self.entryLimit))
    }

    /// The model that is stored under a key; nil where none is.
    ///
    /// - Parameter key: What it was stored under.
    public func model(for key: String) async -> StoredModel? {
        models.withLock { $0.value(for: key) }
    }

    /// Keeps a model in place of any other of its key, and forgets others where there is no room.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - key: What it is found by.
    public func store(_ model: StoredModel, for key: String) async {
        let byteCount = model.data.count + key.utf8.count + 64
        models.withLock { $0.insert(model, byteCount: byteCount, for: key) }
    }

    /// Forgets the model of a key.
    ///
    /// - Parameter key: The key.
    public func removeModel(for key: String) async {
        models.withLock { $0.remove(key) }
    }

    /// Forgets all models, as when somebody signs out.
    public func removeAll() async {
        models.withLock { $0 = RecentValues(limit: limit, entryLimit: entryLimit) }
    }
}

/// Keeps models for ``APIClient/reading(_:from:maxAge:key:now:)``: in memory, on disk, or wherever you like.
///
/// What a model is, and how old it may be, is not the store's to know. It may forget anything at any time, and a failure
/// of its own is a model that was not there.
///
/// A store gets two kinds of records, and treats them alike: models, and small records under names that begin with
/// `changed`, which say that models of a path are stale (``ModelInvalidation``).
///
/// A store is one person's: the client whose readings use it empties it when its account changes. See
/// ``ClientConfiguration/modelStores``.
///
/// ```swift
/// let models = try DiskModelStore(directory: CacheFolder.standard(for: "reader"))
/// ```
public protocol ModelStore: Sendable {
    /// The model of a key; nil where there is none.
    func model(for key: String) async -> StoredModel?

    /// Keeps a model in place of the one with the same key.
    func store(_ model: StoredModel, for key: String) async

    /// Forgets the model of a key.
    func removeModel(for key: String) async

    /// Forgets everything, as at a log-out.
    func removeAll() async
}

/// A model as a ``ModelStore`` keeps it.
public struct StoredModel: Sendable, Hashable {
    /// The model, encoded.
    public let data: Data

    /// When it came from the server, by the clock of this machine.
    public let date: Date

    /// Which change of its path it came after; 0 if no change is known. A store keeps it as it is.
    public let revision: UInt64

    /// Makes a stored model.
    ///
    /// - Parameters:
    ///   - data: The value, encoded.
    ///   - date: When it came from the server.
    ///   - revision: The number of the last change of its path. 0 by default.
    public init(data: Data, date: Date, revision: UInt64 = 0) {
        self.data = data
        self.date = date
        self.revision = revision
    }
}

extension StoredModel {
    /// Encodes a model; nil for one that cannot be encoded, such as an infinite number.
    ///
    /// By a coding of the library's own, which reads back exactly what it wrote: an API's may round dates, and spell
    /// keys in ways that cannot be undone.
    init?(_ model: some Encodable, date: Date, revision: UInt64) {
        guard let data = try? JSONEncoder().encode(model) else { return nil }
        self.init(data: data, date: date, revision: revision)
    }

    /// The model; nil where the data is not one of this type, as after a program's update.
    func decoded<Model: Decodable>() -> Model? {
        try? JSONDecoder().decode(Model.self, from: data)
    }
}
