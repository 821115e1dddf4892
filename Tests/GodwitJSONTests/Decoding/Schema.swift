/// What a `SchemaValue` decodes: which methods of which containers it calls, in which order.
indirect enum Schema: Sendable {
    /// One value through `singleValueContainer()`.
    case single(ScalarAccess)
    /// `decodeNil()` first, then the same value twice: as a type that it may not be, and as another.
    case probe(ScalarAccess, Schema)
    /// A value in a container of the same decoder: `singleValueContainer().decode(SchemaValue.self)`.
    case wrapped(Schema)
    case keyed([KeyedStep])
    case unkeyed([UnkeyedStep])
    /// The value, or the error it fails with, as the value.
    case attempt(Schema)
    case optional(Schema)
    case array(Schema)
    /// `[String: SchemaValue]`. Errors of members become values: which one Foundation meets first depends on hashes.
    case dictionary(Schema)
    /// `[Int: SchemaValue]`
    case intDictionary(Schema)
    /// `[SideKey: SchemaValue]`
    case sideDictionary(Schema)
    /// Whatever there is, by trying one type after another.
    case anything
}

/// One call on a keyed container. Each adds its result to the transcript.
indirect enum KeyedStep: Sendable {
    case decode(String, Schema)
    case ifPresent(String, Schema)
    case scalar(String, ScalarAccess)
    case scalarIfPresent(String, ScalarAccess)
    case isNil(String)
    case contains(String)
    case allKeys
    case path
    case nested(String, [KeyedStep])
    case nestedUnkeyed(String, [UnkeyedStep])
    case superDecoder(String?, Schema)
    /// The step, with its error in the transcript instead of thrown.
    case attempt(KeyedStep)
}

/// One call on an unkeyed container.
indirect enum UnkeyedStep: Sendable {
    case decode(Schema)
    case ifPresent(Schema)
    case scalar(ScalarAccess)
    case scalarIfPresent(ScalarAccess)
    case isNil
    /// `currentIndex`, `count`, `isAtEnd` and `codingPath`
    case state
    case nested([KeyedStep])
    case nestedUnkeyed([UnkeyedStep])
    case superDecoder(Schema)
    case attempt(UnkeyedStep)
    /// The step until the container is at its end, at most 200 times.
    case rest(UnkeyedStep)
}
