/// Where the keys of an object are searched next: usually they are asked for in the order of the document.
struct ObjectCursor {
    var object = UInt32.max
    /// The key after the last one that was found.
    var next: UInt32 = 0
    /// The first key that isn't passed: a key after it was never found.
    var passed: UInt32 = 0
    /// How many keys can still be compared before the object gets a ``KeyIndex``.
    var budget = 0
    /// The hashes of the keys that are passed, one bit each: another key isn't among them.
    var hashes = SIMD4<UInt64>()
    /// Whether the keys that are passed differ. Otherwise each search starts at the first key, as the first of equal
    /// keys counts.
    var isUnique = false
}

extension DecodingSession {
    /// Indexes that are kept, apart from those of nested objects.
    private static let indexLimit = 16

    /// The value of a key; `nil` if the object doesn't have the key.
    @inline(__always)
    func value(for key: String, in object: UInt32) -> UInt32? {
        var key = key
        return key.withUTF8 { find($0, in: object) }
    }

    func find(_ key: UnsafeBufferPointer<UInt8>, in object: UInt32) -> UInt32? {
        let cursor = cursors + Int(object) & (DecodingMemory.cursorCount &- 1)
        if cursor.pointee.object != object { cursor.pointee = opened(object) }
        guard cursor.pointee.budget > 0 else { return index(of: object).value(for: key, in: self) }
        let hash = KeyHash(key)
        var budget = cursor.pointee.budget
        let found = place(of: key, hash, in: object, cursor, &budget)
        cursor.pointee.budget = budget
        guard let found else { return nil }
        cursor.pointee.next = entry(found &+ 1).next
        if found >= cursor.pointee.passed {
            if found > cursor.pointee.passed { pass(to: found, cursor) }
            cursor.pointee.hashes.insert(hash)
            cursor.pointee.passed = cursor.pointee.next
        }
        return found &+ 1
    }

    /// The first key that equals another.
    @inline(__always)
    private func place(
        of key: UnsafeBufferPointer<UInt8>, _ hash: KeyHash, in object: UInt32,
        _ cursor: UnsafeMutablePointer<ObjectCursor>, _ budget: inout Int
    ) -> UInt32? {
        let (first, end, passed) = (object &+ 1, entry(object).next, cursor.pointee.passed)
        guard cursor.pointee.isUnique else { return search(key, from: first, to: end, &budget) }
        if cursor.pointee.hashes.contains(hash) {
            let next = cursor.pointee.next
            if let found = search(key, from: next, to: passed, &budget) ?? search(key, from: first, to: next, &budget) {
                return found
            }
        }
        return search(key, from: passed, to: end, &budget)
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

    /// The cursor at the start of an object.
    @inline(__always)
    private func opened(_ object: UInt32) -> ObjectCursor {
        let first = object &+ 1
        var cursor = ObjectCursor(object: object, next: first, passed: first, isUnique: spelling.isPlain)
        // A custom conversion needs the path of the object, which an index asks for only once.
        if case .custom = spelling { return cursor }
        cursor.budget = 4 &* Int(entry(object).next &- object) &+ 64
        return cursor
    }

    /// Notes the keys before one that was found, and whether one equals another. If they may, as too many hashes are
    /// equal or a key isn't written as it is, they count as not unique.
    @inline(never)
    private func pass(to end: UInt32, _ cursor: UnsafeMutablePointer<ObjectCursor>) {
        var comparisons = 256
        var place = cursor.pointee.passed
        while place < end, cursor.pointee.isUnique {
            let (entry, hash) = (entry(place), KeyHash(text(entry(place))))
            if entry.notes.contains(.hasEscapes)
                || cursor.pointee.hashes.contains(hash)
                    && search(text(entry), from: cursor.pointee.object &+ 1, to: place, &comparisons) != nil
                || comparisons <= 0
            {
                cursor.pointee.isUnique = false
            }
            cursor.pointee.hashes.insert(hash)
            place = self.entry(place &+ 1).next
        }
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

/// A hash of a key's bytes. Equal keys have equal hashes.
private struct KeyHash {
    let word: Int
    let bit: UInt64

    @inline(__always)
    init(_ key: UnsafeBufferPointer<UInt8>) {
        var hash = UInt64(truncatingIfNeeded: key.count)
        if key.count > 0 {
            hash ^= UInt64(key[0]) << 8 | UInt64(key[key.count &- 1]) << 16 | UInt64(key[key.count / 2]) << 24
        }
        hash = hash &* 0x9E37_79B9_7F4A_7C15
        word = Int(hash >> 62)
        bit = UInt64(1) << (hash >> 56 & 63)
    }
}

extension SIMD4<UInt64> {
    @inline(__always)
    fileprivate func contains(_ hash: KeyHash) -> Bool { self[hash.word] & hash.bit != 0 }

    @inline(__always)
    fileprivate mutating func insert(_ hash: KeyHash) { self[hash.word] |= hash.bit }
}
