/// What the encoder knows of a type that it meets in a generic function.
enum EncodedType: UInt8 {
    /// Encodes itself.
    case other
    /// A dictionary whose keys a key strategy leaves alone.
    case dictionary
    case date, data, url, decimal
    case string, bool, double, float
    case int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64
    case strings, bools, doubles, floats
    case ints, int8s, int16s, int32s, int64s, uints, uint8s, uint16s, uint32s, uint64s

    init<T>(_ type: T.Type, convertsKeys: Bool) {
        if let known = Self.known[ObjectIdentifier(type)] {
            self = known
        } else {
            self = convertsKeys && type is any KeyedByText.Type ? .dictionary : .other
        }
    }

    private static let known: [ObjectIdentifier: EncodedType] = [
        ObjectIdentifier(Date.self): .date, ObjectIdentifier(Data.self): .data, ObjectIdentifier(URL.self): .url,
        ObjectIdentifier(Decimal.self): .decimal, ObjectIdentifier(String.self): .string,
        ObjectIdentifier(Bool.self): .bool, ObjectIdentifier(Double.self): .double,
        ObjectIdentifier(Float.self): .float,
        ObjectIdentifier(Int.self): .int, ObjectIdentifier(Int8.self): .int8, ObjectIdentifier(Int16.self): .int16,
        ObjectIdentifier(Int32.self): .int32, ObjectIdentifier(Int64.self): .int64, ObjectIdentifier(UInt.self): .uint,
        ObjectIdentifier(UInt8.self): .uint8, ObjectIdentifier(UInt16.self): .uint16,
        ObjectIdentifier(UInt32.self): .uint32, ObjectIdentifier(UInt64.self): .uint64,
        ObjectIdentifier([String].self): .strings, ObjectIdentifier([Bool].self): .bools,
        ObjectIdentifier([Double].self): .doubles, ObjectIdentifier([Float].self): .floats,
        ObjectIdentifier([Int].self): .ints, ObjectIdentifier([Int8].self): .int8s,
        ObjectIdentifier([Int16].self): .int16s, ObjectIdentifier([Int32].self): .int32s,
        ObjectIdentifier([Int64].self): .int64s, ObjectIdentifier([UInt].self): .uints,
        ObjectIdentifier([UInt8].self): .uint8s, ObjectIdentifier([UInt16].self): .uint16s,
        ObjectIdentifier([UInt32].self): .uint32s, ObjectIdentifier([UInt64].self): .uint64s,
    ]

    /// Whether it is an array of scalars.
    var isArray: Bool { rawValue >= Self.strings.rawValue }
}

/// A dictionary whose keys a key strategy leaves alone: as in Foundation, only of strings.
private protocol KeyedByText {}

extension Dictionary: KeyedByText where Key == String, Value: Encodable {}

/// The types met so far. A dictionary would cost more than the encoding of a small value.
struct TypeTable {
    private typealias Slot = (type: ObjectIdentifier?, known: EncodedType)

    /// One slot for each hash; a type may displace another.
    private var slots = [Slot](repeating: (nil, .other), count: 32)

    @inline(__always)
    mutating func known<T>(_ type: T.Type, convertsKeys: Bool) -> EncodedType {
        let identifier = ObjectIdentifier(type)
        let address = UInt(bitPattern: identifier)
        let place = Int(truncatingIfNeeded: (address >> 4 ^ address >> 9) & 31)
        if slots[place].type == identifier { return slots[place].known }
        let known = EncodedType(type, convertsKeys: convertsKeys)
        slots[place] = (identifier, known)
        return known
    }
}
