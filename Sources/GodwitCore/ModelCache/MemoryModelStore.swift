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
