/// Where the keys of an object are searched next: usually they are asked for in the order of the document.
struct ObjectCursor {
    var object = UInt32.max
    /// The key after the last one that was found.
    var next: UInt32 = 0
    /// How many keys can still be compared before the object gets a ``KeyIndex``.
    var budget = 0
    /// Whether all keys differ. Otherwise each search starts at the first key, as the first of equal keys counts.
    var isUnique = false
}

extension DecodingSession {
    /// Larger objects aren't checked for equal keys.
    private static let uniqueLimit = 128
    /// Indexes that are kept, apart from those of nested objects.
    private static let indexLimit = 16

    /// The value of a key; `nil` if the object doesn't have the key.
    @inline(__always)
    func value(for key: String, in object: UInt32) -> UInt32? {
        var key = key
        return key.withUTF8 { find($0, in: object) }
    }

    private func find(_ key: UnsafeBufferPointer<UInt8>, in object: UInt32) -> UInt32? {
        let cursor = cursors + Int(object) & (Self.cursorCount &- 1)
        if cursor.pointee.object != object { cursor.pointee = opened(object) }
        guard cursor.pointee.budget > 0 else { return index(of: object).value(for: key, in: self) }
        let (first, end) = (object &+ 1, entry(object).next)
        let start = cursor.pointee.isUnique ? cursor.pointee.next : first
        var budget = cursor.pointee.budget
        let found = search(key, from: start, to: end, &budget) ?? search(key, from: first, to: start, &budget)
        cursor.pointee.budget = budget
        guard let found else { return nil }
        cursor.pointee.next = entry(found &+ 1).next
        return found &+ 1
    }

    @inline(__always)
    private func search(
        _ key: UnsafeBufferPointer<UInt8>, from start: UInt32, to end: UInt32, _ budget: inout Int
    ) -> UInt32? {
        var place = start
        while place < end {
            if hasKey(place, key) { return place }
            place = entry(place &+ 1).next
            budget &-= 1
        }
        return nil
    }

    /// Whether a key of the document is a key of a type.
    @inline(__always)
    func hasKey(_ index: UInt32, _ key: UnsafeBufferPointer<UInt8>) -> Bool {
        let entry = entry(index)
        if case .plain = spelling { return StringText(bytes: text(entry), notes: entry.notes).equals(key) }
        return hasConvertedKey(index, entry, key)
    }

    private func hasConvertedKey(_ index: UInt32, _ entry: TapeEntry, _ key: UnsafeBufferPointer<UInt8>) -> Bool {
        if case .snakeCase = spelling, entry.notes.isEmpty, let result = SnakeCase.equals(text(entry), key) {
            return result
        }
        return SnakeCase.camel(sentKey(at: index)).utf8.elementsEqual(key)
    }

    /// The cursor at the start of an object, whose keys are compared with each other once.
    @inline(never)
    private func opened(_ object: UInt32) -> ObjectCursor {
        var cursor = ObjectCursor(object: object, next: object &+ 1, isUnique: spelling.isPlain)
        var (place, count, unlimited) = (object &+ 1, 0, Int.max)
        var seen = SIMD4<UInt64>()
        while place < entry(object).next {
            if cursor.isUnique {
                let hash = keyHash(entry(place))
                let (word, bit) = (Int(hash >> 62), UInt64(1) << (hash >> 56 & 63))
                let text = text(entry(place))
                if entry(place).notes.contains(.hasEscapes) || count == Self.uniqueLimit
                    || seen[word] & bit != 0 && search(text, from: object &+ 1, to: place, &unlimited) != nil
                {
                    cursor.isUnique = false
                }
                seen[word] |= bit
            }
            count &+= 1
            place = entry(place &+ 1).next
        }
        // A custom conversion needs the path of the object, which an index asks for only once.
        if case .custom = spelling { return cursor }
        cursor.budget = 8 &* count &+ 64
        return cursor
    }

    /// Equal keys have equal hashes.
    @inline(__always)
    private func keyHash(_ entry: TapeEntry) -> UInt64 {
        let text = text(entry)
        var hash = UInt64(entry.length)
        if text.count > 0 {
            hash ^= UInt64(text[0]) << 8 | UInt64(text[text.count &- 1]) << 16 | UInt64(text[text.count / 2]) << 24
        }
        return hash &* 0x9E37_79B9_7F4A_7C15
    }

    @inline(never)
    private func index(of object: UInt32) -> KeyIndex {
        if let index = indexes[object] { return index }
        if indexes.count >= Self.indexLimit {
            // Those of objects around this one are needed again.
            indexes = indexes.filter { $0.key < object && object < entry($0.key).next }
        }
        let index = KeyIndex(of: object, in: self)
        indexes[object] = index
        return index
    }

    /// The object's keys as types spell them, each once, in document order.
    func keys(of object: UInt32) -> [String] {
        let index = index(of: object)
        var keys: [String] = []
        keys.reserveCapacity(index.count)
        forEachKey(of: object) { key, place in
            if value(of: key, in: index) == place &+ 1 { keys.append(key) }
        }
        return keys
    }

    private func value(of key: String, in index: KeyIndex) -> UInt32? {
        var key = key
        return key.withUTF8 { index.value(for: $0, in: self) }
    }
}
