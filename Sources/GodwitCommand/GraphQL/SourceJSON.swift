import Godwit

/// Any JSON, with its members in the order of the source.
struct SourceJSON: Decodable, Sendable {
    let text: JSONText

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        if let object = try? decoder.container(keyedBy: Key.self) {
            text = .object(
                try object.allKeys.map { key in
                    .init(
                        name: JSONText.quoted(key.stringValue),
                        value: try object.decode(SourceJSON.self, forKey: key).text)
                })
        } else if var array = try? decoder.unkeyedContainer() {
            var elements: [JSONText] = []
            while !array.isAtEnd { elements.append(try array.decode(SourceJSON.self).text) }
            text = .array(elements)
        } else {
            text = try Self.scalar(try decoder.singleValueContainer())
        }
    }

    private static func scalar(_ value: any SingleValueDecodingContainer) throws -> JSONText {
        if value.decodeNil() { return .null }
        if let bool = try? value.decode(Bool.self) { return .bool(bool) }
        if let string = try? value.decode(String.self) { return .string(string) }
        if let number = try? value.decode(Int64.self) { return .number(number) }
        if let number = try? value.decode(UInt64.self) { return .number(number) }
        return .token("\(try value.decode(Double.self))")
    }
}
