/// A text that is searched for secrets: the bytes that are known, and the parts of them that were hidden.
///
/// The text of a stream grows. A reader that needs bytes which haven't come yet stops, and reads the same place again later.
struct SecretInput: Sendable {
    /// A part that isn't shown.
    struct Hidden: Sendable {
        let range: Range<Int>
        /// What stands in its place; empty if it continues the part before.
        let mark: [UInt8]
    }

    /// How far a reader looks back.
    static let reach = 1024

    private(set) var bytes: [UInt8]
    /// Whether no more bytes follow.
    var isWhole: Bool
    /// The first byte that no reader has read.
    var position = 0
    private(set) var hidden: [Hidden] = []
    /// How many bytes before `bytes` were forgotten.
    private var forgotten = 0

    init(_ bytes: [UInt8] = [], isWhole: Bool) {
        self.bytes = bytes
        self.isWhole = isWhole
    }

    /// The byte at an offset; `nil` before the start and after the end.
    subscript(index: Int) -> UInt8? { bytes.indices.contains(index) ? bytes[index] : nil }

    var isAtEnd: Bool { position == bytes.count }

    /// The offset in the whole text.
    func absolute(_ index: Int) -> Int { index + forgotten }

    /// The offset in `bytes` of an offset in the whole text.
    func index(_ absolute: Int) -> Int { absolute - forgotten }

    /// Whether an offset is the start of the text.
    func isStart(_ index: Int) -> Bool { absolute(index) == 0 }

    mutating func append(_ more: some Sequence<UInt8>) { bytes += more }

    // MARK: Looking around

    /// The first offset from `start` on whose byte doesn't meet a condition; `nil` if that isn't known yet.
    func end(from start: Int, while condition: (UInt8) -> Bool) -> Int? {
        let end = bytes[min(start, bytes.count)...].firstIndex { !condition($0) } ?? bytes.count
        return end == bytes.count && !isWhole ? nil : end
    }

    /// The start of the bytes before an offset that meet a condition.
    func start(before end: Int, within reach: Int = reach, while condition: (UInt8) -> Bool) -> Int {
        let limit = max(0, end - reach)
        var start = end
        while start > limit, condition(bytes[start - 1]) { start -= 1 }
        return start
    }

    /// Whether a text stands at an offset; `nil` if that isn't known yet.
    func has(_ text: some Collection<UInt8>, at index: Int) -> Bool? {
        let known = bytes[min(index, bytes.count)...].prefix(text.count)
        guard text.starts(with: known) else { return false }
        return known.count == text.count ? true : isWhole ? false : nil
    }

    /// How often a quotation mark at an offset is escaped: 1 in a string of JSON, 2 in a string of JSON in that.
    func quoteLevel(at index: Int) -> Int {
        let backslashes = index - start(before: index) { $0 == UInt8(ascii: "\\") }
        return (~backslashes).trailingZeroBitCount
    }

    /// The start of the backslashes before an offset, as far as they aren't read.
    func unescaped(_ index: Int) -> Int {
        start(before: index, within: min(Self.reach, index - position)) { $0 == UInt8(ascii: "\\") }
    }

    // MARK: Hiding

    /// Shows a mark in place of what is hidden from here on.
    mutating func startHiding(_ mark: [UInt8] = Array(SecretScanner.mark.utf8)) {
        hidden.append(Hidden(range: position..<position, mark: mark))
    }

    /// Hides the next bytes.
    mutating func hide(upTo end: Int) {
        if end > position { hidden.append(Hidden(range: position..<end, mark: [])) }
        position = end
    }

    mutating func hide(_ parts: [Hidden]) { hidden += parts }

    // MARK: Results

    /// What was read since the last time, without what was hidden.
    mutating func takeShown() -> [UInt8] {
        var shown: [UInt8] = []
        var start = reported
        for part in hidden {
            shown += bytes[start..<part.range.lowerBound]
            shown += part.mark
            start = part.range.upperBound
        }
        shown += bytes[start..<position]
        hidden.removeAll(keepingCapacity: true)
        let excess = position - Self.reach
        if excess > Self.reach * 8 {
            bytes.removeFirst(excess)
            position -= excess
            forgotten += excess
        }
        reported = position
        return shown
    }

    private var reported = 0
}
