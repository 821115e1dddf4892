import Synchronization

/// What is empty for most programs.
public protocol SparseContents: Sendable {
    var isEmpty: Bool { get }
}

/// A lock around a value that is empty for most programs: whether it is, is known without the lock.
///
/// A lock that all calls of a client take, one processor after the other, costs more than what it protects (decision 144).
public final class SparseMutex<Value: SparseContents>: Sendable {
    private let value: Mutex<Value>
    private let empty: Atomic<Bool>

    public init(_ value: Value) {
        empty = Atomic(value.isEmpty)
        self.value = Mutex(value)
    }

    /// Whether the value was empty after the latest change.
    public var isEmpty: Bool { empty.load(ordering: .acquiring) }

    public func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try value.withLock { (value) throws(Failure) in
            defer { note(value.isEmpty) }
            return try body(&value)
        }
    }

    /// Writes only what differs: others may be reading.
    private func note(_ isEmpty: Bool) {
        if empty.load(ordering: .relaxed) != isEmpty { empty.store(isEmpty, ordering: .releasing) }
    }
}
