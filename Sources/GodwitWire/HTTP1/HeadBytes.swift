import GodwitLibc

/// Collects the pieces of a head up to its blank line. Searches each byte once, and the last two of a piece again.
struct HeadBytes: Sendable {
    /// What arrived of a head that is incomplete.
    private(set) var partial: [UInt8] = []
    /// How much of it was searched for the end.
    private var searched = 0
    /// How many bytes were searched for the end of a head in pieces.
    private(set) var searchedCount = 0

    mutating func removeAll() {
        if !partial.isEmpty { partial = [] }
        searched = 0
    }

    /// Takes bytes from the front, up to the end of the head. Returns the whole head; `nil` if it continues, and all bytes were
    /// taken.
    mutating func take(_ bytes: inout UnsafeRawBufferPointer) -> [UInt8]? {
        if partial.isEmpty, let end = Self.end(of: bytes) {
            defer { bytes = UnsafeRawBufferPointer(rebasing: bytes[end...]) }
            return Array(bytes[..<end])
        }
        let before = partial.count
        partial.append(contentsOf: bytes)
        searchedCount += partial.count - searched
        guard let end = partial.withUnsafeBytes({ Self.end(of: $0, from: searched) }) else {
            bytes = UnsafeRawBufferPointer(rebasing: bytes[bytes.count...])
            // The end may begin with the last two bytes.
            searched = max(0, partial.count - 2)
            return nil
        }
        bytes = UnsafeRawBufferPointer(rebasing: bytes[(end - before)...])
        defer { removeAll() }
        return Array(partial[..<end])
    }

    /// The number of bytes up to the end of the blank line; `nil` if it has not arrived.
    static func end(of bytes: UnsafeRawBufferPointer, from start: Int = 0) -> Int? {
        guard let base = bytes.baseAddress else { return nil }
        var position = start
        while position < bytes.count, let found = memchr(base + position, 0x0A, bytes.count - position) {
            let feed = base.distance(to: UnsafeRawPointer(found))
            if feed + 1 < bytes.count, bytes[feed + 1] == 0x0A { return feed + 2 }
            if feed + 2 < bytes.count, bytes[feed + 1] == 0x0D, bytes[feed + 2] == 0x0A { return feed + 3 }
            position = feed + 1
        }
        return nil
    }
}
