import Synchronization

/// Stores models in memory, and evicts the least recently used ones.
///
/// ```swift
/// let models = MemoryModelStore(limit: 5 << 20)
/// for try await reading in api.reading(.articles(page: 1), from: models) { show(reading.value) }
/// ```
public final class MemoryModelStore: ModelStore {
    /// The maximum size of all models in bytes, including keys.
    public let limit: Int

    /// The maximum size of one model in bytes, including its key. A larger one is not stored.
    public let entryLimit: Int

    private let models: Mutex<LRUCache<String, StoredModel>>

    /// Creates an empty store that keeps at most `limit` bytes of models in memory.
    ///
    /// - Parameters:
    ///   - limit: The maximum size of all models in bytes. 20 MiB by default. With 0 or less, nothing is stored.
    ///   - entryLimit: The maximum size of one model in bytes. `nil` (the default) means an eighth of the limit, or 64
    ///     KiB if that is more.
    public init(limit: Int = 20 << 20, entryLimit: Int? = nil) {
        self.limit = limit
        self.entryLimit = min(entryLimit ?? EntryLimit.share(of: limit), limit)
        models = Mutex(LRUCache(limit: limit, entryLimit: self.entryLimit))
    }

    /// The model of a key.
    ///
    /// - Parameter key: The key that the model was stored for.
    public func model(for key: String) async -> StoredModel? {
        models.withLock { $0.value(for: key) }
    }

    /// Stores a model, replacing the one with the same key, and evicts others if necessary.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - key: Identifies the model.
    public func store(_ model: StoredModel, for key: String) async {
        let byteCount = model.data.count + key.utf8.count + 64
        models.withLock { $0.insert(model, byteCount: byteCount, for: key) }
    }

    /// Removes the model of a key.
    ///
    /// - Parameter key: The key.
    public func removeModel(for key: String) async {
        models.withLock { $0.remove(key) }
    }

    /// Removes all models.
    public func removeAll() async {
        models.withLock { $0 = LRUCache(limit: limit, entryLimit: entryLimit) }
    }
}

/// Stores models for ``APIClient/reading(_:from:maxAge:key:now:)``: in memory, on disk, or elsewhere.
///
/// A store may remove any model at any time, and treats its own failures as missing models.
///
/// In addition to models, a store gets small records whose keys start with `changed`, which mark the models of a path
/// as stale (``ModelInvalidation``). It treats both alike.
///
/// A store belongs to one person: the client that uses it empties it when the account changes. See
/// ``ClientConfiguration/modelStores``.
///
/// ```swift
/// let models = try DiskModelStore(directory: CacheFolder.standard(for: "reader"))
/// ```
public protocol ModelStore: Sendable {
    /// The model of a key; `nil` if there is none.
    func model(for key: String) async -> StoredModel?

    /// Stores a model, replacing the one with the same key.
    func store(_ model: StoredModel, for key: String) async

    /// Removes the model of a key.
    func removeModel(for key: String) async

    /// Removes everything, as when a user signs out.
    func removeAll() async
}

/// A model in a ``ModelStore``.
public struct StoredModel: Sendable, Hashable {
    /// The model, encoded.
    public let data: Data

    /// When it was received from the server, by this machine's clock.
    public let date: Date

    /// The number of the last change of its path; 0 if no change is known. A store keeps it unchanged.
    public let revision: UInt64

    /// The `ETag` of the response, for a change of this version; `nil` if it had none.
    public let etag: String?

    /// Creates a model to be stored, from its encoded form.
    ///
    /// - Parameters:
    ///   - data: The model, encoded.
    ///   - date: When it was received from the server.
    ///   - revision: The number of the last change of its path. 0 by default.
    ///   - etag: The `ETag` of the response. `nil` by default.
    public init(data: Data, date: Date, revision: UInt64 = 0, etag: String? = nil) {
        self.data = data
        self.date = date
        self.revision = revision
        self.etag = etag
    }
}

extension StoredModel {
    /// Encodes a model; `nil` if it can't be encoded, such as an infinite number.
    ///
    /// Uses a fixed coding that restores the exact value. An API's coding may round dates, or convert keys
    /// irreversibly.
    init?(_ model: some Encodable, date: Date, revision: UInt64, etag: String?) {
        guard let data = try? JSONModelEncoder().encode(model) else { return nil }
        self.init(data: data, date: date, revision: revision, etag: etag)
    }

    /// The model; `nil` if the data has another type, as after an update of the program.
    func decoded<Model: Decodable>() -> Model? {
        try? JSONModelDecoder().decode(Model.self, from: data)
    }
}
