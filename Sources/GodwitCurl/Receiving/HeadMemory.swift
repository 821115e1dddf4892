import Glibc

/// The lines of the last response head on a handle. Servers repeat themselves: most lines of the next head are the same,
/// and comparing one is much cheaper than reading it.
struct HeadMemory {
    private var bytes: [UInt8] = []
    /// Where each line ends in ``bytes``.
    private var ends: [Int] = []
    /// What the lines came to, once they were complete.
    var head: ResponseHead?

    /// Whether these are all the lines.
    func isWhole(_ count: Int) -> Bool {
        head != nil && count == ends.count
    }

    /// Whether the line is the one that stood at this place.
    func holds(_ line: UnsafeRawBufferPointer, at index: Int) -> Bool {
        guard head != nil, index < ends.count, let address = line.baseAddress else { return false }
        let start = index == 0 ? 0 : ends[index - 1]
        guard ends[index] - start == line.count else { return false }
        return bytes.withUnsafeBytes { known in
            known.baseAddress.map { memcmp($0 + start, address, line.count) == 0 } ?? false
        }
    }

    /// Keeps the first lines, which came again, and forgets the others.
    mutating func keep(_ count: Int) {
        head = nil
        bytes.removeLast(bytes.count - (count == 0 ? 0 : ends[count - 1]))
        ends.removeLast(ends.count - count)
    }

    mutating func append(_ line: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: line)
        ends.append(bytes.count)
    }
}
