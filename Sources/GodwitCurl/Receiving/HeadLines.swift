import Glibc
import GodwitCore

/// The lines of a response's header on their way in, until the blank one completes a head.
///
/// libcurl calls for each line. All but the first and the last of a head end here, in a copy of some bytes: so it stands
/// at an address of its own, which libcurl knows, and touches no reference count.
struct HeadLines {
    /// From here on libcurl may have more of the head than it hands over.
    private static let large = 12 << 10

    private unowned(unsafe) let handle: EasyHandle
    private let clock: UnsafePointer<LoopTime>
    /// When the exchange last heard that it goes on.
    private var noted: LoopTime?
    private var bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 1024, alignment: 1)
    private var count = 0

    /// - Parameters:
    ///   - handle: Whose lines these are; it lives longer.
    ///   - clock: The loop's time.
    init(of handle: EasyHandle, clock: UnsafePointer<LoopTime>) {
        self.handle = handle
        self.clock = clock
    }

    /// Gets ready for another exchange.
    mutating func reset() {
        count = 0
        noted = nil
    }

    func free() {
        bytes.deallocate()
    }

    /// Takes one line with its ending; false to give up.
    mutating func take(_ line: UnsafeRawBufferPointer) -> Bool {
        if noted != clock.pointee {
            noted = clock.pointee
            handle.exchange?.noteHeaderLine()
        }
        append(line)
        if count > Self.large { handle.engine.noteLargeHead(of: handle) }
        guard Self.isBlank(line) || count > ResponseHeadParser.limit else { return true }
        defer { count = 0 }
        return handle.exchange?.receiveHead(UnsafeRawBufferPointer(rebasing: bytes[..<count])) ?? false
    }

    /// Takes what no blank line followed, as libcurl hands trailers over; false to give up.
    mutating func finish() -> Bool {
        guard count > 0 else { return true }
        defer { count = 0 }
        return handle.exchange?.receiveHead(UnsafeRawBufferPointer(rebasing: bytes[..<count])) ?? false
    }

    private mutating func append(_ line: UnsafeRawBufferPointer) {
        if bytes.count - count < line.count { grow(to: (count + line.count) * 2) }
        UnsafeMutableRawBufferPointer(rebasing: bytes[count...]).copyMemory(from: line)
        count += line.count
    }

    private mutating func grow(to size: Int) {
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 1)
        larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
        bytes.deallocate()
        bytes = larger
    }

    private static func isBlank(_ line: UnsafeRawBufferPointer) -> Bool {
        line.count <= 2 && (line.first == 0x0D || line.first == 0x0A)
    }
}

/// The lines of the last response head on a handle. Servers repeat themselves: most lines of the next head are the same,
/// and comparing one is much cheaper than reading it.
struct HeadMemory {
    private var bytes: [UInt8] = []
    /// Where each line ends in ``bytes``.
    private var ends: [Int] = []
    /// What the lines came to, once they were complete.
    var head: ResponseHead?

    var lineCount: Int { ends.count }

    /// Whether these are all the lines, and no others.
    func isWhole(_ lines: UnsafeRawBufferPointer) -> Bool {
        head != nil && lines.count == bytes.count && holds(lines, from: 0)
    }

    /// How many lines at the front are the ones that stood there, and where they end.
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

    /// Whether these bytes stand from there on, where there are as many.
    private func holds(_ part: UnsafeRawBufferPointer, from start: Int) -> Bool {
        bytes.withUnsafeBytes { known in
            guard let known = known.baseAddress, let address = part.baseAddress else { return false }
            return memcmp(known + start, address, part.count) == 0
        }
    }
}
