/// Where the keys of an object are searched next: usually they are asked for in the order of the document.
struct ObjectCursor {
    enum Order: UInt8 {
        /// The keys differ. The search starts after the last key that was found.
        case unique
        /// Some keys may be equal. The search starts at the first one, which counts.
        case firstWins
        /// The object has a ``KeyIndex``.
        case indexed
    }

    var object = UInt32.max
    var next: UInt32 = 0
    var order = Order.firstWins
    /// How many searches compared all keys in vain.
    var misses: UInt8 = 0
}

extension DecodingSession {
    /// Objects with more members get an index right away, and others after this many searches in vain.
    private static let (memberLimit, missLimit) = (64, 8)
    /// Indexes that are kept, apart from those of nested objects.
    private static let indexLimit = 16

    /// The value of a key; `nil` if the object doesn't have the key.
    @inline(__always)
    func value(for key: String, in object: UInt32) -> UInt32? {
        var key = key
        return key.withUTF8 { find($0, in: object) }
    }

    /// The object's keys as types spell them, each once, in document order.
    func keys(of object: UInt32) -> [String] {
        var (keys, seen) = ([String](), Set<String>())
        forEachKey(of: object) { key, _ in
            if seen.insert(key).inserted { keys.append(key) }
        }
        return keys
    }

    private func find(_ key: UnsafeBufferPointer<UInt8>, in object: UInt32) -> UInt32? {
        let cursor = cursors + Int(object) & (Self.cursorCount &- 1)
        if cursor.pointee.object != object { cursor.pointee = opened(object) }
        let (first, end) = (object &+ 1, entry(object).next)
        let start = cursor.pointee.order == .unique ? cursor.pointee.next : first
        if cursor.pointee.order != .indexed {
            if let found = search(key, from: start, to: end) ?? search(key, from: first, to: start) {
                cursor.pointee.next = entry(found &+ 1).next
                return found &+ 1
            }
            cursor.pointee.misses &+= 1
            guard cursor.pointee.misses > Self.missLimit else { return nil }
        }
        return indexed(key, in: object, cursor)
    }

    @inline(__always)
    private func search(_ key: UnsafeBufferPointer<UInt8>, from start: UInt32, to end: UInt32) -> UInt32? {
        var place = start
        while place < end {
            if hasKey(place, key) { return place }
            place = entry(place &+ 1).next
        }
        return nil
    }

    @inline(__always)
    private func hasKey(_ index: UInt32, _ key: UnsafeBufferPointer<UInt8>) -> Bool {
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
        var cursor = ObjectCursor(object: object, next: object &+ 1, order: .unique)
        if case .custom = spelling { cursor.order = .indexed }
        var (place, count, seen) = (object &+ 1, 0, UInt64(0))
        while place < entry(object).next, cursor.order != .indexed {
            if let hash = keyHash(entry(place)) {
                let bit = UInt64(1) << (hash >> 58)
                if seen & bit != 0, cursor.order == .unique,
                    search(text(entry(place)), from: object &+ 1, to: place) != nil
                {
                    cursor.order = .firstWins
                }
                seen |= bit
            } else {
                cursor.order = .firstWins
            }
            count &+= 1
            if count > Self.memberLimit { cursor.order = .indexed }
            place = entry(place &+ 1).next
        }
        return cursor
    }

    /// Equal keys have equal hashes; `nil` for a key that isn't spelled like that of a type.
    @inline(__always)
    private func keyHash(_ entry: TapeEntry) -> UInt64? {
        guard case .plain = spelling, !entry.notes.contains(.hasEscapes) else { return nil }
        let text = text(entry)
        var hash = UInt64(entry.length)
        if text.count > 0 {
            hash ^= UInt64(text[0]) << 8 | UInt64(text[text.count &- 1]) << 16 | UInt64(text[text.count / 2]) << 24
        }
        return hash &* 0x9E37_79B9_7F4A_7C15
    }

    @inline(never)
    private func indexed(
        _ key: UnsafeBufferPointer<UInt8>, in object: UInt32, _ cursor: UnsafeMutablePointer<ObjectCursor>
    ) -> UInt32? {
        cursor.pointee.order = .indexed
        if let index = indexes[object] { return index.value(for: key) }
        if indexes.count >= Self.indexLimit {
            // Those of objects around this one are needed again.
            indexes = indexes.filter { $0.key < object && object < entry($0.key).next }
        }
        let index = KeyIndex(of: object, in: self)
        indexes[object] = index
        return index.value(for: key)
    }
}

/// The keys of an object with many members. If a key occurs more than once, the first counts.
struct KeyIndex {
    /// Keys that are spelled in the document as types spell them.
    private var sent: [KeyBytes: UInt32] = [:]
    /// Keys with escapes, and those whose spelling is converted.
    private var converted: [String: UInt32] = [:]

    init(of object: UInt32, in session: DecodingSession) {
        guard session.spelling.isPlain else {
            session.forEachKey(of: object) { key, place in
                if converted[key] == nil { converted[key] = place &+ 1 }
            }
            return
        }
        var place = object &+ 1
        while place < session.entry(object).next {
            let entry = session.entry(place)
            if entry.notes.contains(.hasEscapes) {
                let key = session.sentKey(at: place)
                if converted[key] == nil { converted[key] = place &+ 1 }
            } else {
                let key = KeyBytes(bytes: session.text(entry))
                if sent[key] == nil { sent[key] = place &+ 1 }
            }
            place = session.entry(place &+ 1).next
        }
    }

    func value(for key: UnsafeBufferPointer<UInt8>) -> UInt32? {
        let found = sent[KeyBytes(bytes: key)]
        guard !converted.isEmpty, let other = converted[String(decoding: key, as: UTF8.self)] else { return found }
        return min(found ?? other, other)
    }
}

/// The bytes of a key, hashed with the process's seed, as a peer chooses them.
private struct KeyBytes: Hashable {
    let bytes: UnsafeBufferPointer<UInt8>

    func hash(into hasher: inout Hasher) {
        hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
    }

    static func == (left: KeyBytes, right: KeyBytes) -> Bool {
        left.bytes.count == right.bytes.count && ByteScan.equals(left.bytes, right.bytes)
    }
}
