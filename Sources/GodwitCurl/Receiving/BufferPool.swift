import GodwitCore
import Synchronization

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
