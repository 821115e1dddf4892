import GodwitPatterns
import GodwitSupport

/// What a schema, all that it refers to, and one of its alternatives demand together.
struct SchemaLimits {
    private var parts: [DocumentNode] = []
    /// The last parts of the references on the way: the names that discriminators use.
    private var names: [String] = []
    /// The values of discriminators, by property.
    private(set) var tags: [String: String] = [:]
    private let references: SchemaReferences
    private let choice: Int

    private static let partLimit = 100

    init(_ schema: DocumentNode, _ references: SchemaReferences, choice: Int) {
        self.references = references
        self.choice = choice
        var open: Set<String> = []
        collect(schema, &open)
    }

    private mutating func collect(_ schema: DocumentNode, _ open: inout Set<String>) {
        guard parts.count < Self.partLimit else { return }
        if let target = references.target(of: schema) {
            guard open.insert(target.key).inserted else { return }
            names.append(Self.lastName(of: schema))
            collect(target.node, &open)
            if references.ignoresSiblings { return }
        }
        parts.append(schema)
        tag(schema, nil)
        for part in schema["allOf"]?.elements ?? [] { collect(part, &open) }
        for keyword in ["oneOf", "anyOf"] {
            let members = (schema[keyword]?.elements ?? []).filter { !Nullability.isNull($0) }
            guard !members.isEmpty else { continue }
            let member = members[choice % members.count]
            tag(schema, member)
            collect(member, &open)
        }
    }

    /// The value of a discriminator for an alternative, or for the schema that has the part with it.
    private mutating func tag(_ schema: DocumentNode, _ member: DocumentNode?) {
        guard let discriminator = schema["discriminator"], let property = discriminator["propertyName"]?.text,
            let name = member.map({ Self.lastName(of: $0) }) ?? names.first, !name.isEmpty,
            tags[property] == nil || member != nil
        else { return }
        let mapped = discriminator["mapping"]?.members.first { entry in
            entry.value.text == name || entry.value.text?.hasSuffix("/" + name) == true
        }
        tags[property] = mapped?.key ?? name
    }

    private static func lastName(of schema: DocumentNode) -> String {
        schema["$ref"]?.string?.split(separator: "/").last.map { String($0) } ?? ""
    }

    /// The values of a keyword in all parts.
    func all(_ keyword: String) -> [DocumentNode] { parts.compactMap { $0[keyword] } }

    var allowsNull: Bool { parts.contains(where: Nullability.allowsNull) }

    /// The only value, or one of a few.
    func fixed(_ variant: Int) -> DocumentNode? {
        if let constant = all("const").first { return constant }
        guard let values = all("enum").first(where: { !$0.elements.isEmpty })?.elements else { return nil }
        let others = all("enum").map { Set($0.elements.map { ExactJSON($0) }) }
        let common = values.filter { value in others.allSatisfy { $0.contains(ExactJSON(value)) } }
        let known = common.filter { !$0.isNull }
        return known.isEmpty ? common.first : known[variant % known.count]
    }

    /// The document's examples of the schema itself.
    var examples: [DocumentNode] {
        all("example") + all("examples").flatMap(\.elements) + all("default")
    }

    /// The type that all parts allow; `nil` if none says it.
    var type: String? {
        let declared = parts.map { Nullability.types($0) }.filter { !$0.isEmpty }
        let whole = declared.contains { $0.contains("integer") && !$0.contains("number") }
        let types = declared.first?.filter { $0 != "null" } ?? []
        let common = types.first { type in
            declared.allSatisfy { $0.contains(type) || type == "integer" && $0.contains("number") }
        }
        if let type = common ?? types.first { return type == "number" && whole ? "integer" : type }
        return declared.isEmpty ? parts.lazy.compactMap { SchemaParts.inferredType($0) }.first : "null"
    }

    // MARK: Counts

    func least(_ keyword: String) -> Int? { all(keyword).compactMap(\.integer).max() }

    func most(_ keyword: String) -> Int? { all(keyword).compactMap(\.integer).min() }

    // MARK: Objects

    var required: Set<ExactText> {
        Set(all("required").flatMap(\.elements).compactMap(\.text).map { ExactText($0) })
    }

    /// The schemas of each property, in document order.
    var properties: [(name: String, schemas: [DocumentNode])] {
        var (result, indexes): ([(name: String, schemas: [DocumentNode])], [ExactText: Int]) = ([], [:])
        for member in all("properties").flatMap(\.members) {
            if let index = indexes[ExactText(member.key)] {
                result[index].schemas.append(member.value)
            } else {
                indexes[ExactText(member.key)] = result.count
                result.append((member.key, [member.value]))
            }
        }
        return result
    }
}

// Candidates for a number or a text, the most natural one first. The caller takes one that the schema accepts.
extension SchemaLimits {
    func numbers(_ variant: Int) -> [String] {
        let isInteger = type == "integer"
        let step = Decimal(variant)
        let lower = decimals("minimum", "exclusiveMinimum").max()
        let upper = decimals("maximum", "exclusiveMaximum").min()
        var candidates = [(isInteger ? 1 : Decimal(15) / 10) + step]
        for multiple in decimals("multipleOf") where multiple > 0 {
            let start = Self.double((lower ?? multiple) / multiple).rounded(.up)
            let end = upper.map { Self.double($0 / multiple).rounded(.down) }
            candidates += [start, start + 1, end, end.map { $0 - 1 }].compactMap(\.self).filter { abs($0) < 1e15 }
                .map { Decimal($0) * multiple + step * multiple }
        }
        for bound in [lower, upper].compactMap(\.self) {
            let whole = isInteger ? Decimal(Self.double(bound).rounded(.up)) : bound
            candidates += [whole + step, whole + 1 + step, whole - 1 - step, bound]
        }
        if let lower, let upper { candidates.append((lower + upper) / 2) }
        return (candidates + [0]).filter { !$0.isNaN }.map(\.description)
    }

    private func decimals(_ keywords: String...) -> [Decimal] {
        keywords.flatMap { all($0) }.compactMap { node in
            if case .number(let text) = node.value { Decimal(string: text) } else { nil }
        }
    }

    private static func double(_ number: Decimal) -> Double { Double(number.description) ?? 0 }

    func texts(hint: String, _ variant: Int) -> [String] {
        let (least, most) = (least("minLength") ?? 0, most("maxLength") ?? .max)
        let format = all("format").first?.text.flatMap { Self.formatted($0, variant) }
        let patterns = all("pattern").compactMap(\.string).compactMap {
            Pattern.example(of: $0, atLeast: least.saturatingAdding(variant))
        }
        let named = ExampleMaker.text(for: hint) + (variant == 0 ? "" : " \(variant + 1)")
        return [format].compactMap(\.self) + patterns + [named, Self.fitted(named, least, most, variant)]
    }

    private static let lengthLimit = 10_000

    /// A text repeated or cut to a length.
    private static func fitted(_ text: String, _ least: Int, _ most: Int, _ variant: Int) -> String {
        var text = text
        while text.count < min(least, lengthLimit) { text += " " + text }
        guard text.count > most else { return text }
        let end = variant == 0 ? "" : "\(variant + 1)"
        return String((text.prefix(max(0, most - end.count)) + end).prefix(max(0, most)))
    }

    private static func formatted(_ format: String, _ variant: Int) -> String? {
        let types = ["date-time": "Date", "date": "Day", "uuid": "UUID", "uri": "URL", "url": "URL", "byte": "Data"]
        switch format {
        case "email": return variant == 0 ? "ann@example.com" : "ann\(variant + 1)@example.com"
        case "hostname": return variant == 0 ? "example.com" : "www\(variant + 1).example.com"
        case "ipv4": return "192.0.2.\(variant % 254 + 1)"
        case "ipv6": return "2001:db8::\(variant % 9000 + 1)"
        default: break
        }
        guard let type = types[format], case .string(let text) = ExampleMaker.builtin(type, hint: "text") else {
            return nil
        }
        return variant == 0 ? text : varied(text, format, variant)
    }

    /// Another text of a format.
    private static func varied(_ text: String, _ format: String, _ variant: Int) -> String {
        switch format {
        case "uuid":
            let digits = String(variant, radix: 16, uppercase: true)
            return String(text.dropLast(min(digits.count, 12))) + digits.suffix(12)
        case "uri", "url": return text + "\(variant + 1)"
        case "byte": return Data("Godwit\(variant + 1)".utf8).base64EncodedString()
        default: return "\(2026 + variant % 7000)" + text.dropFirst(4)
        }
    }
}
