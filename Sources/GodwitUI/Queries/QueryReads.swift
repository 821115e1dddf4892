/// What a mutation has looked at, so that it is applied again when that changes.
@MainActor
struct QueryReads {
    /// The values, whether the store has them or not.
    private var keys: Set<QueryKey> = []
    /// The lists.
    private var lists: Set<ObjectIdentifier> = []
    /// The types of the values in which it looked for an element.
    private var types: Set<ObjectIdentifier> = []
    /// The values whose elements it changed after a look at other values.
    private var influenced: Set<ObjectIdentifier> = []
    /// Whether it has looked at a value since it was applied the last time.
    private var isInfluenced = false

    /// Notes that the mutation is applied again.
    mutating func begin() { isInfluenced = false }

    mutating func addValue(_ key: QueryKey) {
        keys.insert(key)
        isInfluenced = true
    }

    mutating func addList(_ list: any CachedValue) {
        lists.insert(ObjectIdentifier(list))
        isInfluenced = true
    }

    /// Notes that elements were looked for in all values of a type.
    mutating func addAll(_ type: any CachedValue.Type) { types.insert(ObjectIdentifier(type)) }

    /// Notes that an element of a value was changed.
    mutating func noteChange(of cached: any CachedValue) {
        if isInfluenced { influenced.insert(ObjectIdentifier(cached)) }
    }

    /// Whether a value was looked at.
    func concern(_ cached: any CachedValue, _ key: QueryKey?) -> Bool {
        if lists.contains(ObjectIdentifier(cached)) { return true }
        return key.map { keys.contains($0) || types.contains($0.type) } ?? false
    }

    /// Whether elements of a value may depend on other values.
    func influence(_ cached: any CachedValue) -> Bool { influenced.contains(ObjectIdentifier(cached)) }
}
