#if os(Linux)
import CLinux
package import GodwitCore
import GodwitLibc
import GodwitSupport
import Synchronization

/// Collects a body in memory. A small one is in a buffer of the pool, and is copied when the caller takes it; a larger one
/// has separate memory, which is handed over (decision 010). From 1 MiB on that is mapped, and grows without being copied.
package struct BufferSink {
    private let limits: BodyLimits
    private let pool: BufferPool
    private var address: UnsafeMutableRawPointer?
    private var capacity = 0
    private var count = 0

    /// - Parameters:
    ///   - limits: Tell how many bytes are accepted.
    ///   - expected: The declared length; trusted for one reservation of at most 1 MiB.
    ///   - pool: Buffers for small bodies.
    package init(_ limits: BodyLimits, expected: Int64?, pool: BufferPool) {
        self.limits = limits
        self.pool = pool
        if let expected, expected > pool.size { grow(to: Int(min(expected, 1 << 20))) }
    }

    private var isPooled: Bool { capacity == pool.size }
    private var isMapped: Bool { capacity > Self.mostAllocated }
    private static let mostAllocated = 1 << 20

    /// How many bytes it accepts, and one more: that is refused.
    package var room: Int { limits.buffer.saturatingSubtracting(count).saturatingAdding(1) }

    /// Adds bytes. Returns why that failed, or nil.
    package mutating func append(_ bytes: UnsafeRawBufferPointer) -> NetworkError.Kind? {
        if let fault = limits.fault(adding: bytes.count, toBuffered: count) { return fault }
        guard let source = bytes.baseAddress else { return nil }
        if count + bytes.count > capacity { grow(to: max(count + bytes.count, capacity * 2)) }
        // If memory ran out, the buffer is as small as before.
        guard let address, count + bytes.count <= capacity else { return .tooLarge(limit: Int64(capacity)) }
        memcpy(address + count, source, bytes.count)
        count += bytes.count
        return nil
    }

    /// The body; the sink is empty afterwards.
    package mutating func take() -> Data {
        guard let address, count > 0 else {
            discard()
            return Data()
        }
        if isPooled {
            defer { discard() }
            return Data(bytes: address, count: count)
        }
        self.address = nil
        guard isMapped else { return Data(bytesNoCopy: address, count: count, deallocator: .free) }
        return Data(
            bytesNoCopy: address, count: count,
            deallocator: .custom { [capacity] address, _ in munmap(address, capacity) })
    }

    /// Frees what was collected.
    package mutating func discard() {
        if let address { release(address) }
        address = nil
        capacity = 0
        count = 0
    }

    private mutating func grow(to size: Int) {
        if address == nil && size <= pool.size {
            address = pool.take()
            capacity = pool.size
        } else if isMapped || !isPooled && size <= Self.mostAllocated {
            let larger = isMapped ? godwit_remap(address, capacity, size) : realloc(address, size)
            if larger != nil {
                address = larger
                capacity = size
            }
        } else if let separate = size > Self.mostAllocated ? godwit_remap(nil, 0, size) : malloc(size) {
            if let address {
                memcpy(separate, address, count)
                release(address)
            }
            address = separate
            capacity = size
        }
    }

    private func release(_ address: UnsafeMutableRawPointer) {
        if isPooled {
            pool.give(address)
        } else if isMapped {
            munmap(address, capacity)
        } else {
            free(address)
        }
    }
}

/// Where the body of one response goes.
package enum BodySink {
    /// The head is not in yet, or there is nothing to keep.
    case none
    case buffer(BufferSink)
    case file(FileWriter, URL)
    case stream(StreamSink)
}

/// Buffers of one size that threads pass to each other and reuse (decision 010).
///
/// The loop fills them and callers empty them. Memory that one thread allocates and another frees makes both wait for the
/// allocator's lock, and fresh memory costs a page fault per 4 KiB, which is more than copying into it.
package final class BufferPool: Sendable {
    /// The size of each buffer in bytes.
    package let size: Int
    private let maximumIdle: Int

    /// The addresses of unused buffers.
    private let idle = Mutex<[UInt]>([])

    /// - Parameter maximumIdle: How many unused buffers to keep.
    package init(size: Int, maximumIdle: Int) {
        self.size = size
        self.maximumIdle = maximumIdle
    }

    deinit {
        idle.withLock { addresses in
            for address in addresses { UnsafeMutableRawPointer(bitPattern: address)?.deallocate() }
        }
    }

    package func take() -> UnsafeMutableRawPointer {
        idle.withLock { $0.popLast() }.flatMap(UnsafeMutableRawPointer.init(bitPattern:))
            ?? .allocate(byteCount: size, alignment: 16)
    }

    package func give(_ address: UnsafeMutableRawPointer) {
        let number = UInt(bitPattern: address)
        let isKept = idle.withLock { addresses in
            guard addresses.count < maximumIdle else { return false }
            addresses.append(number)
            return true
        }
        if !isKept { address.deallocate() }
    }

    /// The first bytes of a buffer from this pool as data that gives it back when the last copy is gone.
    package func data(_ address: UnsafeMutableRawPointer, count: Int) -> Data {
        Data(bytesNoCopy: address, count: count, deallocator: .custom { address, _ in self.give(address) })
    }
}
#endif
