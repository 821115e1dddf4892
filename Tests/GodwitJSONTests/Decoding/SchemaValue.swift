import Synchronization

/// A Decodable that follows a schema, and keeps a transcript of everything the decoder answered.
struct SchemaValue: Decodable, DescribedExactly {
    let transcript: String

    var exactDescription: String { transcript }

    init(from decoder: any Decoder) throws {
        guard let plan = decoder.userInfo[SchemaPlan.key] as? SchemaPlan else {
            throw SchemaPlan.Missing()
        }
        transcript = try plan.follow(plan.current, decoder)
    }
}

/// The schema of the value to decode next: pushed by the value around it, so that a Decodable without arguments can follow it.
final class SchemaPlan: Sendable {
    struct Missing: Error {}

    static let key: CodingUserInfoKey = {
        guard let key = CodingUserInfoKey(rawValue: "schema") else {
            preconditionFailure("a user info key takes any text")
        }
        return key
    }()

    private let stack: Mutex<[Schema]>

    init(_ root: Schema) {
        stack = Mutex([root])
    }

    var current: Schema { stack.withLock { $0.last } ?? .anything }

    /// Runs a call that decodes `SchemaValue` by this schema.
    func with<Result>(_ schema: Schema, _ decode: () throws -> Result) rethrows -> Result {
        stack.withLock { $0.append(schema) }
        defer { stack.withLock { _ = $0.popLast() } }
        return try decode()
    }

    func follow(_ schema: Schema, _ decoder: any Decoder) throws -> String {
        switch schema {
        case .single(let access): try access.single(decoder.singleValueContainer())
        case .probe(let access, let then): try probe(access, then, decoder)
        case .wrapped(let inner):
            try with(inner) { try decoder.singleValueContainer().decode(SchemaValue.self).transcript }
        case .keyed(let steps): try run(steps, decoder.container(keyedBy: AnyKey.self))
        case .unkeyed(let steps): try run(steps, decoder.unkeyedContainer())
        case .attempt(let inner): attempt { try follow(inner, decoder) }
        case .optional(let inner): try collection(SchemaValue?.self, of: inner, decoder)
        case .array(let inner): try collection([SchemaValue].self, of: inner, decoder)
        case .dictionary(let inner): try collection([String: SchemaValue].self, of: .attempt(inner), decoder)
        case .intDictionary(let inner): try collection([Int: SchemaValue].self, of: .attempt(inner), decoder)
        case .sideDictionary(let inner): try collection([SideKey: SchemaValue].self, of: .attempt(inner), decoder)
        case .anything: try anything(decoder)
        }
    }

    private func collection<Value: Decodable>(_ type: Value.Type, of inner: Schema, _ decoder: any Decoder) throws
        -> String
    {
        try with(inner) { try describe(decoder.singleValueContainer().decode(type)) }
    }

    private func probe(_ access: ScalarAccess, _ then: Schema, _ decoder: any Decoder) throws -> String {
        let container = try decoder.singleValueContainer()
        let isNil = container.decodeNil()
        let first = attempt { try access.single(container) }
        return try "nil \(isNil), \(access.name) \(first), then \(follow(then, decoder))"
    }

    private func anything(_ decoder: any Decoder) throws -> String {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() { return "null" }
        if let value = try? container.decode(Bool.self) { return describe(value) }
        if let value = try? container.decode(Int.self) { return describe(value) }
        if let value = try? container.decode(Double.self) { return describe(value) }
        if let value = try? container.decode(String.self) { return describe(value) }
        if let value = try? with(.anything, { try container.decode([SchemaValue].self) }) { return describe(value) }
        return try with(.anything) { try describe(container.decode([String: SchemaValue].self)) }
    }

    /// The result, or the error. Corrupted data has no path here: inside a Decodable, Foundation's error hasn't got it yet.
    func attempt(_ work: () throws -> String) -> String {
        do {
            return try work()
        } catch {
            let failure = DecodingFailure(error)
            return failure.kind == "dataCorrupted" ? "<corrupted>" : "<\(failure)>"
        }
    }
}
