/// The elements of an array, as an unkeyed container.
struct UnkeyedElements: UnkeyedDecodingContainer {
    private let session: DecodingSession
    private let array: UInt32
    private var place: UInt32
    private var position: Int32 = 0

    init(session: DecodingSession, value: UInt32) throws {
        guard session.kind(value) == .array else { throw session.mismatch([Any].self, at: value) }
        self.session = session
        array = value
        place = value &+ 1
    }

    var codingPath: [any CodingKey] { session.path(to: array) }
    var currentIndex: Int { Int(position) }
    var isAtEnd: Bool { place >= session.entry(array).next }

    var count: Int? { session.elementCount(of: array) }

    /// Reads the next element. If that fails, the container stays at the element.
    @inline(__always)
    private mutating func next<Value>(_ type: Value.Type, _ read: (UInt32) throws -> Value) throws -> Value {
        guard !isAtEnd else { throw session.atEnd(type, of: array, position: currentIndex) }
        let value = try read(place)
        advance()
        return value
    }

    /// Reads the next element; `nil` if it is null, which is skipped, or if there is none.
    @inline(__always)
    private mutating func nextIfPresent<Value>(
        _ type: Value.Type, _ read: (UInt32) throws -> Value
    ) throws -> Value? {
        guard !isAtEnd, try !decodeNil() else { return nil }
        return try next(type, read)
    }

    @inline(__always)
    private mutating func advance() {
        place = session.entry(place).next
        position &+= 1
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd else { throw session.atEnd(Never.self, of: array, position: currentIndex) }
        guard session.isNull(place) else { return false }
        advance()
        return true
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        let session = session
        return try next(KeyedDecodingContainer<NestedKey>.self) {
            KeyedDecodingContainer(try KeyedElements<NestedKey>(session: session, value: $0))
        }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let session = session
        return try next((any UnkeyedDecodingContainer).self) { try UnkeyedElements(session: session, value: $0) }
    }

    mutating func superDecoder() throws -> any Decoder {
        let session = session
        return try next((any Decoder).self) { ElementDecoder(session: session, index: $0) }
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try next(type, session.bool) }
    mutating func decodeIfPresent(_ type: Bool.Type) throws -> Bool? { try nextIfPresent(type, session.bool) }
    mutating func decode(_ type: String.Type) throws -> String { try next(type, session.string) }
    mutating func decodeIfPresent(_ type: String.Type) throws -> String? { try nextIfPresent(type, session.string) }
    mutating func decode(_ type: Double.Type) throws -> Double { try next(type, session.double) }
    mutating func decodeIfPresent(_ type: Double.Type) throws -> Double? { try nextIfPresent(type, session.double) }
    mutating func decode(_ type: Float.Type) throws -> Float { try next(type, session.float) }
    mutating func decodeIfPresent(_ type: Float.Type) throws -> Float? { try nextIfPresent(type, session.float) }
    mutating func decode(_ type: Int.Type) throws -> Int { try next(type, session.integer) }
    mutating func decodeIfPresent(_ type: Int.Type) throws -> Int? { try nextIfPresent(type, session.integer) }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try next(type, session.integer) }
    mutating func decodeIfPresent(_ type: Int8.Type) throws -> Int8? { try nextIfPresent(type, session.integer) }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try next(type, session.integer) }
    mutating func decodeIfPresent(_ type: Int16.Type) throws -> Int16? { try nextIfPresent(type, session.integer) }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try next(type, session.integer) }
    mutating func decodeIfPresent(_ type: Int32.Type) throws -> Int32? { try nextIfPresent(type, session.integer) }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try next(type, session.integer) }
    mutating func decodeIfPresent(_ type: Int64.Type) throws -> Int64? { try nextIfPresent(type, session.integer) }
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try next(type, session.integer) }
    mutating func decodeIfPresent(_ type: Int128.Type) throws -> Int128? { try nextIfPresent(type, session.integer) }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try next(type, session.integer) }
    mutating func decodeIfPresent(_ type: UInt.Type) throws -> UInt? { try nextIfPresent(type, session.integer) }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try next(type, session.integer) }
    mutating func decodeIfPresent(_ type: UInt8.Type) throws -> UInt8? { try nextIfPresent(type, session.integer) }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try next(type, session.integer) }
    mutating func decodeIfPresent(_ type: UInt16.Type) throws -> UInt16? { try nextIfPresent(type, session.integer) }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try next(type, session.integer) }
    mutating func decodeIfPresent(_ type: UInt32.Type) throws -> UInt32? { try nextIfPresent(type, session.integer) }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try next(type, session.integer) }
    mutating func decodeIfPresent(_ type: UInt64.Type) throws -> UInt64? { try nextIfPresent(type, session.integer) }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try next(type, session.integer) }
    mutating func decodeIfPresent(_ type: UInt128.Type) throws -> UInt128? { try nextIfPresent(type, session.integer) }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let session = session
        return try next(type) { try session.value(type, at: $0) }
    }
    mutating func decodeIfPresent<Value: Decodable>(_ type: Value.Type) throws -> Value? {
        let session = session
        return try nextIfPresent(type) { try session.value(type, at: $0) }
    }
}
