/// How the values of a type are decoded.
enum TypePlan {
    case string, integer, double, bool
    case strings, integers, doubles, bools, pairs
    case stringsByKey, integersByKey, doublesByKey, boolsByKey
    case date, data, url, decimal
    /// A dictionary with `String` keys, or an array.
    case collection(any DecodableCollection.Type)
    /// By the type's `init(json:)`. ``TypePlans`` keeps the table.
    case readable(Unmanaged<KeyTable>)
    /// By the type's `init(from:)`.
    case other

    init(_ type: any Any.Type) {
        switch type {
        case is String.Type: self = .string
        case is Int.Type: self = .integer
        case is Double.Type: self = .double
        case is Bool.Type: self = .bool
        case is [String].Type: self = .strings
        case is [Int].Type: self = .integers
        case is [Double].Type: self = .doubles
        case is [Bool].Type: self = .bools
        case is [[Double]].Type: self = .pairs
        case is [String: String].Type: self = .stringsByKey
        case is [String: Int].Type: self = .integersByKey
        case is [String: Double].Type: self = .doublesByKey
        case is [String: Bool].Type: self = .boolsByKey
        case is Date.Type: self = .date
        case is Data.Type: self = .data
        case is URL.Type: self = .url
        case is Decimal.Type: self = .decimal
        case let type as any DecodableCollection.Type: self = .collection(type)
        case let type as any JSONReadable.Type: self = .readable(.passRetained(KeyTable(type)))
        default: self = .other
        }
    }

    fileprivate var isReadable: Bool {
        if case .readable = self { true } else { false }
    }
}

/// The plans for types: to find out what a type conforms to takes longer than to decode a small value.
struct TypePlans {
    private struct Place {
        let type: ObjectIdentifier
        let plan: TypePlan
    }

    /// A hash table. If the four places of a type are taken, it replaces another one without a table of keys.
    private let places: UnsafeMutablePointer<Place>
    private static let count = 256

    init() {
        places = .allocate(capacity: Self.count)
        places.initialize(repeating: Place(type: ObjectIdentifier(Never.self), plan: .other), count: Self.count)
    }

    func deallocate() {
        for place in 0..<Self.count {
            if case .readable(let table) = places[place].plan { table.release() }
        }
        places.deinitialize(count: Self.count)
        places.deallocate()
    }

    @inline(__always)
    subscript(type: any Any.Type) -> TypePlan {
        let id = ObjectIdentifier(type)
        let address = UInt(bitPattern: id)
        let hash = Int(truncatingIfNeeded: (address &* 0x9E37_79B9_7F4A_7C15) >> 56)
        let place = places + hash
        return place.pointee.type == id ? place.pointee.plan : plan(type, id, hash)
    }

    @inline(never)
    private func plan(_ type: any Any.Type, _ id: ObjectIdentifier, _ hash: Int) -> TypePlan {
        for offset in 1..<4 {
            let place = places + (hash &+ offset) % Self.count
            if place.pointee.type == id { return place.pointee.plan }
        }
        let candidates = (0..<4).map { (hash &+ $0) % Self.count }
        let free = candidates.first { places[$0].type == ObjectIdentifier(Never.self) }
        let plan = TypePlan(type)
        // A table may be in use, so its place is kept.
        if let place = free ?? candidates.first(where: { !places[$0].plan.isReadable }) {
            places[place] = Place(type: id, plan: plan)
            return plan
        }
        // Without a place, a readable type is decoded through Codable; any other plan is made each time.
        guard case .readable(let table) = plan else { return plan }
        table.release()
        return .other
    }
}

/// Arrays and dictionaries with text as keys, decoded without containers.
protocol DecodableCollection {
    /// Decodes a value of the conforming type to uninitialized memory.
    static func decode(from session: DecodingSession, at index: UInt32, to memory: UnsafeMutableRawPointer) throws
}

extension Array: DecodableCollection where Element: Decodable {
    static func decode(from session: DecodingSession, at index: UInt32, to memory: UnsafeMutableRawPointer) throws {
        let elements: Self
        if case .readable(let table) = session.plans[Element.self] {
            elements = try session.array(at: index) { place, element in
                try table._withUnsafeGuaranteedRef { try $0.type.read(from: session, at: place, $0, to: element) }
            }
        } else {
            elements = try session.array(at: index) { try session.value(Element.self, at: $0) }
        }
        memory.assumingMemoryBound(to: Self.self).initialize(to: elements)
    }
}

extension Dictionary: DecodableCollection where Key == String, Value: Decodable {
    static func decode(from session: DecodingSession, at index: UInt32, to memory: UnsafeMutableRawPointer) throws {
        let dictionary = try session.dictionary(at: index) { try session.value(Value.self, at: $0) }
        memory.assumingMemoryBound(to: Self.self).initialize(to: dictionary)
    }
}
