/// The members of a JSON object, for the initializer of a ``JSONReadable`` model.
///
/// Keys are those of the type: ``JSONModelDecoder/keyDecodingStrategy`` applies. All options of the decoder hold, also for
/// values inside of others.
public struct JSONObjectReader: ~Copyable {
    private let session: DecodingSession
    private let object: UInt32
    private let table: KeyTable
    /// The entries of the values of the table's first keys, as many as it had when the object was opened.
    private let places: UnsafeMutablePointer<UInt32>
    private let known: Int
    /// The key that is expected to be read next.
    private var position = 0

    init(session: DecodingSession, object: UInt32, table: KeyTable) {
        self.session = session
        self.object = object
        switch session.spelling {
        case .plain:
            self.table = table
            known = table.count
        case .snakeCase:
            self.table = table.snakeCase
            known = table.snakeCase.count
        case .custom:
            self.table = table
            known = 0
        }
        places = session.memory.push(known &* MemoryLayout<UInt32>.stride, alignment: MemoryLayout<UInt32>.alignment)
            .bindMemory(to: UInt32.self, capacity: known)
        places.initialize(repeating: 0, count: known)
        if known > 0 { self.table.find(places, of: object, in: session) }
    }

    deinit { session.memory.pop(places) }

    /// Reads a member of any `Decodable` type. Throws `DecodingError.keyNotFound` if the object doesn't have the key.
    @inlinable @_disfavoredOverload
    public mutating func read<Value: Decodable>(_ key: StaticString) throws -> Value {
        try value(at: try required(key))
    }

    /// Reads a member; `nil` if it is missing or null.
    @inlinable
    public mutating func read<Value: Decodable>(_ key: StaticString) throws -> Value? {
        guard let place = present(key) else { return nil }
        return try value(at: place) as Value
    }

    /// Whether the object has the key, also with null.
    public mutating func contains(_ key: StaticString) -> Bool {
        let former = position
        defer { position = former }
        return place(of: key) != 0
    }

    /// The decoder of this object, for what the reader doesn't do: keys that aren't known when the code is written, the coding
    /// path, `userInfo`, and containers.
    public var decoder: any Decoder { ElementDecoder(session: session, index: object) }
}

extension JSONObjectReader {
    /// The types of most members need no generic code: the comparisons are made when the caller is compiled.
    @inlinable @inline(__always)
    func value<Value: Decodable>(at place: UInt32) throws -> Value {
        if Value.self == String.self { return unsafeBitCast(try string(at: place), to: Value.self) }
        if Value.self == Int.self { return unsafeBitCast(try integer(at: place), to: Value.self) }
        if Value.self == Bool.self { return unsafeBitCast(try bool(at: place), to: Value.self) }
        if Value.self == Double.self { return unsafeBitCast(try double(at: place), to: Value.self) }
        return try other(at: place)
    }

    @usableFromInline func string(at place: UInt32) throws -> String { try session.string(at: place) }
    @usableFromInline func integer(at place: UInt32) throws -> Int { try session.integer(at: place) }
    @usableFromInline func bool(at place: UInt32) throws -> Bool { try session.bool(at: place) }
    @usableFromInline func double(at place: UInt32) throws -> Double { try session.double(at: place) }
    @usableFromInline
    func other<Value: Decodable>(at place: UInt32) throws -> Value {
        try session.value(Value.self, at: place)
    }

    @usableFromInline
    mutating func required(_ key: StaticString) throws -> UInt32 {
        let place = place(of: key)
        guard place != 0 else { throw session.missing(PathKey("\(key)"), in: object) }
        return place
    }

    @usableFromInline
    mutating func present(_ key: StaticString) -> UInt32? {
        let place = place(of: key)
        return place == 0 || session.entry(place).kind == .null ? nil : place
    }

    /// The entry of a key's value; 0 if the object doesn't have the key.
    @inline(__always)
    private mutating func place(of key: StaticString) -> UInt32 {
        guard position < known, key.hasPointerRepresentation, table.keys[position].isLiteral(key) else {
            return search(key)
        }
        position &+= 1
        return places[position &- 1]
    }

    @inline(never)
    private mutating func search(_ key: StaticString) -> UInt32 {
        key.withUTF8Buffer { text in
            if let number = table.number(ofLiteral: text) {
                position = number &+ 1
                if number < known { return places[number] }
            } else if key.hasPointerRepresentation {
                table.add(key)
            }
            return session.find(text, in: object) ?? 0
        }
    }
}
