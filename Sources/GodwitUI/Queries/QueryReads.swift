/// What a mutation has looked at, so that it is applied again when that changes.
@MainActor
struct QueryReads {
    /// The values, whether the store has them or not.
    private var keys: Set<QueryKey> = []
    /// The lists.
    private var lists: Set<ObjectIdentifier> = []
    /// The types of the parts in which it looked for an element.
    private var types: Set<ObjectIdentifier> = []
    /// The parts whose elements it changed after a look at other values.
    private var influenced: Set<ObjectIdentifier> = []
    /// Whether it has looked at a value since it was applied the last time.
    private var isInfluenced = false

    /// Notes that the mutation is applied again.
    mutating func begin() { isInfluenced = false }

    mutating func addValue(_ key: QueryKey) {
        keys.insert(key)
        isInfluenced = true
    }

    mutating func addList(_ list: any QueryPart) {
        lists.insert(ObjectIdentifier(list))
        isInfluenced = true
    }

    /// Notes that elements were looked for in all parts of a type.
    mutating func addAll(_ type: any QueryPart.Type) { types.insert(ObjectIdentifier(type)) }

    /// Notes that an element of a part was changed.
    mutating func noteChange(of part: any QueryPart) {
        if isInfluenced { influenced.insert(ObjectIdentifier(part)) }
    }

    /// Whether a part was looked at.
    func concern(_ part: any QueryPart, _ key: QueryKey?) -> Bool {
        if lists.contains(ObjectIdentifier(part)) { return true }
        return key.map { keys.contains($0) || types.contains($0.part) } ?? false
    }

    /// Whether elements of a part may depend on other values.
    func influence(_ part: any QueryPart) -> Bool { influenced.contains(ObjectIdentifier(part)) }
}
