/// Copy-on-write storage: copies share one reference, and a change copies the value only if the storage is shared.
///
/// Requests, responses, calls and errors travel through every `await` of a call. Keeping what they hold behind one
/// reference keeps the frames of those functions small.
@frozen
package struct Box<Value: Sendable>: Sendable {
    /// Proof of Sendable: `value` is written only by ``change(_:)``, and only while its box holds the one reference.
    @usableFromInline
    final class Storage: @unchecked Sendable {
        @usableFromInline
        @exclusivity(unchecked)
        var value: Value

        @inlinable
        init(_ value: Value) {
            self.value = value
        }
    }

    @usableFromInline
    var storage: Storage

    @inlinable
    package init(_ value: Value) {
        storage = Storage(value)
    }

    @inlinable
    package var value: Value { storage.value }

    /// Changes the value of this box only. Other copies keep the former value.
    @inlinable
    package mutating func change<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.value) }
        return try body(&storage.value)
    }

    /// Whether both are copies of one box, and neither has changed since. `false` says nothing about the values.
    @inlinable
    package func isCopy(of other: Box) -> Bool { storage === other.storage }
}
