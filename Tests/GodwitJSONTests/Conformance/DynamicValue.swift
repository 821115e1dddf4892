/// Any JSON value, decoded through the Codable containers.
indirect enum DynamicValue: Decodable, Equatable {
    case null
    case bool(Bool)
    /// A number that every decoder takes for one: its value doesn't matter here.
    case number
    case string(String)
    case array([DynamicValue])
    case object([String: DynamicValue])

    init(from decoder: any Decoder) throws {
        if var container = try? decoder.unkeyedContainer() {
            var elements: [DynamicValue] = []
            while !container.isAtEnd { elements.append(try container.decode(DynamicValue.self)) }
            self = .array(elements)
        } else if let container = try? decoder.container(keyedBy: AnyKey.self) {
            let members = try container.allKeys.map {
                ($0.stringValue, try container.decode(DynamicValue.self, forKey: $0))
            }
            self = .object(Dictionary(members) { first, _ in first })
        } else {
            self = try Self.scalar(decoder.singleValueContainer())
        }
    }

    /// A number too large for any type is a number still: it is what is neither null, nor a Boolean, nor a string.
    private static func scalar(_ container: any SingleValueDecodingContainer) throws -> DynamicValue {
        if container.decodeNil() { return .null }
        do {
            return .bool(try container.decode(Bool.self))
        } catch DecodingError.typeMismatch {
            do {
                return .string(try container.decode(String.self))
            } catch DecodingError.typeMismatch {
                return .number
            }
        }
    }
}
