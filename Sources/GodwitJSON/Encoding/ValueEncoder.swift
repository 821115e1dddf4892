/// Encodes one value: its containers, or a scalar. A small struct, so that it needs no allocation as `any Encoder`.
struct ValueEncoder: Encoder, SingleValueEncodingContainer {
    let storage: EncodingStorage
    let node: EncodedNode.Index

    var codingPath: [any CodingKey] { storage.path(of: node) }

    var userInfo: [CodingUserInfoKey: Any] { storage.options.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(KeyedEncoding<Key>(storage: storage, node: node))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        UnkeyedEncoding(storage: storage, node: node)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func encodeNil() throws { try set(Bool?.none) { $0.write("null") } }

    func encode(_ value: Bool) throws { try set(value) { $0.writeBool(value) } }

    func encode(_ value: String) throws {
        try set(value) { $0.writeString(value, escapingSlashes: storage.options.escapesSlashes) }
    }

    /// Writes JSON as it is.
    func encode(json: Data) throws {
        try set(json) { text in
            json.withUnsafeBytes { bytes in bytes.withMemoryRebound(to: UInt8.self) { text.write($0) } }
        }
    }

    func encode<T: Encodable>(_ value: T) throws { try storage.encodeAgain(value, into: node) }

    @inline(__always)
    private func set<T>(_ value: T, _ write: (EncodedText) -> Void) throws {
        guard storage.nodes[node].shape != .text else { throw storage.second(value, at: node) }
        storage.storeScalar(node, write)
    }
}

extension ValueEncoder {
    func encode(_ value: Double) throws { try storage.encodeAgain(value, into: node) }
    func encode(_ value: Float) throws { try storage.encodeAgain(value, into: node) }
    func encode(_ value: Int) throws { try set(value) { $0.writeInteger(value) } }
    func encode(_ value: Int8) throws { try set(value) { $0.writeInteger(value) } }
    func encode(_ value: Int16) throws { try set(value) { $0.writeInteger(value) } }
    func encode(_ value: Int32) throws { try set(value) { $0.writeInteger(value) } }
    func encode(_ value: Int64) throws { try set(value) { $0.writeInteger(value) } }
    func encode(_ value: Int128) throws { try set(value) { $0.writeASCII(value.description) } }
    func encode(_ value: UInt) throws { try set(value) { $0.writeInteger(value) } }
    func encode(_ value: UInt8) throws { try set(value) { $0.writeInteger(value) } }
    func encode(_ value: UInt16) throws { try set(value) { $0.writeInteger(value) } }
    func encode(_ value: UInt32) throws { try set(value) { $0.writeInteger(value) } }
    func encode(_ value: UInt64) throws { try set(value) { $0.writeInteger(value) } }
    func encode(_ value: UInt128) throws { try set(value) { $0.writeASCII(value.description) } }
}
