import Glibc
import GodwitCore
import Synchronization

/// Collects a body in memory. A small one lies in a buffer of the pool and is copied out by whoever takes it; a larger
/// one has memory of its own, which is handed over.
struct BufferSink {
    private let limit: Int
    private let pool: BufferPool
    private var address: UnsafeMutableRawPointer?
    private var capacity = 0
    private var count = 0

    /// - Parameters:
    ///   - limit: The most bytes to take.
    ///   - expected: The declared length; trusted for one reservation of at most 1 MiB.
    ///   - pool: Buffers for small bodies.
    init(limit: Int, expected: Int64?, pool: BufferPool) {
        self.limit = limit
        self.pool = pool
        if let expected, expected > pool.size { grow(to: Int(min(expected, 1 << 20))) }
    }

    private var isPooled: Bool { capacity == pool.size }

    /// Adds bytes; false where they are more than the limit allows.
    mutating func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count <= limit.saturatingSubtracting(count), let source = bytes.baseAddress else {
            return bytes.isEmpty
        }
        if count + bytes.count > capacity { grow(to: max(count + bytes.count, capacity * 2)) }
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
        if isPooled {
            defer { discard() }
            return Data(bytes: address, count: count)
        }
        self.address = nil
        return Data(bytesNoCopy: address, count: count, deallocator: .free)
    }

    /// Lets go of what was collected.
    mutating func discard() {
        if let address { isPooled ? pool.give(address) : free(address) }
        address = nil
        capacity = 0
        count = 0
    }

    private mutating func grow(to wanted: Int) {
        if address == nil && wanted <= pool.size {
            address = pool.take()
            capacity = pool.size
        } else if isPooled, let pooled = address {
            guard let own = malloc(wanted) else { return }
            memcpy(own, pooled, count)
            pool.give(pooled)
            address = own
            capacity = wanted
        } else if let own = realloc(address, wanted) {
            address = own
            capacity = wanted
        }
    }
}

/// Where the content of one response goes.
enum BodySink {
    /// The head is not in yet, or there is nothing to keep.
    case none
    case buffer(BufferSink)
    case file(FileWriter, URL)
    case stream(StreamSink)
}

/// Buffers of one size that threads hand to each other and use again.
///
/// The loop fills them and callers empty them. Memory that one thread takes from the allocator and another returns
/// makes both wait for its lock, and fresh memory costs a page fault per 4 KiB: more than copying into it.
final class BufferPool: Sendable {
    /// The size of each buffer in bytes.
    let size: Int
    private let maximumIdle: Int

    private struct Buffer: @unchecked Sendable {
        // Proof: a buffer in the pool belongs to nobody, and is handed out once.
        let address: UnsafeMutableRawPointer
    }

    private let idle = Mutex<[Buffer]>([])

    /// - Parameter maximumIdle: How many unused buffers to keep.
    init(size: Int, maximumIdle: Int) {
        self.size = size
        self.maximumIdle = maximumIdle
    }

    deinit {
        idle.withLock { buffers in
            for buffer in buffers { buffer.address.deallocate() }
        }
    }

    func take() -> UnsafeMutableRawPointer {
        idle.withLock { $0.popLast()?.address } ?? .allocate(byteCount: size, alignment: 16)
    }

    func give(_ address: UnsafeMutableRawPointer) {
        let buffer = Buffer(address: address)
        let isKept = idle.withLock { buffers in
            guard buffers.count < maximumIdle else { return false }
            buffers.append(buffer)
            return true
        }
        if !isKept { address.deallocate() }
    }

    /// The first bytes of a buffer from this pool as data that gives it back when the last copy is gone.
    func data(_ address: UnsafeMutableRawPointer, count: Int) -> Data {
        Data(bytesNoCopy: address, count: count, deallocator: .custom { address, _ in self.give(address) })
    }
}
