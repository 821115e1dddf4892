public import GodwitCore

/// The variables of an operation, by the names in its document.
///
/// ```swift
/// let variables: GraphQLVariables = ["first": 10, "after": cursor]
/// ```
///
/// Values are encoded with the client's `JSONCoding`; names and keys never change, as the schema fixes them. A `nil` isn't sent, so that the default in
/// the document applies. To send `null`, pass a `Patch`, or name the variable in `nulls`:
///
/// ```swift
/// let variables: GraphQLVariables = ["id": id, "title": Patch(subtitle)]             // null if the subtitle is nil
/// let same = GraphQLVariables(["id": id, "title": subtitle], nulls: ["title"])
/// ```
public struct GraphQLVariables: Sendable, Nonisolated, ExpressibleByDictionaryLiteral {
    private enum Source: Sendable {
        case members([(name: String, value: any Encodable & Sendable)])
        case whole(any Encodable & Sendable)
    }

    private var source: Source

    /// Creates variables by name; `nil` and absent values are omitted.
    public init(dictionaryLiteral elements: (String, (any Encodable & Sendable)?)...) {
        source = .members(Self.members(elements, []))
    }

    /// Creates variables by name; absent values are omitted.
    ///
    /// - Parameters:
    ///   - members: The names and values.
    ///   - nulls: The names whose `nil` is sent as `null`. Those of other `nil` values are omitted.
    public init(
        _ members: KeyValuePairs<String, (any Encodable & Sendable)?>, nulls: some Sequence<String>
    ) {
        source = .members(Self.members(members.map { ($0.key, $0.value) }, Set(nulls)))
    }

    private static func members(
        _ members: [(String, (any Encodable & Sendable)?)], _ nulls: Set<String>
    ) -> [(name: String, value: any Encodable & Sendable)] {
        members.compactMap { name, value in
            guard let value else { return nulls.contains(name) ? (name, JSONValue.null) : nil }
            return (value as? any PossiblyAbsent)?.isAbsent == true ? nil : (name, value)
        }
    }

    /// Creates variables from a value that is encoded as a JSON object.
    ///
    /// - Parameter value: The value. Its keys are sent as written.
    public init(_ value: some Encodable & Sendable) {
        source = .whole(value)
    }

    /// Whether there are no variables.
    public var isEmpty: Bool {
        if case .members(let members) = source { members.isEmpty } else { false }
    }

    /// The variables as a JSON object.
    ///
    /// Throws `.encoding` for a value that can't be encoded, or that isn't an object.
    package func encoded(with coding: JSONCoding) throws(NetworkError) -> JSONMembers {
        switch source {
        case .members(let members):
            var result: [JSONMembers.Member] = []
            for (name, value) in members { result.append(.init(name, Array(try coding.encode(value)))) }
            return JSONMembers(result)
        case .whole(let value):
            guard let members = JSONMembers(try coding.encode(value)) else {
                throw NetworkError(.encoding(reason: "the variables are not a JSON object"), phase: .building)
            }
            return members
        }
    }
}
