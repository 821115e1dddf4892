/// The keys that a ``JSONReadable`` type reads, in the order of its reads: learned from its first object.
///
/// An object is then walked once, in the order of the document. Which key follows another is expected from the last
/// object, so that most keys are compared once and not hashed.
final class KeyTable {
    struct Key {
        let literal: UnsafeBufferPointer<UInt8>
        /// As documents usually spell it.
        let sent: UnsafeBufferPointer<UInt8>
        /// The number of the key that follows in documents.
        var next: Int

        /// Whether it is the same literal, which is compared by its address.
        @inline(__always)
        func isLiteral(_ key: StaticString) -> Bool {
            literal.baseAddress == key.utf8Start && literal.count == key.utf8CodeUnitCount
        }
    }

    let type: any JSONReadable.Type
    /// The table for documents whose keys are converted from snake case.
    private(set) lazy var snakeCase = KeyTable(type, convertsSnakeCase: true)
    private let convertsSnakeCase: Bool
    // Accessed by one `decode` call at a time, so that each access need not be checked.
    @exclusivity(unchecked) private(set) var keys: UnsafeMutablePointer<Key>
    @exclusivity(unchecked) private(set) var count = 0
    @exclusivity(unchecked) private var capacity = 16
    /// The key that comes first in documents.
    @exclusivity(unchecked) private var first = 0
    /// Numbers of keys from 1, by the hash of each spelling; 0 for a free slot. At most half are taken.
    @exclusivity(unchecked) private var slots: UnsafeMutablePointer<UInt32>

    init(_ type: any JSONReadable.Type, convertsSnakeCase: Bool = false) {
        self.type = type
        self.convertsSnakeCase = convertsSnakeCase
        keys = .allocate(capacity: capacity)
        slots = .allocate(capacity: 4 &* capacity)
        slots.initialize(repeating: 0, count: 4 &* capacity)
    }

    deinit {
        if convertsSnakeCase {
            for number in 0..<count { keys[number].sent.deallocate() }
        }
        keys.deallocate()
        slots.deallocate()
    }

    /// Adds a key that isn't in the table. Leaves out one that no document can have.
    func add(_ key: StaticString) {
        let literal = UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount)
        var sent = literal
        if convertsSnakeCase {
            guard SnakeCase.camel("\(key)") == "\(key)" else { return }
            sent = Self.snakeCase(of: "\(key)")
        }
        if count == capacity { grow() }
        (keys + count).initialize(to: Key(literal: literal, sent: sent, next: count &+ 1))
        count &+= 1
        fillSlots(of: count)
    }

    /// A copy of the usual spelling in snake case.
    private static func snakeCase(of key: String) -> UnsafeBufferPointer<UInt8> {
        let snake = SnakeCase.snake(key)
        let sent = Array((SnakeCase.camel(snake) == key ? snake : key).utf8)
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: sent.count)
        _ = copy.initialize(from: sent)
        return UnsafeBufferPointer(copy)
    }

    private func fillSlots(of number: Int) {
        slots[slot(of: keys[number &- 1].literal)] = UInt32(number)
        slots[slot(of: keys[number &- 1].sent)] = UInt32(number)
    }

    private func grow() {
        let former = keys
        capacity &*= 2
        keys = .allocate(capacity: capacity)
        keys.moveInitialize(from: former, count: count)
        former.deallocate()
        slots.deallocate()
        slots = .allocate(capacity: 4 &* capacity)
        slots.initialize(repeating: 0, count: 4 &* capacity)
        for number in 0..<count { fillSlots(of: number &+ 1) }
    }

    /// The number of a key in any spelling that the table has.
    @inline(__always)
    func number(of key: UnsafeBufferPointer<UInt8>) -> Int? {
        let number = slots[slot(of: key)]
        return number == 0 ? nil : Int(number) &- 1
    }

    /// The number of a key in the type's spelling.
    func number(ofLiteral key: UnsafeBufferPointer<UInt8>) -> Int? {
        number(of: key).flatMap { Self.areEqual(keys[$0].literal, key) ? $0 : nil }
    }

    /// The slot that has the spelling, or the free one where it belongs.
    @inline(__always)
    private func slot(of key: UnsafeBufferPointer<UInt8>) -> Int {
        let mask = 4 &* capacity &- 1
        var slot = Self.hash(key) & mask
        while slots[slot] != 0 {
            let found = keys[Int(slots[slot]) &- 1]
            if Self.areEqual(found.sent, key) || convertsSnakeCase && Self.areEqual(found.literal, key) { break }
            slot = (slot &+ 1) & mask
        }
        return slot
    }

    @inline(__always)
    private static func areEqual(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
        left.count == right.count && ByteScan.equals(left, right)
    }

    /// Of the length and up to 16 bytes. The table's keys are those of a program, so that no peer can choose them.
    @inline(__always)
    private static func hash(_ key: UnsafeBufferPointer<UInt8>) -> Int {
        let bytes = UnsafeRawBufferPointer(key)
        var word = UInt64(truncatingIfNeeded: key.count)
        if key.count >= 8 {
            let last = bytes.loadUnaligned(fromByteOffset: key.count &- 8, as: UInt64.self)
            word = word &+ bytes.loadUnaligned(as: UInt64.self) ^ (last &* 31)
        } else {
            for byte in key { word = word << 8 | UInt64(byte) }
        }
        return Int(truncatingIfNeeded: (word &* 0x9E37_79B9_7F4A_7C15) >> 40)
    }
}

extension KeyTable {
    /// Notes where the values of the keys are. If a key occurs more than once, the first counts.
    ///
    /// - Parameter places: For each key the entry of its value, with 0 for a missing one.
    func find(_ places: UnsafeMutablePointer<UInt32>, of object: UInt32, in session: DecodingSession) {
        let end = session.entry(object).next
        var (place, former, expected) = (object &+ 1, -1, first)
        while place < end {
            if let number = number(of: session.entry(place), expected, session) {
                if places[number] == 0 { places[number] = place &+ 1 }
                if number != expected {
                    if former < 0 { first = number } else { keys[former].next = number }
                }
                former = number
                expected = keys[number].next
            }
            place = session.entry(place &+ 1).next
        }
    }

    @inline(__always)
    private func number(of entry: TapeEntry, _ expected: Int, _ session: DecodingSession) -> Int? {
        let text = session.text(entry)
        guard entry.notes.isEmpty else {
            return number(ofText: StringText(bytes: text, notes: entry.notes).string ?? "")
        }
        if expected < count, Self.areEqual(keys[expected].sent, text) { return expected }
        if let number = number(of: text) { return number }
        guard convertsSnakeCase, text.contains(UInt8(ascii: "_")) else { return nil }
        return number(ofText: String(decoding: text, as: UTF8.self))
    }

    /// The number of a key with escapes, or in another spelling.
    @inline(never)
    private func number(ofText text: String) -> Int? {
        var key = convertsSnakeCase ? SnakeCase.camel(text) : text
        return key.withUTF8 { number(of: $0) }
    }
}
