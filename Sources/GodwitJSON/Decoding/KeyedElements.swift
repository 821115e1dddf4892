/// The members of an object, as a keyed container.
struct KeyedElements<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let session: DecodingSession
    private let object: UInt32

    init(session: DecodingSession, value: UInt32) throws {
        guard session.kind(value) == .object else { throw session.mismatch([String: Any].self, at: value) }
        self.session = session
        object = value
    }

    var codingPath: [any CodingKey] { session.path(to: object) }

    var allKeys: [Key] { session.keys(of: object).compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { session.value(for: key.stringValue, in: object) != nil }

    func decodeNil(forKey key: Key) throws -> Bool { session.isNull(try value(key)) }

    /// The value of a key that must be there.
    @inline(__always)
    private func value(_ key: Key) throws -> UInt32 {
        guard let value = session.value(for: key.stringValue, in: object) else {
            throw session.missing(key, in: object)
        }
        return value
    }

    /// The value of a key; `nil` if it is missing or null.
    @inline(__always)
    private func present(_ key: Key) -> UInt32? {
        session.value(for: key.stringValue, in: object).flatMap { session.kind($0) == .null ? nil : $0 }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        KeyedDecodingContainer(try KeyedElements<NestedKey>(session: session, value: try value(key)))
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try UnkeyedElements(session: session, value: try value(key))
    }

    func superDecoder() throws -> any Decoder { decoder(for: PathKey.superclass) }

    func superDecoder(forKey key: Key) throws -> any Decoder { decoder(for: key) }

    private func decoder(for key: any CodingKey) -> ElementDecoder {
        let value = session.value(for: key.stringValue, in: object) ?? session.absent(codingPath + [key])
        return ElementDecoder(session: session, index: value)
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try session.bool(at: try value(key)) }
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        guard let value = present(key) else { return nil }
        return try session.bool(at: value)
    }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try session.string(at: try value(key)) }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        guard let value = present(key) else { return nil }
        return try session.string(at: value)
    }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try session.double(at: try value(key)) }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        guard let value = present(key) else { return nil }
        return try session.double(at: value)
    }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try session.float(at: try value(key)) }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
        guard let value = present(key) else { return nil }
        return try session.float(at: value)
    }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try session.integer(at: try value(key)) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        guard let value = present(key) else { return nil }
        return try session.integer(at: value)
    }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try session.integer(at: try value(key)) }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
        guard let value = present(key) else { return nil }
        return try session.integer(at: value)
    }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try session.integer(at: try value(key)) }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
        guard let value = present(key) else { return nil }
        return try session.integer(at: value)
    }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try session.integer(at: try value(key)) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
        guard let value = present(key) else { return nil }
        return try session.integer(at: value)
    }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try session.integer(at: try value(key)) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
        guard let value = present(key) else { return nil }
        return try session.integer(at: value)
    }
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try session.integer(at: try value(key)) }
    func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? {
        guard let value = present(key) else { return nil }
        return try session.integer(at: value)
    }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try session.integer(at: try value(key)) }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
        guard let value = present(key) else { return nil }
        return try session.integer(at: value)
    }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try session.integer(at: try value(key)) }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
        guard let value = present(key) else { return nil }
        return try session.integer(at: value)
    }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try session.integer(at: try value(key)) }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
        guard let value = present(key) else { return nil }
        return try session.integer(at: value)
    }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try session.integer(at: try value(key)) }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
        guard let value = present(key) else { return nil }
        return try session.integer(at: value)
    }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try session.integer(at: try value(key)) }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
        guard let value = present(key) else { return nil }
        return try session.integer(at: value)
    }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try session.integer(at: try value(key)) }
    func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? {
        guard let value = present(key) else { return nil }
        return try session.integer(at: value)
    }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try session.value(type, at: try value(key))
    }
    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        guard let value = present(key) else { return nil }
        return try session.value(type, at: value)
    }
}
