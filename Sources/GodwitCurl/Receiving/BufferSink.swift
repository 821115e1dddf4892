import Glibc
import GodwitCore

/// Collects a body in memory that is handed over, not copied, at the end.
struct BufferSink {
    private var address: UnsafeMutableRawPointer?
    private var capacity = 0
    private var count = 0
    private let limit: Int

    /// - Parameters:
    ///   - limit: The most bytes to take.
    ///   - expected: The declared length; trusted for one reservation of at most 1 MiB.
    init(limit: Int, expected: Int64?) {
        self.limit = limit
        if let expected, expected > 0 { reserve(Int(min(expected, 1 << 20))) }
    }

    /// Adds bytes; false where they are more than the limit allows.
    mutating func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count <= limit - count, let source = bytes.baseAddress else { return bytes.isEmpty }
        if count + bytes.count > capacity { reserve(max(count + bytes.count, capacity * 2, 1024)) }
        // Where memory ran out, the buffer is as small as before.
        guard let address, count + bytes.count <= capacity else { return false }
        memcpy(address + count, source, bytes.count)
        count += bytes.count
        return true
    }

    /// The body; the sink is empty afterwards.
    mutating func take() -> Data {
        guard let address, count > 0 else {
            discard()
            return Data()
        }
        defer { self = BufferSink(limit: limit, expected: nil) }
        return Data(bytesNoCopy: address, count: count, deallocator: .free)
    }

    /// Frees what was collected.
    mutating func discard() {
        free(address)
        self = BufferSink(limit: limit, expected: nil)
    }

    private mutating func reserve(_ wanted: Int) {
        guard let grown = realloc(address, wanted) else { return }
        address = grown
        capacity = wanted
    }
}
