/// Encodes elements of an array.
struct UnkeyedEncoding: UnkeyedEncodingContainer {
    private let storage: EncodingStorage
    private let array: EncodedNode.Index
    /// Where the value is whose container this is: the array, except if it was refused.
    private let place: EncodedNode.Index

    init(storage: EncodingStorage, node: EncodedNode.Index) {
        self.storage = storage
        place = node
        array = storage.openArray(node)
    }

    var codingPath: [any CodingKey] { storage.path(of: place) }

    var count: Int { storage.nodes[array].count }

    func encodeNil() throws { storage.addScalar(to: array) { $0.write("null") } }

    func encode(_ value: Bool) throws { storage.addScalar(to: array) { $0.writeBool(value) } }

    func encode(_ value: String) throws {
        storage.addScalar(to: array) { $0.writeString(value, escapingSlashes: storage.options.escapesSlashes) }
    }

    func encode(_ value: Double) throws {
        guard value.isFinite else { return try storage.encodeElement(value, of: array) }
        storage.addScalar(to: array) { $0.writeNumber(value) }
    }

    func encode(_ value: Float) throws {
        guard value.isFinite else { return try storage.encodeElement(value, of: array) }
        storage.addScalar(to: array) { $0.writeNumber(value) }
    }

    func encode<T: Encodable>(_ value: T) throws { try storage.encodeElement(value, of: array) }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        KeyedEncodingContainer(KeyedEncoding<NestedKey>(storage: storage, node: storage.addElement(to: array)))
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        UnkeyedEncoding(storage: storage, node: storage.addElement(to: array))
    }

    func superEncoder() -> any Encoder {
        ValueEncoder(storage: storage, node: storage.addElement(to: array))
    }
}

extension UnkeyedEncoding {
    func encode(_ value: Int) throws { storage.addScalar(to: array) { $0.writeInteger(value) } }
    func encode(_ value: Int8) throws { storage.addScalar(to: array) { $0.writeInteger(value) } }
    func encode(_ value: Int16) throws { storage.addScalar(to: array) { $0.writeInteger(value) } }
    func encode(_ value: Int32) throws { storage.addScalar(to: array) { $0.writeInteger(value) } }
    func encode(_ value: Int64) throws { storage.addScalar(to: array) { $0.writeInteger(value) } }
    func encode(_ value: Int128) throws { storage.addScalar(to: array) { $0.writeASCII(value.description) } }
    func encode(_ value: UInt) throws { storage.addScalar(to: array) { $0.writeInteger(value) } }
    func encode(_ value: UInt8) throws { storage.addScalar(to: array) { $0.writeInteger(value) } }
    func encode(_ value: UInt16) throws { storage.addScalar(to: array) { $0.writeInteger(value) } }
    func encode(_ value: UInt32) throws { storage.addScalar(to: array) { $0.writeInteger(value) } }
    func encode(_ value: UInt64) throws { storage.addScalar(to: array) { $0.writeInteger(value) } }
    func encode(_ value: UInt128) throws { storage.addScalar(to: array) { $0.writeASCII(value.description) } }
}
