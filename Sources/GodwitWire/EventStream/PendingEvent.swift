/// An event of which some lines were read.
struct PendingEvent: Sendable {
    var type = PendingText()
    var data = PendingText()
    var id = PendingText()
    var retry: Duration?

    /// Copies what is in the buffer, before that changes.
    mutating func collect(from bytes: UnsafeRawBufferPointer) {
        type.collect(from: bytes)
        data.collect(from: bytes)
        id.collect(from: bytes)
    }

    /// Forgets all of it.
    mutating func reset() {
        type.reset()
        data.reset()
        id.reset()
        retry = nil
    }
}
