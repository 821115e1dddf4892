/// Copy-on-write storage: copies share one reference, and a change copies the value only if the storage is shared.
///
/// Requests, responses, calls and errors travel through every `await` of a call. Keeping what they hold behind one
/// reference keeps the frames of those functions small.
struct Box<Value: Sendable>: Sendable {
    /// Proof of Sendable: `value` is written only through ``value``, and only while its box holds the one reference.
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
    /// doubled the cost of a call (decision 058). A change is made in place, and other copies keep the former value.
    var value: Value {
        _read { yield storage.value }
        _modify {
            if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.value) }
            yield &storage.value
        }
    }

    /// Whether both are copies of one box, and neither has changed since. `false` says nothing about the values.
    func isCopy(of other: Box) -> Bool { storage === other.storage }
}
