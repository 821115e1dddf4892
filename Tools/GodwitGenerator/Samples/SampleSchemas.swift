/// Turns shapes into schemas, and says why each guess was made.
struct SampleSchemas {
    let guessesEnums: Bool
    private(set) var notes: [Note] = []

    init(guessesEnums: Bool) {
        self.guessesEnums = guessesEnums
    }

    /// - Parameter key: The name of the member that has the shape.
    mutating func schema(_ shape: SampleShape, key: String = "") -> Schema {
        var schema = Schema(kind(shape, key), isNullable: shape.nullCount > 0, place: shape.place)
        if shape.nullCount > 0 {
            let total = shape.nodes.count + shape.nullCount
            if shape.nodes.isEmpty {
                note("is any JSON: always null", shape)
            } else {
                note("is nullable: null in \(shape.nullCount) of \(total) samples", shape)
            }
        }
        if case .any = schema.kind { schema.isNullable = shape.nullCount > 0 }
        return schema
    }

    private mutating func kind(_ shape: SampleShape, _ key: String) -> Schema.Kind {
        switch shape.kind {
        case .unknown:
            if shape.nullCount == 0 { note("is any JSON: the array is empty in every sample", shape) }
            return .any
        case .scalar: return scalar(shape, key)
        case .array(let element): return .array(schema(element, key: key))
        case .dictionary(let value):
            note("is a dictionary: its keys look like data", shape)
            return .dictionary(schema(value, key: key))
        case .object(let members): return object(members, shape)
        case .mixed(let parts):
            let names = SampleShape.kinds(of: shape.nodes).map(\.name)
            note("is \(names.joined(separator: " or ")): samples have both", shape)
            return .union(Schema.Union(members: parts.map { schema($0, key: key) }))
        case .reference(let name): return .reference(name)
        }
    }

    private mutating func object(_ members: [SampleShape.Member], _ shape: SampleShape) -> Schema.Kind {
        guard !members.isEmpty else {
            note("is a dictionary of any JSON: the object is always empty", shape)
            return .dictionary(Schema(.any, isNullable: true))
        }
        var properties: [Schema.Property] = []
        for member in members {
            let isRequired = member.count == shape.nodes.count
            if !isRequired {
                let missing = shape.nodes.count - member.count
                note("is optional: absent in \(missing) of \(shape.nodes.count) samples", member.shape)
            }
            properties.append(
                Schema.Property(
                    name: member.key, schema: schema(member.shape, key: member.key), isRequired: isRequired))
        }
        return .object(Schema.Object(properties: properties))
    }

    private mutating func scalar(_ shape: SampleShape, _ key: String) -> Schema.Kind {
        switch shape.nodes.first?.value {
        case .bool: return .boolean
        case .number:
            let (kind, reason) = SampleNumbers.kind(of: shape.nodes)
            if let reason { note(reason, shape) }
            return kind
        default:
            let texts = shape.nodes.compactMap(\.string)
            if let format = SampleText.format(of: texts) { return .string(format: format) }
            if guessesEnums, let values = SampleEnumerations.values(of: texts, key: key) {
                note("is an enumeration: \(values.count) different words in \(texts.count) samples", shape)
                return .enumeration(Schema.Enumeration(values: .strings(values)))
            }
            return .string(format: nil)
        }
    }

    private mutating func note(_ text: String, _ shape: SampleShape) {
        notes.append(Note(.guess, "`\(shape.label)` \(text)", at: shape.place))
    }
}

/// The numeric type that all numbers of a shape fit.
enum SampleNumbers {
    /// The kind, and the reason if it isn't the usual one.
    static func kind(of nodes: [DocumentNode]) -> (Schema.Kind, String?) {
        let texts = nodes.compactMap { node -> String? in
            if case .number(let text) = node.value { text } else { nil }
        }
        let isWhole = texts.allSatisfy { text in !text.contains { ".eE".contains($0) } }
        if isWhole {
            if texts.allSatisfy({ Int32($0) != nil }) { return (.integer(format: nil), nil) }
            if texts.allSatisfy({ Int64($0) != nil }) {
                return (.integer(format: "int64"), "is a 64-bit integer: some values need more than 32 bits")
            }
            return (.number(format: "decimal"), "is a decimal number: some values need more than 64 bits")
        }
        if texts.contains(where: { significantDigits($0) > 17 }) {
            return (.number(format: "decimal"), "is a decimal number: some values have more than 17 digits")
        }
        return (.number(format: nil), nil)
    }

    private static func significantDigits(_ text: String) -> Int {
        let digits = text.prefix { !"eE".contains($0) }.filter(SampleText.isDigit)
        return digits.drop { $0 == "0" }.count
    }
}

/// Finds texts that are one of a few words.
enum SampleEnumerations {
    /// The words in the order of the samples; `nil` if the texts are free.
    static func values(of texts: [String], key: String) -> [String]? {
        var (values, seen) = ([String](), Set<String>())
        for text in texts where seen.insert(text).inserted {
            values.append(text)
            guard values.count <= 12, SampleText.isIdentifier(text) else { return nil }
        }
        guard values.count >= 2 else { return nil }
        if let last = SampleWords.item(key).last, names.contains(last) { return values }
        let isOneCase = values.allSatisfy { $0 == $0.lowercased() } || values.allSatisfy { $0 == $0.uppercased() }
        return texts.count >= 10 && values.count * 3 <= texts.count && isOneCase ? values : nil
    }

    private static let names: Set<String> = [
        "status", "state", "type", "kind", "role", "level", "category", "priority", "visibility", "severity", "mode",
        "gender", "phase", "stage", "rarity",
    ]
}
