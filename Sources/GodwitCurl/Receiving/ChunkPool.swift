import GodwitCore
import Synchronization

/// Buffers for the chunks of streamed bodies, used again once their reader lets go of them.
///
/// Fresh memory of this size costs a page fault per 4 KiB, more than copying into it.
final class ChunkPool: Sendable {
    /// The size of each buffer.
    static let chunkSize = 128 << 10

    private struct Buffer: @unchecked Sendable {
        // Proof: a buffer in the pool belongs to nobody, and is handed out once.
        let address: UnsafeMutableRawPointer
    }

    private let idle = Mutex<[Buffer]>([])
    private static let maximumIdle = 16

    deinit {
        idle.withLock { buffers in
            for buffer in buffers { buffer.address.deallocate() }
        }
    }

    func take() -> UnsafeMutableRawPointer {
        idle.withLock { $0.popLast()?.address }
            ?? .allocate(byteCount: Self.chunkSize, alignment: 16)
    }

    func give(_ address: UnsafeMutableRawPointer) {
        let buffer = Buffer(address: address)
        let isKept = idle.withLock { buffers in
            guard buffers.count < Self.maximumIdle else { return false }
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
