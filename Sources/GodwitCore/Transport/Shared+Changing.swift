extension Shared {
    /// The value with a change, in storage of its own; what shares this one keeps it as it is.
    func changing(_ change: (inout Value) -> Void) -> Shared {
        var value = value
        change(&value)
        return Shared(value)
    }
}
