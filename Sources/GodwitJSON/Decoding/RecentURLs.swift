/// URLs that were decoded lately: documents repeat those of their authors and pages, and to parse a URL takes longer
/// than anything else in a document.
struct RecentURLs {
    private struct Place {
        var start: UInt32 = 0
        var length: UInt32 = 0
        var url: URL?
    }

    /// A table with one place for several texts: a URL replaces another. Empty before the first URL.
    private var places: [Place] = []

    /// The URL with the same text in the document.
    subscript(entry: TapeEntry, bytes: UnsafePointer<UInt8>) -> URL? {
        guard !places.isEmpty else { return nil }
        let place = places[index(of: entry, bytes)]
        guard place.length == entry.length, let url = place.url else { return nil }
        let count = Int(entry.length)
        let text = UnsafeBufferPointer(start: bytes + Int(entry.start), count: count)
        let other = UnsafeBufferPointer(start: bytes + Int(place.start), count: count)
        return ByteScan.equals(text, other) ? url : nil
    }

    mutating func add(_ url: URL, _ entry: TapeEntry, _ bytes: UnsafePointer<UInt8>) {
        if places.isEmpty { places = Array(repeating: Place(), count: 64) }
        places[index(of: entry, bytes)] = Place(start: entry.start, length: entry.length, url: url)
    }

    /// By the length and the last bytes: the first ones are those of the host.
    private func index(of entry: TapeEntry, _ bytes: UnsafePointer<UInt8>) -> Int {
        var hash = UInt64(entry.length)
        let end = Int(entry.start) &+ Int(entry.length)
        for offset in max(end &- 16, Int(entry.start))..<end {
            hash = (hash &* 31) &+ UInt64(bytes[offset])
        }
        return Int((hash &* 0x9E37_79B9_7F4A_7C15) >> 58)
    }
}
