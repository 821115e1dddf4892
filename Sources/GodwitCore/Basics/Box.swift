/// Copy-on-write storage: copies share one reference, and a change copies the value only if the storage is shared.
///
/// Requests, responses, calls and errors travel through every `await` of a call. Keeping what they hold behind one
/// reference keeps the frames of those functions small.
struct Box<Value: Sendable>: Sendable {
    /// Proof of Sendable: `value` is written only by ``change(_:)``, and only while its box holds the one reference.
    private final class Storage: @unchecked Sendable {
        @exclusivity(unchecked)
        var value: Value

        init(_ value: Value) {
            self.value = value
        }
    }

    private var storage: Storage

    init(_ value: Value) {
        storage = Storage(value)
    }

    /// The value. Reading one of its properties copies only that: a plain getter, which copies the whole value first,
    /// doubled the cost of a call (decision 058).
    var value: Value {
        _read { yield storage.value }
    }

    /// Changes the value of this box only. Other copies keep the former value.
    mutating func change<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.value) }
        return try body(&storage.value)
    }

    /// Whether both are copies of one box, and neither has changed since. `false` says nothing about the values.
    func isCopy(of other: Box) -> Bool { storage === other.storage }
}
