#if os(Linux)
package import GodwitCore

/// Passes a body to its reader in chunks. What arrives in one turn of the loop is sent together and wakes the reader once.
package final class StreamSink {
    package let channel: BodyChannel
    private let pool: BufferPool
    private let capacity: Int
    /// The chunk that is being filled.
    private var buffer: UnsafeMutableRawPointer?
    private var count = 0
    private var ready: [Data] = []
    private var readyBytes = 0
    /// Whether bytes wait for ``flush()``.
    package var isFlushScheduled = false

    /// - Parameter capacity: The most bytes to gather in one turn.
    package init(_ channel: BodyChannel, capacity: Int, pool: BufferPool) {
        self.channel = channel
        self.capacity = capacity
        self.pool = pool
    }

    deinit {
        if let buffer { pool.give(buffer) }
    }

    /// How many bytes it takes before its next ``flush()``.
    package var room: Int { max(0, capacity - readyBytes - count) }

    package func append(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let address = buffer ?? pool.take()
            buffer = address
            let part = UnsafeRawBufferPointer(rebasing: rest.prefix(pool.size - count))
            UnsafeMutableRawBufferPointer(start: address + count, count: part.count).copyMemory(from: part)
            count += part.count
            rest = rest.dropFirst(part.count)
            if count == pool.size { sealChunk() }
        }
    }

    /// Passes on what has arrived, and returns what the reader wants; nil if nothing had.
    package func flush() -> BodyChannel.Demand? {
        sealChunk()
        guard !ready.isEmpty else { return nil }
        let chunks = ready
        ready = []
        readyBytes = 0
        return channel.send(chunks)
    }

    private func sealChunk() {
        guard let address = buffer, count > 0 else { return }
        readyBytes += count
        ready.append(chunk(address))
        buffer = nil
        count = 0
    }

    /// Copies a small chunk, so that a reader that keeps it doesn't keep a whole buffer.
    private func chunk(_ address: UnsafeMutableRawPointer) -> Data {
        guard count < pool.size / 4 else { return pool.data(address, count: count) }
        defer { pool.give(address) }
        return Data(bytes: address, count: count)
    }
}
#endif
