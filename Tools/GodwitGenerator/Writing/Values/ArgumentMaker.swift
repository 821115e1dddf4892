/// Makes Swift expressions for the arguments of calls in tests.
struct ArgumentMaker: Sendable {
    /// An expression, and the text that it becomes in a path or query if that is known.
    struct Value: Sendable, Hashable {
        var expression: String
        /// `nil` if it depends on how the value is written, or has characters that are encoded.
        var text: String?
        /// Whether the expression throws.
        var mayThrow = false
    }

    /// A model within models is only made of values as deep as this.
    static let depthLimit = 3
    /// Longer expressions are read from an example instead.
    static let lengthLimit = 80

    let models: ModelIndex
    /// The enum with examples, for values that have no literal.
    let examples: String
    /// A text that no fixed segment of a path is, so that a path with it is that of its own operation.
    var text = "text"

    /// A value of a type; `nil` if it takes a longer expression.
    func value(of type: SwiftType) -> Value? {
        guard let value = value(of: type, depth: 0), value.expression.count <= Self.lengthLimit else { return nil }
        return value
    }

    private func value(of type: SwiftType, depth: Int) -> Value? {
        guard depth < Self.depthLimit else { return nil }
        switch type {
        case .builtin(let name): return builtin(name)
        case .model(let name), .open(let name): return value(of: name, depth: depth)
        case .array(let element): return value(of: element, depth: depth).map { $0.wrapped("[", "]", keepsText: true) }
        case .dictionary(let element): return value(of: element, depth: depth).map { $0.wrapped("[\"key\": ", "]") }
        case .optional(let wrapped): return value(of: wrapped, depth: depth)
        case .patch(let wrapped): return value(of: wrapped, depth: depth).map { $0.wrapped(".value(", ")") }
        case .indirect(let wrapped): return value(of: wrapped, depth: depth).map { $0.wrapped("Indirect(", ")") }
        }
    }

    private func builtin(_ name: String) -> Value {
        switch name {
        case "String": Value(expression: "\"\(text)\"", text: text)
        case "JSONValue", "HTTPBody": Value(expression: "\"text\"")
        case "Bool": Value(expression: "true", text: "true")
        case "Double", "Float", "Decimal": Value(expression: "1.5", text: "1.5")
        case "Date": Value(expression: "Date(timeIntervalSince1970: 0)")
        case "Day": Value(expression: "Day(year: 2026, month: 3, day: 1)", text: "2026-03-01")
        case "Data": Value(expression: "Data(\"data\".utf8)")
        case "MediaType": Value(expression: ".octetStream")
        case "MultipartFile": Value(expression: ".data(Data(\"file\".utf8), fileName: \"file.txt\")")
        case "URL", "HTTPURL", "UUID": decoded(name)
        default: Value(expression: "1", text: "1")
        }
    }

    /// A value without a literal, read from JSON.
    private func decoded(_ name: String) -> Value {
        let uuid = "7F4C1B2A-0D3E-4A5B-8C6D-9E0F1A2B3C4D"
        let json = name == "UUID" ? uuid : "https://example.com/"
        return Value(
            expression: "\(examples).value(#\"\"\(json)\"\"#)", text: name == "UUID" ? uuid : nil, mayThrow: true)
    }

    private func value(of name: TypeName, depth: Int) -> Value? {
        switch models[name]?.kind {
        case .alias(let type): return value(of: type, depth: depth + 1)
        case .enumeration(let plan):
            return plan.cases.first.map { first in
                let isPlain = first.rawValue.utf8.allSatisfy { "-._~".utf8.contains($0) || Self.isAlphanumeric($0) }
                return Value(
                    expression: "Open(.\(SwiftLiteral.identifier(first.name)))", text: isPlain ? first.rawValue : nil)
            }
        case .structure(let plan): return structure(plan, name, depth: depth)
        case .union(let plan):
            guard let first = plan.cases.first else { return nil }
            let head = "\(name.text).\(SwiftLiteral.identifier(first.name))("
            return value(of: first.type, depth: depth + 1).map { $0.wrapped(head, ")") }
        case nil: return nil
        }
    }

    /// The initializer with the arguments that it needs.
    private func structure(_ plan: StructurePlan, _ name: TypeName, depth: Int) -> Value? {
        var items: [String] = []
        var mayThrow = false
        for property in plan.properties where property.isArgument {
            guard let value = value(of: property.type, depth: depth + 1) else { return nil }
            items.append("\(SwiftLiteral.argument(property.name)): \(value.expression)")
            mayThrow = mayThrow || value.mayThrow
        }
        return Value(expression: "\(name.text)(\(items.joined(separator: ", ")))", mayThrow: mayThrow)
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}

extension ArgumentMaker.Value {
    fileprivate func wrapped(_ head: String, _ tail: String, keepsText: Bool = false) -> ArgumentMaker.Value {
        ArgumentMaker.Value(
            expression: head + expression + tail, text: keepsText ? text : nil, mayThrow: mayThrow)
    }
}

extension PropertyPlan {
    /// Whether the initializer has no default for it.
    fileprivate var isArgument: Bool {
        if case .patch = type { return false }
        return !type.isOptional && constant == nil
    }
}
