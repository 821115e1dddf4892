import GodwitJSON

/// Decodes one type through every method that a decoder offers for it, and describes what came.
///
/// The containers have a method for each of Swift's own scalars and a generic one for everything else. Only code that
/// names the type calls the first kind, so there is a line here for each.
struct ScalarAccess: Sendable, CustomStringConvertible {
    typealias Keyed = KeyedDecodingContainer<AnyKey>

    let name: String
    let keyed: @Sendable (Keyed, AnyKey) throws -> String
    let keyedIfPresent: @Sendable (Keyed, AnyKey) throws -> String
    let unkeyed: @Sendable (inout any UnkeyedDecodingContainer) throws -> String
    let unkeyedIfPresent: @Sendable (inout any UnkeyedDecodingContainer) throws -> String
    let single: @Sendable (any SingleValueDecodingContainer) throws -> String

    var description: String { name }
}

extension ScalarAccess {
    /// Through the generic methods.
    init<Value: Decodable & SendableMetatype>(_ type: Value.Type) {
        name = "\(type)"
        keyed = { try describe($0.decode(type, forKey: $1)) }
        keyedIfPresent = { try describe($0.decodeIfPresent(type, forKey: $1)) }
        unkeyed = { try describe($0.decode(type)) }
        unkeyedIfPresent = { try describe($0.decodeIfPresent(type)) }
        single = { try describe($0.decode(type)) }
    }

    /// Through the methods of Swift's scalars.
    static let concrete: [ScalarAccess] = [
        ScalarAccess(
            name: "Bool", keyed: { try describe($0.decode(Bool.self, forKey: $1)) },
            keyedIfPresent: { try describe($0.decodeIfPresent(Bool.self, forKey: $1)) },
            unkeyed: { try describe($0.decode(Bool.self)) },
            unkeyedIfPresent: { try describe($0.decodeIfPresent(Bool.self)) },
            single: { try describe($0.decode(Bool.self)) }),
        ScalarAccess(
            name: "String", keyed: { try describe($0.decode(String.self, forKey: $1)) },
            keyedIfPresent: { try describe($0.decodeIfPresent(String.self, forKey: $1)) },
            unkeyed: { try describe($0.decode(String.self)) },
            unkeyedIfPresent: { try describe($0.decodeIfPresent(String.self)) },
            single: { try describe($0.decode(String.self)) }),
        ScalarAccess(
            name: "Double", keyed: { try describe($0.decode(Double.self, forKey: $1)) },
            keyedIfPresent: { try describe($0.decodeIfPresent(Double.self, forKey: $1)) },
            unkeyed: { try describe($0.decode(Double.self)) },
            unkeyedIfPresent: { try describe($0.decodeIfPresent(Double.self)) },
            single: { try describe($0.decode(Double.self)) }),
        ScalarAccess(
            name: "Float", keyed: { try describe($0.decode(Float.self, forKey: $1)) },
            keyedIfPresent: { try describe($0.decodeIfPresent(Float.self, forKey: $1)) },
            unkeyed: { try describe($0.decode(Float.self)) },
            unkeyedIfPresent: { try describe($0.decodeIfPresent(Float.self)) },
            single: { try describe($0.decode(Float.self)) }),
        ScalarAccess(
            name: "Int", keyed: { try describe($0.decode(Int.self, forKey: $1)) },
            keyedIfPresent: { try describe($0.decodeIfPresent(Int.self, forKey: $1)) },
            unkeyed: { try describe($0.decode(Int.self)) },
            unkeyedIfPresent: { try describe($0.decodeIfPresent(Int.self)) },
            single: { try describe($0.decode(Int.self)) }),
        ScalarAccess(
            name: "Int8", keyed: { try describe($0.decode(Int8.self, forKey: $1)) },
            keyedIfPresent: { try describe($0.decodeIfPresent(Int8.self, forKey: $1)) },
            unkeyed: { try describe($0.decode(Int8.self)) },
            unkeyedIfPresent: { try describe($0.decodeIfPresent(Int8.self)) },
            single: { try describe($0.decode(Int8.self)) }),
        ScalarAccess(
            name: "Int16", keyed: { try describe($0.decode(Int16.self, forKey: $1)) },
            keyedIfPresent: { try describe($0.decodeIfPresent(Int16.self, forKey: $1)) },
            unkeyed: { try describe($0.decode(Int16.self)) },
            unkeyedIfPresent: { try describe($0.decodeIfPresent(Int16.self)) },
            single: { try describe($0.decode(Int16.self)) }),
        ScalarAccess(
            name: "Int32", keyed: { try describe($0.decode(Int32.self, forKey: $1)) },
            keyedIfPresent: { try describe($0.decodeIfPresent(Int32.self, forKey: $1)) },
            unkeyed: { try describe($0.decode(Int32.self)) },
            unkeyedIfPresent: { try describe($0.decodeIfPresent(Int32.self)) },
            single: { try describe($0.decode(Int32.self)) }),
        ScalarAccess(
            name: "Int64", keyed: { try describe($0.decode(Int64.self, forKey: $1)) },
            keyedIfPresent: { try describe($0.decodeIfPresent(Int64.self, forKey: $1)) },
            unkeyed: { try describe($0.decode(Int64.self)) },
            unkeyedIfPresent: { try describe($0.decodeIfPresent(Int64.self)) },
            single: { try describe($0.decode(Int64.self)) }),
        ScalarAccess(
            name: "Int128", keyed: { try describe($0.decode(Int128.self, forKey: $1)) },
            keyedIfPresent: { try describe($0.decodeIfPresent(Int128.self, forKey: $1)) },
            unkeyed: { try describe($0.decode(Int128.self)) },
            unkeyedIfPresent: { try describe($0.decodeIfPresent(Int128.self)) },
            single: { try describe($0.decode(Int128.self)) }),
        ScalarAccess(
            name: "UInt", keyed: { try describe($0.decode(UInt.self, forKey: $1)) },
            keyedIfPresent: { try describe($0.decodeIfPresent(UInt.self, forKey: $1)) },
            unkeyed: { try describe($0.decode(UInt.self)) },
            unkeyedIfPresent: { try describe($0.decodeIfPresent(UInt.self)) },
            single: { try describe($0.decode(UInt.self)) }),
        ScalarAccess(
            name: "UInt8", keyed: { try describe($0.decode(UInt8.self, forKey: $1)) },
            keyedIfPresent: { try describe($0.decodeIfPresent(UInt8.self, forKey: $1)) },
            unkeyed: { try describe($0.decode(UInt8.self)) },
            unkeyedIfPresent: { try describe($0.decodeIfPresent(UInt8.self)) },
            single: { try describe($0.decode(UInt8.self)) }),
        ScalarAccess(
            name: "UInt16", keyed: { try describe($0.decode(UInt16.self, forKey: $1)) },
            keyedIfPresent: { try describe($0.decodeIfPresent(UInt16.self, forKey: $1)) },
            unkeyed: { try describe($0.decode(UInt16.self)) },
            unkeyedIfPresent: { try describe($0.decodeIfPresent(UInt16.self)) },
            single: { try describe($0.decode(UInt16.self)) }),
        ScalarAccess(
            name: "UInt32", keyed: { try describe($0.decode(UInt32.self, forKey: $1)) },
            keyedIfPresent: { try describe($0.decodeIfPresent(UInt32.self, forKey: $1)) },
            unkeyed: { try describe($0.decode(UInt32.self)) },
            unkeyedIfPresent: { try describe($0.decodeIfPresent(UInt32.self)) },
            single: { try describe($0.decode(UInt32.self)) }),
        ScalarAccess(
            name: "UInt64", keyed: { try describe($0.decode(UInt64.self, forKey: $1)) },
            keyedIfPresent: { try describe($0.decodeIfPresent(UInt64.self, forKey: $1)) },
            unkeyed: { try describe($0.decode(UInt64.self)) },
            unkeyedIfPresent: { try describe($0.decodeIfPresent(UInt64.self)) },
            single: { try describe($0.decode(UInt64.self)) }),
        ScalarAccess(
            name: "UInt128", keyed: { try describe($0.decode(UInt128.self, forKey: $1)) },
            keyedIfPresent: { try describe($0.decodeIfPresent(UInt128.self, forKey: $1)) },
            unkeyed: { try describe($0.decode(UInt128.self)) },
            unkeyedIfPresent: { try describe($0.decodeIfPresent(UInt128.self)) },
            single: { try describe($0.decode(UInt128.self)) }),
    ]
}
