/// The argument for the body of an endpoint: on the line of its call, or on lines of its own.
struct BodyText {
    private enum Shape {
        case none
        case expression(String)
        /// The entries of a dictionary.
        case form([String])
        /// The statements that add the parts.
        case multipart([String])
    }

    private let shape: Shape

    init(_ body: BodyPlan?) {
        guard let body else {
            shape = .none
            return
        }
        switch body.kind {
        case .form(let fields): shape = .form(fields.map(Self.entry))
        case .multipart(let fields): shape = .multipart(fields.map(Self.part))
        case .json: shape = Self.expression(body) { ".json(\($0))" }
        case .lines: shape = Self.expression(body) { ".jsonLines(\($0))" }
        case .text: shape = Self.expression(body) { ".text(\($0))" }
        case .stream:
            let type = body.typeName.map { ", type: \(SwiftLiteral.identifier($0))" } ?? ""
            shape = Self.expression(body) { ".stream(\($0)\(type))" }
        }
    }

    private static func expression(_ body: BodyPlan, _ make: (String) -> String) -> Shape {
        let name = SwiftLiteral.identifier(body.name)
        return .expression(body.isRequired ? make(name) : "\(name).map { \(make("$0")) }")
    }

    var isEmpty: Bool { if case .none = shape { true } else { false } }

    /// The argument on one line; empty without a body, `nil` if it needs several.
    var inline: String? {
        switch shape {
        case .none: ""
        case .expression(let text): "body: \(text)"
        case .form(let entries): "body: .form([\(entries.isEmpty ? ":" : entries.joined(separator: ", "))])"
        case .multipart(let parts): parts.count > 1 ? nil : "body: .multipart { \(parts.joined()) }"
        }
    }

    /// Adds the argument on lines of its own.
    func write(endingWith tail: String, to text: inout SourceText) {
        switch shape {
        case .none: return
        case .expression(let expression): text.line("body: \(expression)\(tail)")
        case .form(let entries):
            text.array("body: .form([", entries.isEmpty ? [":"] : entries, "])\(tail)")
        case .multipart(let parts):
            text.line("body: .multipart {")
            text.indented { text in parts.forEach { text.line($0) } }
            text.line("}\(tail)")
        }
    }

    private static func entry(_ field: FieldPlan) -> String { "\(SwiftLiteral.string(field.key)): \(value(of: field))" }

    private static func part(_ field: FieldPlan) -> String {
        let key = SwiftLiteral.string(field.key)
        switch field.kind {
        case .value, .json: return "$0.field(\(key), \(value(of: field)))"
        case .file, .files:
            return "MultipartFile.add(\(SwiftLiteral.identifier(field.name)), named: \(key), to: &$0)"
        }
    }

    private static func value(of field: FieldPlan) -> String {
        let name = SwiftLiteral.identifier(field.name)
        return field.kind == .json ? "JSONText.plain(\(name))" : name
    }
}
