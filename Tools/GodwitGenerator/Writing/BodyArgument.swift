/// The argument for the body of an endpoint: on the line of its call, or on lines of its own.
struct BodyArgument {
    private enum Shape {
        case none
        case expression(String)
        /// The entries of a dictionary, and further items.
        case form([String], [String])
        /// The statements that add the parts.
        case multipart([String])
    }

    private let shape: Shape
    /// What makes a form or a multipart body: nothing is sent for one that can be left out and has no field.
    private let factory: String

    /// - Parameter coding: The last argument of calls that write JSON, with a comma before it; empty for the usual coding.
    init(_ body: BodyPlan?, coding: String = "") {
        guard let body else {
            shape = .none
            factory = ""
            return
        }
        factory = body.factory
        switch body.kind {
        case .form(let fields):
            shape = .form(
                fields.filter { !$0.kind.isItems }.map { Self.entry($0, coding) },
                fields.filter(\.kind.isItems).map { Self.items($0, coding) })
        case .multipart(let fields): shape = .multipart(fields.flatMap { Self.statements($0, coding) })
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
        case .form(let entries, let items):
            "body: .\(factory)(\(Self.joined(["[\(entries.isEmpty ? ":" : entries.joined(separator: ", "))]"] + items)))"
        case .multipart(let parts): parts.count > 1 ? nil : "body: .\(factory) { \(parts.joined()) }"
        }
    }

    /// Adds the argument on lines of its own.
    func write(endingWith tail: String, to text: inout SourceText) {
        switch shape {
        case .none: return
        case .expression(let expression): text.line("body: \(expression)\(tail)")
        case .form(let entries, let items):
            guard !items.isEmpty else {
                return text.array("body: .\(factory)([", entries.isEmpty ? [":"] : entries, "])\(tail)")
            }
            text.line("body: .\(factory)(")
            text.indented { text in
                text.line("StyledText.items(")
                text.indented { text in
                    text.array("[", entries.isEmpty ? [":"] : entries, "],")
                    for item in items.dropLast() { text.line(item + ",") }
                    text.line((items.last ?? "") + "))" + tail)
                }
            }
        case .multipart(let parts):
            text.line("body: .\(factory) {")
            text.indented { text in parts.forEach { text.line($0) } }
            text.line("}\(tail)")
        }
    }

    /// Lists of items as one, as an expression of type `QueryItems`.
    static func joined(_ lists: [String]) -> String {
        let all = lists.joined(separator: ", ")
        return lists.count == 1 ? all : "StyledText.items(\(all))"
    }

    private static func entry(_ field: FieldPlan, _ coding: String) -> String {
        "\(SwiftLiteral.string(field.key)): \(value(of: field, coding))"
    }

    private static func items(_ field: FieldPlan, _ coding: String) -> String {
        let method = field.kind == .deep ? "deep" : "members"
        return
            "StyledText.\(method)(\(SwiftLiteral.string(field.key)), \(SwiftLiteral.identifier(field.name))\(coding))"
    }

    /// What adds a part, and its header fields.
    private static func statements(_ field: FieldPlan, _ coding: String) -> [String] {
        let key = SwiftLiteral.string(field.key)
        return [part(field, coding)]
            + field.headers.map { "$0.header(\(SwiftLiteral.string($0.key)), \($0.headerValue(coding)), of: \(key))" }
    }

    private static func part(_ field: FieldPlan, _ coding: String) -> String {
        let key = SwiftLiteral.string(field.key)
        let name = SwiftLiteral.identifier(field.name)
        let type = field.mediaType.map { ", type: \(SwiftLiteral.string($0))" } ?? ""
        switch field.kind {
        case .value, .joined, .flat, .jsonText: return "$0.field(\(key), \(value(of: field, coding)))"
        case .deep, .members: return "TypedPart.add(\(items(field, coding)), to: &$0)"
        case .text: return "TypedPart.add(\(name), named: \(key)\(type), to: &$0\(coding))"
        case .json: return "TypedPart.add(json: \(name), named: \(key)\(type), to: &$0\(coding))"
        case .jsonParts: return "TypedPart.add(each: \(name), named: \(key)\(type), to: &$0\(coding))"
        case .file, .files: return "MultipartFile.add(\(name), named: \(key)\(type), to: &$0)"
        }
    }

    private static func value(of field: FieldPlan, _ coding: String) -> String {
        let name = SwiftLiteral.identifier(field.name)
        let chain = field.type.isOptional ? "?" : ""
        switch field.kind {
        case .json: return "JSONText.plain(\(name)\(coding))"
        case .jsonText: return "JSONText.of(\(name)\(coding))"
        case .flat(let separator):
            let by = separator == "," ? "" : ", by: \(SwiftLiteral.string(separator))"
            return "StyledText.of(\(name)\(by)\(coding))"
        case .joined(let separator): return "\(name)\(chain).joinedText(by: \(SwiftLiteral.string(separator)))"
        default: return name
        }
    }
}
