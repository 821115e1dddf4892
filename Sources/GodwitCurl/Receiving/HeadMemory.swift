import Glibc

/// The lines of the last response head on a handle (decision 017). Most lines of the next head are the same, and comparing a line is
/// much cheaper than parsing it.
struct HeadMemory {
    private var bytes: [UInt8] = []
    /// Where each line ends in ``bytes``.
    private var ends: [Int] = []
    /// The parsed lines, once they were complete.
    var head: ResponseHead?

    var lineCount: Int { ends.count }

    /// Whether these are exactly the lines of the last head.
    func isWhole(_ lines: UnsafeRawBufferPointer) -> Bool {
        head != nil && lines.count == bytes.count && holds(lines, from: 0)
    }

    /// How many lines at the start equal those of the last head, and where they end.
    func common(with lines: UnsafeRawBufferPointer) -> (count: Int, end: Int) {
        var common = (count: 0, end: 0)
        guard head != nil else { return common }
        for end in ends {
            guard end <= lines.count,
                holds(UnsafeRawBufferPointer(rebasing: lines[common.end..<end]), from: common.end)
            else { break }
            common = (common.count + 1, end)
        }
        return common
    }

    /// Keeps the first lines, which were repeated, and removes the others.
    mutating func keep(_ count: Int) {
        head = nil
        bytes.removeLast(bytes.count - (count == 0 ? 0 : ends[count - 1]))
        ends.removeLast(ends.count - count)
    }

    mutating func append(_ line: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: line)
        ends.append(bytes.count)
    }

    /// Whether the last head has these bytes at an offset. It has to be long enough.
    private func holds(_ part: UnsafeRawBufferPointer, from start: Int) -> Bool {
        bytes.withUnsafeBytes { known in
            guard let known = known.baseAddress, let address = part.baseAddress else { return false }
            return memcmp(known + start, address, part.count) == 0
        }
    }
}
