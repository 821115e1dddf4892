import Synchronization

/// How the values of a type are decoded.
enum TypePlan {
    case string, integer, double, bool
    case strings, integers, doubles, bools, pairs
    case stringsByKey, integersByKey, doublesByKey, boolsByKey
    case date, data, url, decimal
    /// A dictionary with `String` keys, or an array.
    case collection(any DecodableCollection.Type)
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
        default: self = .other
        }
    }
}

/// The plans for types: to find out what a type conforms to takes longer than to decode a small value.
///
/// One `decode` call at a time uses them; then they are kept for another, as programs decode the same types again.
///
/// Proof of Sendable: ``take()`` removes them from the list, and ``give()`` is their call's last use.
struct TypePlans: @unchecked Sendable {
    private struct Place {
        let type: ObjectIdentifier
        let plan: TypePlan
    }

    /// A hash table. If the four places of a type are taken, it replaces another.
    private let places: UnsafeMutablePointer<Place>
    private static let count = 64

    private static let spare = Mutex<[TypePlans]>([])
    /// More than this many calls at a time find out again.
    private static let limit = 8

    static func take() -> TypePlans { spare.withLock { $0.popLast() } ?? TypePlans() }

    func give() {
        let isKept = Self.spare.withLock { spare in
            guard spare.count < Self.limit else { return false }
            spare.append(self)
            return true
        }
        if !isKept { deallocate() }
    }

    private init() {
        places = .allocate(capacity: Self.count)
        places.initialize(repeating: Place(type: ObjectIdentifier(Never.self), plan: .other), count: Self.count)
    }

    private func deallocate() {
        places.deinitialize(count: Self.count)
        places.deallocate()
    }

    @inline(__always)
    subscript(type: any Any.Type) -> TypePlan {
        let id = ObjectIdentifier(type)
        let address = UInt(bitPattern: id)
        let hash = Int(truncatingIfNeeded: (address &* 0x9E37_79B9_7F4A_7C15) >> 58)
        let place = places + hash
        return place.pointee.type == id ? place.pointee.plan : plan(type, id, hash)
    }

    @inline(never)
    private func plan(_ type: any Any.Type, _ id: ObjectIdentifier, _ hash: Int) -> TypePlan {
        for offset in 1..<4 {
            let place = places + (hash &+ offset) % Self.count
            if place.pointee.type == id { return place.pointee.plan }
        }
        let free = (0..<4).first { places[(hash &+ $0) % Self.count].type == ObjectIdentifier(Never.self) }
        let plan = TypePlan(type)
        places[(hash &+ (free ?? 0)) % Self.count] = Place(type: id, plan: plan)
        return plan
    }
}

/// Arrays and dictionaries with text as keys, decoded without containers.
protocol DecodableCollection {
    /// Decodes a value of the conforming type to uninitialized memory.
    static func decode(from session: DecodingSession, at index: UInt32, to memory: UnsafeMutableRawPointer) throws
}

extension Array: DecodableCollection where Element: Decodable {
    static func decode(from session: DecodingSession, at index: UInt32, to memory: UnsafeMutableRawPointer) throws {
        let elements = try session.array(at: index) { try session.value(Element.self, at: $0) }
        memory.initializeMemory(as: Self.self, to: elements)
    }
}

extension Dictionary: DecodableCollection where Key == String, Value: Decodable {
    static func decode(from session: DecodingSession, at index: UInt32, to memory: UnsafeMutableRawPointer) throws {
        let dictionary = try session.dictionary(at: index) { try session.value(Value.self, at: $0) }
        memory.initializeMemory(as: Self.self, to: dictionary)
    }
}
