import GodwitJSON
import TestSupport

/// Schemas that mostly fit a document, so that decoding gets far, and sometimes ask for what isn't there.
struct RandomSchema {
    let strategies: DecodingStrategies
    var random: SplitMix

    /// A schema for a value. One in ten doesn't fit.
    mutating func schema(for tree: RandomTree) -> Schema {
        if random.happens(6) { return schema(for: RandomTree.random(depth: 2, using: &random)) }
        if random.happens(5) { return .anything }
        if random.happens(8) { return .optional(schema(for: tree)) }
        if random.happens(5) { return .wrapped(schema(for: tree)) }
        if random.happens(5) { return .probe(random.pick(Self.scalars), schema(for: tree)) }
        switch tree {
        case .array(let elements): return arraySchema(elements)
        case .object(let members): return objectSchema(members)
        default: return .single(access(for: tree))
        }
    }

    private mutating func arraySchema(_ elements: [RandomTree]) -> Schema {
        if random.happens(15) { return .single(random.pick(Self.arrays)) }
        if random.happens(40) { return .array(elements.first.map { schema(for: $0) } ?? .anything) }
        return .unkeyed(unkeyedSteps(elements))
    }

    private mutating func objectSchema(_ members: [(key: String, value: RandomTree)]) -> Schema {
        let inner = members.first?.value ?? .null
        switch random.below(20) {
        case 0: return .single(random.pick(Self.dictionaries))
        case 1, 2: return .dictionary(schema(for: inner))
        case 3: return .intDictionary(schema(for: inner))
        case 4: return .sideDictionary(schema(for: inner))
        default: return .keyed(keyedSteps(members))
        }
    }

    private mutating func access(for tree: RandomTree) -> ScalarAccess {
        switch tree {
        case _ where random.happens(12): random.pick(Self.scalars)
        case .bool: random.pick(Self.bools)
        case .string: random.pick(Self.texts)
        case .number: random.pick(Self.numbers)
        default: random.pick(Self.scalars)
        }
    }

    // MARK: Steps

    private mutating func keyedSteps(_ members: [(key: String, value: RandomTree)]) -> [KeyedStep] {
        var steps = members.flatMap { member in
            (0...random.below(2)).map { _ in keyedStep(key: strategies.converted(member.key), member.value) }
        }
        if random.happens(40) { steps.shuffle(using: &random) }
        if random.happens(40) {
            let missing = keyedStep(key: random.pick(RandomTree.keys), .random(depth: 1, using: &random))
            steps.insert(random.happens(70) ? .attempt(missing) : missing, at: random.below(steps.count + 1))
        }
        return steps
    }

    private mutating func keyedStep(key: String, _ tree: RandomTree) -> KeyedStep {
        switch random.below(24) {
        case 0: return .allKeys
        case 1: return .path
        case 2: return .isNil(key)
        case 3: return .contains(key)
        case 4: return .superDecoder(random.happens(80) ? key : nil, schema(for: tree))
        case 5: return .attempt(keyedStep(key: key, .random(depth: 1, using: &random)))
        case 6...10: return .ifPresent(key, schema(for: tree))
        case 11...17: break
        default: return .decode(key, schema(for: tree))
        }
        switch tree {
        case .array(let elements): return .nestedUnkeyed(key, unkeyedSteps(elements))
        case .object(let members): return .nested(key, keyedSteps(members))
        default:
            let access = access(for: tree)
            return random.happens(50) ? .scalar(key, access) : .scalarIfPresent(key, access)
        }
    }

    private mutating func unkeyedSteps(_ elements: [RandomTree]) -> [UnkeyedStep] {
        var steps = elements.flatMap { element in
            let step = unkeyedStep(element)
            return random.happens(10) ? [.isNil, step] : random.happens(20) ? [step, .state] : [step]
        }
        if random.happens(20), let first = elements.first { steps = [.rest(unkeyedStep(first))] }
        if random.happens(15) { steps.append(.attempt(unkeyedStep(elements.last ?? .null))) }
        if random.happens(5) { steps.append(unkeyedStep(elements.last ?? .null)) }
        return steps + [.state]
    }

    private mutating func unkeyedStep(_ tree: RandomTree) -> UnkeyedStep {
        switch random.below(20) {
        case 0: return .superDecoder(schema(for: tree))
        case 1: return .attempt(unkeyedStep(.random(depth: 1, using: &random)))
        case 2...4: return .ifPresent(schema(for: tree))
        case 5...11: break
        default: return .decode(schema(for: tree))
        }
        switch tree {
        case .array(let elements): return .nestedUnkeyed(unkeyedSteps(elements))
        case .object(let members): return .nested(keyedSteps(members))
        default:
            let access = access(for: tree)
            return random.happens(50) ? .scalar(access) : .scalarIfPresent(access)
        }
    }
}

extension RandomSchema {
    private static let bools = [ScalarAccess(Bool.self)] + ScalarAccess.concrete.filter { $0.name == "Bool" }

    private static let texts =
        [
            ScalarAccess(String.self), ScalarAccess(Date.self), ScalarAccess(Data.self), ScalarAccess(URL.self),
            ScalarAccess(UUID.self),
            ScalarAccess(Color.self), ScalarAccess(String?.self), ScalarAccess(Double.self),
        ] + repeatElement(ScalarAccess.concrete.filter { $0.name == "String" }, count: 8).joined()

    private static let numbers =
        [
            ScalarAccess(Int.self), ScalarAccess(Double.self), ScalarAccess(UInt8.self), ScalarAccess(Decimal.self),
            ScalarAccess(Date.self),
            ScalarAccess(Level.self), ScalarAccess(Int?.self), ScalarAccess(Float?.self),
        ] + ScalarAccess.concrete.filter { $0.name != "Bool" && $0.name != "String" }

    static let arrays = [
        ScalarAccess([Int].self), ScalarAccess([Double].self), ScalarAccess([String].self), ScalarAccess([Bool].self),
        ScalarAccess([UInt8].self),
        ScalarAccess([Float].self), ScalarAccess([Int?].self), ScalarAccess([[Int]].self),
        ScalarAccess([[Double]].self), ScalarAccess([Date].self),
        ScalarAccess([Decimal].self), ScalarAccess([URL].self), ScalarAccess([Data].self), ScalarAccess(Data.self),
        ScalarAccess([Int64].self),
        ScalarAccess([String: Int].self), ScalarAccess([Level: String].self), ScalarAccess(Set<String>.self),
        ScalarAccess(ContiguousArray<Int>.self),
        ScalarAccess([Color].self), ScalarAccess(ClosedRange<Int>.self), ScalarAccess([String?].self),
        ScalarAccess([[String: Int]].self),
    ]

    static let dictionaries = [
        ScalarAccess([String: Int].self), ScalarAccess([String: String].self), ScalarAccess([String: Double?].self),
        ScalarAccess([Int: Int].self),
        ScalarAccess([Int: String].self), ScalarAccess([SideKey: Int].self), ScalarAccess([Color: Int].self),
        ScalarAccess([String: [Int]].self),
        ScalarAccess([String: [String: Int]].self), ScalarAccess([Double: Int].self), ScalarAccess([String: Bool].self),
        ScalarAccess([String: Date].self),
    ]

    private static let scalars =
        ScalarAccess.concrete + [
            ScalarAccess(Date.self), ScalarAccess(Data.self), ScalarAccess(URL.self), ScalarAccess(Decimal.self),
        ]
        + [
            ScalarAccess(Color.self), ScalarAccess(Level.self), ScalarAccess(UUID.self), ScalarAccess([Int].self),
            ScalarAccess([String: Int].self),
        ]
}

enum Color: String, Codable, CodingKeyRepresentable { case red, green, left }
enum Level: Int, Codable { case zero, one, two }
