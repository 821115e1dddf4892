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
