extension JSONCoding {
    /// Decodes a value from JSON.
    ///
    /// Throws `.decoding` with the path, what was expected and what was found, and `.tooLarge` if values of the type `JSONValue`
    /// take more than 128 MiB of memory.
    ///
    /// ```swift
    /// let article = try JSONCoding(keys: .snakeCase).decode(Article.self, from: data)
    /// ```
    ///
    /// - Parameter data: The JSON, in UTF-8.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, from data: Data
    ) throws(NetworkError) -> Value {
        do {
            return try decoder.decode(type, from: data)
        } catch let error as JSONValuesTooLarge {
            throw NetworkError(.tooLarge(limit: Int64(error.limit)), phase: .decoding, underlying: error)
        } catch {
            let failure = DecodingDiagnosis(of: error, in: data, keys: keys).failure
            throw NetworkError(.decoding(failure), phase: .decoding, underlying: error)
        }
    }

    /// Encodes a value as JSON; throws `.encoding` if that isn't possible, as for an infinite number.
    ///
    /// Slashes aren't escaped. Keys are sorted by default.
    ///
    /// - Returns: The JSON, in UTF-8.
    public func encode(_ value: some Encodable) throws(NetworkError) -> Data {
        do {
            return try encoder.encode(value)
        } catch {
            throw NetworkError(.encoding(reason: Self.reason(of: error)), phase: .building, underlying: error)
        }
    }

    private static func reason(of error: any Error) -> String {
        guard case EncodingError.invalidValue(_, let context)? = error as? EncodingError else { return "\(error)" }
        let path = JSONPlace(context.codingPath).description
        return path.isEmpty ? context.debugDescription : "field `\(path)`: \(context.debugDescription)"
    }
}

extension JSONCoding: RequestOption {
    public static var defaultValue: JSONCoding? { nil }
    /// `false`: the coding is the same for all calls of a client.
    public static var affectsResponse: Bool { false }
}

extension RequestOptions {
    /// How the client that made the request codes JSON, for the mocks of `GodwitTesting`.
    package var coding: JSONCoding? {
        @inline(__always) get { self[JSONCoding.self] }
        set { self[JSONCoding.self] = newValue }
    }
}
