import GodwitCore

/// Identifies a value in a store.
struct QueryKey: Hashable {
    /// Method, URL, type and body.
    let text: String
    /// The type of the cached value, as types of different modules can have the same name.
    let type: ObjectIdentifier

    init(_ identity: ModelIdentity, _ type: any CachedValue.Type) {
        self.init(text: identity.key, type: ObjectIdentifier(type))
    }

    init(text: String, type: ObjectIdentifier) {
        self.text = text
        self.type = type
    }

    /// That of a value that can't be shared.
    static let none = QueryKey(text: "", type: ObjectIdentifier(QueryKey.self))
}

/// A value in a store, and the loaders that use it.
@MainActor
final class QueryEntry {
    let key: QueryKey
    /// `nil` for a value that can't be shared.
    let identity: ModelIdentity?
    let cached: any CachedValue
    /// Later entries have larger numbers.
    let number: UInt64
    /// The later it was used, the larger.
    private(set) var lastUse: UInt64
    private(set) var tags: Set<String> = []
    /// The age at which a stored model is stale: the least of all loaders.
    private(set) var staleAfter: Duration?
    private(set) var users = 0
    var removal: Task<Void, Never>? {
        didSet { oldValue?.cancel() }
    }

    private static var lastNumber: UInt64 = 0
    private static var uses: UInt64 = 0

    init(_ key: QueryKey, _ identity: ModelIdentity?, _ cached: any CachedValue) {
        self.key = key
        self.identity = identity
        self.cached = cached
        Self.lastNumber += 1
        Self.uses += 1
        number = Self.lastNumber
        lastUse = Self.uses
    }

    func use() {
        Self.uses += 1
        lastUse = Self.uses
    }

    var isUnused: Bool { users == 0 }

    /// Adds a loader.
    func join(_ options: QueryOptions) {
        users += 1
        removal = nil
        tags.formUnion(options.tags)
        staleAfter = min(staleAfter ?? options.staleAfter, options.staleAfter)
    }

    /// Removes a loader. Returns whether it was the last one.
    func leave() -> Bool {
        users -= 1
        use()
        return isUnused
    }
}
