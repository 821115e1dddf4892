import GodwitCore

/// Hands a body to its reader in chunks: what arrives in one turn of the loop travels together.
final class StreamSink {
    let channel: BodyChannel
    private let pool: BufferPool
    private var buffer: UnsafeMutableRawPointer?
    private var count = 0
    /// Whether the reader has to catch up before more may come.
    private(set) var isFull = false
    /// Whether libcurl was told to wait. Apart from ``isFull``, which handing over the rest of a turn may end before
    /// the reader's demand is heard.
    var isHoldingBack = false
    /// Whether bytes wait for ``flush()``.
    var isFlushScheduled = false

    init(_ channel: BodyChannel, pool: BufferPool) {
        self.channel = channel
        self.pool = pool
    }

    deinit {
        if let buffer { pool.give(buffer) }
    }

    /// Takes bytes; false where nobody wants them any more.
    func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let address = buffer ?? pool.take()
            buffer = address
            let part = UnsafeRawBufferPointer(rebasing: rest.prefix(pool.size - count))
            UnsafeMutableRawBufferPointer(start: address + count, count: part.count).copyMemory(from: part)
            count += part.count
            rest = rest.dropFirst(part.count)
            if count == pool.size && !flush() { return false }
        }
        return true
    }

    /// Hands over what is there; false where nobody wants it any more.
    @discardableResult
    func flush() -> Bool {
        guard let address = buffer, count > 0 else { return true }
        let demand = channel.send(takeChunk(address))
        isFull = demand == .pause
        return demand != .none
    }

    /// The reader has caught up; whether libcurl waits for that.
    func wasDrained() -> Bool {
        isFull = false
        defer { isHoldingBack = false }
        return isHoldingBack
    }

    /// A small chunk is copied, so that a reader that keeps it does not keep a whole buffer.
    private func takeChunk(_ address: UnsafeMutableRawPointer) -> Data {
        defer { count = 0 }
        buffer = nil
        guard count < pool.size / 4 else { return pool.data(address, count: count) }
        defer { pool.give(address) }
        return Data(bytes: address, count: count)
    }
}
