/// JSON text that grows at its end: first the values as they are encoded, then the whole document.
///
/// Raw memory: an array in a class would check bounds and exclusive access for each byte. Every write first calls
/// ``reserve(_:)`` for at least the bytes it stores, and `count` never exceeds the capacity.
final class EncodedText {
    private(set) var base: UnsafeMutablePointer<UInt8>
    var count = 0
    private var capacity: Int

    /// - Parameter capacity: Bytes to allocate at once.
    init(capacity: Int) {
        self.capacity = capacity
        base = .allocate(capacity: capacity)
    }

    deinit {
        SpareMemory.give(block)
    }

    private var block: SpareMemory.Block { SpareMemory.Block(start: base, count: capacity) }

    /// The first byte that isn't written yet.
    @inline(__always)
    var end: UnsafeMutablePointer<UInt8> { base + count }

    /// Makes room for more bytes at the end. Pointers from before are invalid afterwards.
    @inline(__always)
    func reserve(_ bytes: Int) {
        if capacity &- count < bytes { grow(bytes) }
    }

    @inline(never)
    private func grow(_ bytes: Int) {
        let former = block
        let larger = SpareMemory.take(atLeast: max(capacity &* 2, count &+ bytes))
        larger.start.copyMemory(from: base, byteCount: count)
        base = larger.start.bindMemory(to: UInt8.self, capacity: larger.count)
        capacity = larger.count
        SpareMemory.give(former)
    }

    @inline(__always)
    func write(_ byte: UInt8) {
        reserve(1)
        base[count] = byte
        count &+= 1
    }

    @inline(__always)
    func write(_ literal: StaticString) {
        write(UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
    }

    /// Writes bytes that need no escapes.
    @inline(__always)
    func write(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let source = bytes.baseAddress else { return }
        reserve(bytes.count)
        end.update(from: source, count: bytes.count)
        count &+= bytes.count
    }

    /// Writes text that needs no escapes, such as a number.
    func writeASCII(_ string: String) {
        string.withBytes { write($0) }
    }

    /// Writes a part of this text again, at the end.
    func writeCopy(of range: Range<Int>) {
        reserve(range.count)
        end.update(from: base + range.lowerBound, count: range.count)
        count &+= range.count
    }

    /// Hands over the text without copying it. Nothing is left.
    func takeData() -> Data {
        let (bytes, length) = (base, count)
        base = .allocate(capacity: 0)
        count = 0
        capacity = 0
        return Data(
            bytesNoCopy: UnsafeMutableRawPointer(bytes), count: length,
            deallocator: .custom { memory, _ in memory.deallocate() })
    }
}
