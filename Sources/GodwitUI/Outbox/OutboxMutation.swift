public import GodwitCore

/// A change that an ``Outbox`` keeps until the server has it, also when the app ends in between.
///
/// ```swift
/// struct RenameArticle: OutboxMutation {
///     let id: Int
///     let title: String
///
///     var endpoint: Endpoint<Article> { .rename(id: id, to: title) }
///     var scope: String { "article \(id)" }
///
///     @MainActor func apply(to changes: QueryChanges) {
///         changes.update(Article.self, id: id) { $0.title = title }
///     }
/// }
/// ```
///
/// Write `nonisolated struct` in a module whose code is on the main actor by default.
public protocol OutboxMutation: Codable, Sendable {
    /// The response's value.
    associatedtype Output: Sendable

    /// Identifies the type in the outbox's files; by default its name. Keep it when you rename the type.
    static var name: String { get }

    /// The request. It is made again for each attempt, and gets an `Idempotency-Key`.
    var endpoint: Endpoint<Output> { get }

    /// Mutations with the same scope are sent one after another; others don't wait for each other.
    var scope: String { get }

    /// The value whose version the server must still have (`If-Match`); `nil` by default.
    ///
    /// The condition is the `ETag` that the value had when the mutation was added, or got by an earlier mutation. Without
    /// one, or with a weak one (`W/"…"`), which `If-Match` can't compare, it is `*`: the value must exist, and changes of
    /// other users are overwritten.
    var precondition: OutboxPrecondition? { get }

    /// Values that change with it; see ``QueryOptions/tags``. None by default.
    var tags: Set<String> { get }

    /// Its effect, shown from the moment that it is added. It is applied again whenever a newer value is loaded, which
    /// may have the effect already, so it must depend on nothing else.
    @MainActor func apply(to changes: QueryChanges)

    /// Sets values that the server sent with its response. Does nothing by default.
    @MainActor func confirm(_ output: Output, in changes: QueryChanges)
}

extension OutboxMutation {
    /// The name of the type.
    public static var name: String { "\(Self.self)" }

    /// `nil`: no condition is sent.
    public var precondition: OutboxPrecondition? { nil }

    /// No tags.
    public var tags: Set<String> { [] }

    /// Does nothing.
    @MainActor public func confirm(_ output: Output, in changes: QueryChanges) {}
}

/// The value whose version a mutation of an ``Outbox`` depends on.
///
/// ```swift
/// let precondition = OutboxPrecondition(Endpoint<Article>.article(id: 42))
/// ```
public struct OutboxPrecondition: Sendable {
    let query: @MainActor @Sendable (QueryStore) -> any VersionedValue
    /// What identifies the value in a store; `nil` for an endpoint that can't be identified.
    let identity: @Sendable (APIClient) -> ModelIdentity?
    let etag: String?

    /// Creates a precondition on the value that an endpoint loads.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint that loads the value.
    ///   - etag: The version that the user has changed, such as ``QueryStore/etag(of:)`` from when a form was opened.
    ///     `nil` (the default) means the one that the store has when the mutation is added.
    public init<Value: Sendable>(_ endpoint: Endpoint<Value>, etag: String? = nil) {
        query = { $0.query(endpoint).query }
        identity = { try? $0.modelIdentity(of: endpoint) }
        self.etag = etag
    }
}
