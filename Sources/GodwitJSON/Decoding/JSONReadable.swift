/// A model that reads the members of its JSON object itself, in a fraction of the time that `Decodable` takes.
///
/// ```swift
/// nonisolated struct Station: Codable, JSONReadable {
///     var id: Int
///     var name: String
///     var closedOn: Date?
///
///     init(json: inout JSONObjectReader) throws {
///         id = try json.read("id")
///         name = try json.read("name")
///         closedOn = try json.read("closedOn")
///     }
/// }
/// ```
///
/// ``JSONModelDecoder`` calls this initializer wherever it meets the type, with the values and errors of `init(from:)`. Other
/// decoders call `init(from:)`, so both must read the same keys. Code that `godwit generate` writes has both.
public protocol JSONReadable: Decodable {
    /// Reads the members of an object.
    ///
    /// - Parameter json: The object. It can be used only in this initializer.
    init(json: inout JSONObjectReader) throws
}

extension JSONReadable {
    /// Reads an object to uninitialized memory.
    static func read(
        from session: DecodingSession, at index: UInt32, _ table: KeyTable, to memory: UnsafeMutableRawPointer
    ) throws {
        guard session.kind(index) == .object else { throw session.mismatch([String: Any].self, at: index) }
        var reader = JSONObjectReader(session: session, object: index, table: table)
        memory.assumingMemoryBound(to: Self.self).initialize(to: try Self(json: &reader))
    }
}
