/// Encodes members of an object.
struct KeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
    private let storage: EncodingStorage
    private let object: EncodedNode.Index
    /// Where the value is whose container this is: the object, except if it was refused.
    private let place: EncodedNode.Index
    private let convertsKeys: Bool

    init(storage: EncodingStorage, node: EncodedNode.Index) {
        self.storage = storage
        place = node
        object = storage.openObject(node)
        convertsKeys = storage.options.convertsKeys && !storage.nodes[node].keepsKeys
    }

    var codingPath: [any CodingKey] { storage.path(of: place) }

    @inline(__always)
    private func name(_ key: some CodingKey) -> String {
        convertsKeys ? storage.convertedName(of: key, in: object) : key.stringValue
    }

    func encodeNil(forKey key: Key) throws {
        storage.addScalar(name(key), to: object) { $0.write("null") }
    }

    func encode(_ value: Bool, forKey key: Key) throws {
        storage.addScalar(name(key), to: object) { $0.writeBool(value) }
    }

    func encode(_ value: String, forKey key: Key) throws {
        storage.addMember(name(key), string: value, to: object)
    }

    func encode(_ value: Double, forKey key: Key) throws {
        guard value.isFinite else {
            return try storage.encodeMember(value, name: name(key), key: key, of: object)
        }
        storage.addScalar(name(key), to: object) { $0.writeNumber(value) }
    }

    func encode(_ value: Float, forKey key: Key) throws {
        guard value.isFinite else {
            return try storage.encodeMember(value, name: name(key), key: key, of: object)
        }
        storage.addScalar(name(key), to: object) { $0.writeNumber(value) }
    }

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        try storage.encodeMember(value, name: name(key), key: key, of: object)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        let member = storage.addNested(name(key), key: key, to: object)
        return KeyedEncodingContainer(KeyedEncoding<NestedKey>(storage: storage, node: member))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        UnkeyedEncoding(storage: storage, node: storage.addNested(name(key), key: key, to: object))
    }

    func superEncoder() -> any Encoder {
        superEncoder(PathKey.superclass)
    }

    func superEncoder(forKey key: Key) -> any Encoder {
        superEncoder(key)
    }

    private func superEncoder(_ key: some CodingKey) -> any Encoder {
        let member = storage.addMember(name(key), to: object)
        storage.setKey(key, of: member)
        return ValueEncoder(storage: storage, node: member)
    }
}

// The standard library's implementations of these call two more functions through witness tables.
extension KeyedEncoding {
    func encodeIfPresent(_ value: Bool?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) }
    }

    func encodeIfPresent(_ value: String?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) }
    }

    func encodeIfPresent(_ value: Int?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) }
    }

    func encodeIfPresent(_ value: Double?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) }
    }

    func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws {
        if let value { try encode(value, forKey: key) }
    }
}

extension KeyedEncoding {
    func encode(_ value: Int, forKey key: Key) throws {
        storage.addMember(name(key), integer: Int64(value), to: object)
    }

    func encode(_ value: Int8, forKey key: Key) throws {
        storage.addMember(name(key), integer: Int64(value), to: object)
    }

    func encode(_ value: Int16, forKey key: Key) throws {
        storage.addMember(name(key), integer: Int64(value), to: object)
    }

    func encode(_ value: Int32, forKey key: Key) throws {
        storage.addMember(name(key), integer: Int64(value), to: object)
    }

    func encode(_ value: Int64, forKey key: Key) throws {
        storage.addMember(name(key), integer: value, to: object)
    }

    func encode(_ value: Int128, forKey key: Key) throws {
        storage.addScalar(name(key), to: object) { $0.writeASCII(value.description) }
    }

    func encode(_ value: UInt, forKey key: Key) throws {
        storage.addMember(name(key), integer: UInt64(value), to: object)
    }

    func encode(_ value: UInt8, forKey key: Key) throws {
        storage.addMember(name(key), integer: UInt64(value), to: object)
    }

    func encode(_ value: UInt16, forKey key: Key) throws {
        storage.addMember(name(key), integer: UInt64(value), to: object)
    }

    func encode(_ value: UInt32, forKey key: Key) throws {
        storage.addMember(name(key), integer: UInt64(value), to: object)
    }

    func encode(_ value: UInt64, forKey key: Key) throws {
        storage.addMember(name(key), integer: value, to: object)
    }

    func encode(_ value: UInt128, forKey key: Key) throws {
        storage.addScalar(name(key), to: object) { $0.writeASCII(value.description) }
    }
}

// Outside of the generic containers, so that they are compiled once.
extension EncodingStorage {
    fileprivate func addMember(_ name: String, string: String, to object: EncodedNode.Index) {
        addScalar(name, to: object) { $0.writeString(string, escapingSlashes: options.escapesSlashes) }
    }

    fileprivate func addMember(_ name: String, integer: Int64, to object: EncodedNode.Index) {
        addScalar(name, to: object) { $0.writeInteger(integer) }
    }

    fileprivate func addMember(_ name: String, integer: UInt64, to object: EncodedNode.Index) {
        addScalar(name, to: object) { $0.writeInteger(integer) }
    }

    fileprivate func addNested(_ name: String, key: some CodingKey, to object: EncodedNode.Index) -> EncodedNode.Index {
        let member = addMember(name, to: object)
        setKey(key, of: member)
        nodes[member].continues = true
        return member
    }
}
