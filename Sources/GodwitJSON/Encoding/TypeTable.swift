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

    fileprivate static let known: [ObjectIdentifier: EncodedType] = [
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

/// Finds the known types by their addresses, without the hashing of a dictionary.
enum TypeTable {
    private typealias Slot = (type: ObjectIdentifier?, known: EncodedType)

    private static let size = 128

    /// Each type is at the first free slot from its hash on; most slots are free.
    private static let slots: [Slot] = EncodedType.known.reduce(
        into: [Slot](repeating: (nil, .other), count: size)
    ) { slots, entry in
        var place = place(of: entry.key)
        while slots[place].type != nil { place = (place &+ 1) % size }
        slots[place] = (entry.key, entry.value)
    }

    @inline(__always)
    static func known<T>(_ type: T.Type) -> EncodedType {
        let identifier = ObjectIdentifier(type)
        var place = place(of: identifier)
        return slots.withUnsafeBufferPointer { slots in
            while let candidate = slots[place].type {
                if candidate == identifier { return slots[place].known }
                place = (place &+ 1) % size
            }
            return .other
        }
    }

    /// Whether values of a type are dictionaries whose keys a key strategy leaves alone.
    static func keepsKeys<T>(_ type: T.Type) -> Bool { type is any KeyedByText.Type }

    @inline(__always)
    private static func place(of type: ObjectIdentifier) -> Int {
        let address = UInt(bitPattern: type)
        return Int(truncatingIfNeeded: (address >> 4) ^ (address >> 11)) & (size &- 1)
    }
}
