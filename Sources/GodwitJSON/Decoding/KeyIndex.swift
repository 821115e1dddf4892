/// The keys of an object with many members, in a hash table. If a key occurs more than once, the first counts.
struct KeyIndex {
    /// The number of members, also of equal ones.
    private(set) var count = 0
    /// Entries of keys by hash; 0 for a free slot. A key whose slot is taken has one of the next.
    private var slots: [UInt32] = []
    /// Keys whose spelling isn't that of the document.
    private var converted: [String: UInt32] = [:]

    init(of object: UInt32, in session: DecodingSession) {
        count = session.memberCount(of: object)
        guard session.spelling.isPlain else {
            converted.reserveCapacity(count)
            session.forEachKey(of: object) { key, place in
                if converted[key] == nil { converted[key] = place }
            }
            return
        }
        // At most half of the slots are taken.
        slots = Array(repeating: 0, count: 1 << (Int.bitWidth &- (2 &* count).leadingZeroBitCount))
        var place = object &+ 1
        while place < session.entry(object).next {
            add(place, session)
            place = session.entry(place &+ 1).next
        }
    }

    private mutating func add(_ place: UInt32, _ session: DecodingSession) {
        let entry = session.entry(place)
        if entry.notes.contains(.hasEscapes) {
            var key = session.sentKey(at: place)
            key.withUTF8 { insert($0, place, session) }
        } else {
            insert(session.text(entry), place, session)
        }
    }

    private mutating func insert(_ key: UnsafeBufferPointer<UInt8>, _ place: UInt32, _ session: DecodingSession) {
        let slot = slot(of: key, session)
        if slots[slot] == 0 { slots[slot] = place }
    }

    /// The slot that has the key, or the free one where it belongs.
    private func slot(of key: UnsafeBufferPointer<UInt8>, _ session: DecodingSession) -> Int {
        // With the process's seed, as a peer chooses the keys.
        var hasher = Hasher()
        hasher.combine(bytes: UnsafeRawBufferPointer(key))
        var slot = hasher.finalize() & (slots.count &- 1)
        while slots[slot] != 0, !session.hasKey(slots[slot], key) { slot = (slot &+ 1) & (slots.count &- 1) }
        return slot
    }

    /// The entry of a key's value; `nil` if the object doesn't have the key.
    func value(for key: UnsafeBufferPointer<UInt8>, in session: DecodingSession) -> UInt32? {
        if slots.isEmpty { return converted[String(decoding: key, as: UTF8.self)].map { $0 &+ 1 } }
        let place = slots[slot(of: key, session)]
        return place == 0 ? nil : place &+ 1
    }
}
