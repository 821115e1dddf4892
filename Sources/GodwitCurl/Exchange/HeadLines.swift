#if os(Linux)
import CGodwitCurl
import GodwitCore
import GodwitSockets

/// The lines of a response's header on their way in, until the blank one completes a head.
///
/// libcurl calls for each line, and most calls only copy some bytes. So this has a fixed address, which libcurl knows, and such a
/// call touches no reference count (decision 017).
struct HeadLines {
    /// From this size on libcurl may hold more of the head than it hands over.
    private static let large = 12 << 10

    /// What became of a line.
    enum Intake {
        case taken
        /// It is taken, and the engine has to do something.
        case effective
        case refused
    }

    unowned(unsafe) let handle: EasyHandle
    private let clock: UnsafePointer<LoopTime>
    /// When the exchange was last notified.
    private var noted: LoopTime?
    private var bytes = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var count = 0
    private var lastStored: UnsafeMutableRawPointer?
    /// How many headers libcurl has stored, if it may lose them.
    private(set) var storedCount = 0

    /// - Parameters:
    ///   - handle: The owner, which lives longer.
    ///   - clock: The loop's time.
    init(of handle: EasyHandle, clock: UnsafePointer<LoopTime>) {
        self.handle = handle
        self.clock = clock
    }

    /// Gets ready for another exchange.
    mutating func reset() {
        count = 0
        noted = nil
        lastStored = nil
        storedCount = 0
    }

    /// Where libcurl has stored the last header of a whole response, if it may lose it; nil if that is unknown, as after a line that
    /// ended a head for libcurl alone.
    var lastHeader: UnsafeMutableRawPointer? { count == 0 ? lastStored : nil }

    mutating func free() {
        bytes.deallocate()
        bytes = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    }

    /// Takes one line with its ending.
    mutating func take(_ line: UnsafeRawBufferPointer) -> Intake {
        if noted != clock.pointee {
            noted = clock.pointee
            handle.exchange?.noteHeaderLine(at: clock.pointee)
        }
        if CurlLibrary.losesHeaders { noteStored(line) }
        append(line)
        guard Self.isBlank(line) || count > ResponseHeadParser.limit else {
            guard count > Self.large else { return .taken }
            handle.exchange?.effects.insert(.readLargeHead)
            return .effective
        }
        guard let exchange = handle.exchange else { return .refused }
        let isTaken = exchange.receiveHead(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
        count = 0
        // A stream may stay open for long, and a thousand others with it.
        if case .streamed = exchange.request.delivery { free() }
        guard isTaken else { return .refused }
        return exchange.effects.isEmpty ? .taken : .effective
    }

    /// Takes lines that no blank line followed, as libcurl hands over trailers; false to give up.
    mutating func finish() -> Bool {
        guard count > 0 else { return true }
        defer { count = 0 }
        return handle.exchange?.receiveHead(UnsafeRawBufferPointer(rebasing: bytes[..<count])) ?? false
    }

    /// libcurl has stored the line if it is a header: not the status line, and none that begins with an end of line.
    private mutating func noteStored(_ line: UnsafeRawBufferPointer) {
        guard line.first != 0x0D, line.first != 0x0A else { return }
        lastStored = count > 0 ? godwit_last_piece() : nil
        storedCount += 1
    }

    private mutating func append(_ line: UnsafeRawBufferPointer) {
        if bytes.count - count < line.count { grow(to: max(1024, (count + line.count) * 2)) }
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
#endif
