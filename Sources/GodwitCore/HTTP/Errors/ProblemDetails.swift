/// A parsed error response: RFC 9457 problem details, or another common format.
///
/// ```json
/// {"type": "https://example.com/locked", "title": "Locked", "status": 422, "detail": "Ann is editing it",
///  "code": "article_locked", "errors": {"title": ["is too short"]}}
/// ```
///
/// Values aren't validated; ``status`` may differ from the response's status.
public struct ProblemDetails: Sendable, Hashable, Nonisolated {
    /// A URI that identifies the problem type.
    public var type: String?

    /// A short summary of the problem type.
    public var title: String?

    /// The status code in the body.
    public var status: Int?

    /// The explanation of this occurrence, in the server's words.
    ///
    /// From `detail`, or from `message`, `error_description` and others; see ``ErrorBody/problemDetails``.
    public var detail: String?

    /// A URI that identifies this occurrence.
    public var instance: String?

    /// The application's error code, such as `article_locked`.
    ///
    /// From `code`, or from `error` if it is one word.
    public var code: String?

    /// The invalid fields and their messages.
    ///
    /// From `errors`, `fields`, `violations` and others; empty if no field is named.
    public var fields: [NetworkError.FieldError] = []

    /// Creates empty details.
    public init() {}
}

extension ProblemDetails {
    /// Parses an error body; `nil` if it contains nothing known.
    ///
    /// - `{"type", "title", "status", "detail", "instance"}` (RFC 9457), with `code` and `errors` as extensions
    /// - `{"code", "message", "errors"}` and equivalents of other frameworks; see ``words`` and ``Fields``
    /// - any of these under `error` or `fault`, or as the first element of an array
    /// - only fields with their messages: `{"title": ["is too short"]}` (Rails, Django)
    ///
    /// Names are compared ignoring case, `_` and `-`.
    init?(json: JSONValue) {
        if let text = json.line {
            self.init()
            detail = text
            return
        }
        let json = json.errorObject
        guard case .object(let all) = json else { return nil }
        self.init()
        let members = NamedMembers(all)
        let errors = Self.errorElements(members)
        type = members["type"]?.line
        instance = members["instance"]?.line
        status = members["status"]?.wholeNumber ?? members["statuscode"]?.wholeNumber
        fields = Fields(members, all).found
        detail = Self.words.lazy.compactMap { members[$0]?.sentence }.first ?? Self.unnamedErrors(members)
        title = members["title"]?.line ?? (detail == nil ? nil : members["error"]?.line.flatMap(Self.phrase))
        code = Self.code(members, errors)
        if self == ProblemDetails() { return nil }
    }

    /// Members with an explanation, the best first. `error` is one unless it is a code.
    private static let words = [
        "usermessage", "errorusermsg", "detail", "message", "errordescription", "errormessage", "msg", "description",
        "reason", "faultstring", "exceptionmessage", "details",
    ]

    private static let codes = ["code", "errorcode", "__type"]

    private static func code(_ members: NamedMembers, _ errors: [JSONValue]) -> String? {
        if let code = codes.lazy.compactMap({ members[$0]?.scalar }).first { return code }
        if let error = members["error"]?.line, !error.contains(where: \.isWhitespace) { return error }
        return errors.lazy.compactMap(NamedMembers.init(_:)).compactMap { error in
            codes.lazy.compactMap { error[$0]?.scalar }.first
                ?? NamedMembers(error["extensions"])?["code"]?.scalar
        }.first
    }

    private static func phrase(_ text: String) -> String? {
        text.contains(where: \.isWhitespace) ? text : nil
    }

    private static func errorElements(_ members: NamedMembers) -> [JSONValue] {
        guard case .array(let elements)? = members["errors"] else { return [] }
        return elements
    }

    /// Messages without a field: `{"errors": ["title is too short"]}`, `{"error": "The name is taken"}`.
    private static func unnamedErrors(_ members: NamedMembers) -> String? {
        if let text = members["error"]?.sentence.flatMap(phrase) { return text }
        switch members["errors"] {
        case .string(let text)?: return text
        case .array(let elements)?:
            let texts = elements.filter { FieldName.of($0) == nil }.compactMap(\.unnamedMessage)
            return texts.isEmpty ? nil : texts.joined(separator: "; ")
        // Phoenix: {"errors": {"detail": "Not Found"}}
        case .object(let all)?:
            let only = all.count == 1 ? NamedMembers(all) : nil
            return only.flatMap { $0["detail"]?.line ?? $0["message"]?.line }
        default: return nil
        }
    }
}

/// The members of a JSON object by name, ignoring case, `_` and `-`.
struct NamedMembers {
    private let members: [String: JSONValue]

    init(_ members: [String: JSONValue]) {
        // If names differ only in case, the lowercase one counts.
        let sorted = members.sorted { $0.key < $1.key }.filter { $0.value != .null }
        self.members = Dictionary(sorted.map { (Self.plain($0.key), $0.value) }, uniquingKeysWith: { $1 })
    }

    /// `nil` if this isn't an object.
    init?(_ json: JSONValue?) {
        guard case .object(let members)? = json else { return nil }
        self.init(members)
    }

    /// - Parameter name: In lowercase, without `_` and `-`.
    subscript(name: String) -> JSONValue? {
        members[name]
    }

    private static func plain(_ name: String) -> String {
        // A leading underscore makes a different name: `_errors`, `__type`.
        let start = name.prefix { $0 == "_" }
        return start + name.dropFirst(start.count).filter { $0 != "_" && $0 != "-" }.asciiLowercased
    }
}

extension JSONValue {
    /// The object that describes the error: under `error` merged with the members around it, or the first of an array.
    fileprivate var errorObject: JSONValue {
        switch self {
        case .array(let elements):
            if let nested = elements.first?["error"], case .object = nested { return nested }
            return .object(["errors": self])
        case .object(let members):
            for name in ["error", "Error", "fault"] {
                guard case .object(let nested)? = members[name] else { continue }
                return .object(members.merging(nested) { $1 })
            }
            return self
        default: return self
        }
    }

    /// A text that isn't blank.
    var line: String? {
        string.flatMap { $0.contains { !$0.isWhitespace } ? $0 : nil }
    }

    var scalar: String? {
        switch self {
        case .string: line
        case .integer(let number): String(number)
        default: nil
        }
    }

    fileprivate var wholeNumber: Int? {
        if case .integer(let number) = self { Int(exactly: number) } else { line.flatMap { Int($0) } }
    }

    /// A text, or the texts of an array joined; of an object, its `value` (OData).
    fileprivate var sentence: String? {
        switch self {
        case .string: return line
        case .array(let elements):
            let texts = elements.compactMap(\.line)
            return texts.isEmpty ? nil : texts.joined(separator: "; ")
        case .object(let members): return members["value"]?.line
        default: return nil
        }
    }

    /// The message of an element of `errors` without a field.
    fileprivate var unnamedMessage: String? {
        if let text = line { return text }
        guard let members = NamedMembers(self) else { return nil }
        return ["detail", "message", "msg", "description", "reason", "title", "error"].lazy
            .compactMap { members[$0]?.line }.first
    }
}

extension ProblemDetails {
    /// Finds invalid fields and their messages, in common formats.
    ///
    /// - `{"errors": {"title": ["is too short"]}}`, also with a text or objects with a `message` as values
    /// - `{"errors": [{"field": "title", "message": "is too short"}]}`; the field may also be called name, path, param,
    ///   pointer, loc, property, source or target
    /// - `fields`, `violations`, `issues`, `invalid-params` and others instead of `errors`
    /// - `{"detail": [{"loc": ["body", "title"], "msg": "is too short"}]}` (FastAPI)
    /// - only `{"title": ["is too short"]}` (Rails, Django)
    struct Fields {
        private(set) var found: [NetworkError.FieldError] = []

        private static let containers = [
            "errors", "fields", "fielderrors", "validationerrors", "invalidparams", "violations", "fieldviolations",
            "issues", "detail", "details", "message",
        ]
        /// Names that mean the whole request, in an object of only texts in arrays.
        private static let wholes: Set = ["errors", "error", "detail", "details", "message", "messages"]
        /// Maximum fields of one body, and their maximum nesting.
        private static let limit = 100
        private static let deepest = 4

        init(_ members: NamedMembers, _ all: [String: JSONValue]) {
            for name in Self.containers where found.isEmpty {
                if let json = members[name] { add(json) }
            }
            // JSend: {"status": "fail", "data": {"title": "is required"}}
            if found.isEmpty, members["status"]?.line == "fail", let data = members["data"] { add(data) }
            for case .object(let plain)? in [.object(all), members["error"]] where found.isEmpty {
                if plain.allSatisfy({ $1.isTexts && !Self.wholes.contains($0) }) { add(.object(plain)) }
            }
        }

        private mutating func add(_ json: JSONValue) {
            switch json {
            case .object(let members):
                // OData: {"message": {"lang": "en", "value": "The name is taken"}}
                if members["lang"] != nil, members["value"] != nil { return }
                let isWhole = members.count == 1 && members.allSatisfy { Self.wholes.contains($0) && $1.line != nil }
                if !isWhole { add(members, below: "", depth: 1) }
            case .array(let elements):
                for element in elements.prefix(Self.limit) { add(element: element) }
            default: break
            }
        }

        private mutating func add(_ members: [String: JSONValue], below path: String, depth: Int) {
            for (name, json) in members.sorted(by: { $0.key < $1.key }) where found.count < Self.limit {
                let place = name == "_errors" ? path : path.isEmpty ? name : "\(path).\(name)"
                let messages = json.messages
                if !messages.isEmpty, !place.isEmpty {
                    found.append(.init(field: place, messages: messages))
                } else if case .object(let nested) = json, depth < Self.deepest {
                    add(nested, below: place, depth: depth + 1)
                }
            }
        }

        private mutating func add(element: JSONValue) {
            guard let members = NamedMembers(element) else { return }
            if let name = FieldName.of(element) {
                let messages = FieldName.messages.lazy.compactMap { members[$0]?.messages }.first { !$0.isEmpty }
                if let messages { found.append(.init(field: name, messages: messages)) }
            } else if case .array(let nested)? = members["fieldviolations"] {
                // Google: {"details": [{"@type": …, "fieldViolations": […]}]}
                for element in nested.prefix(Self.limit) where FieldName.of(element) != nil { add(element: element) }
            }
        }
    }
}

/// How elements of an error list name the field.
enum FieldName {
    fileprivate static let messages = [
        "message", "messages", "defaultmessage", "detail", "msg", "description", "reason", "error", "title", "code",
    ]
    private static let names = [
        "field", "name", "path", "propertypath", "param", "pointer", "loc", "property", "source", "target",
    ]
    /// Path prefixes for parts of the request (FastAPI).
    private static let parts: Set = ["body", "query", "path", "header", "cookie"]

    /// The field of an element; `nil` if it names none.
    static func of(_ element: JSONValue) -> String? {
        guard let members = NamedMembers(element) else { return nil }
        // GraphQL's `path` is in the response, not in the request.
        if members["locations"] != nil || members["extensions"] != nil { return nil }
        return names.lazy.compactMap { members[$0].flatMap(path) }.first
    }

    /// A name, a list of path components (`["body", "title"]`), a JSON pointer, or an object with one.
    private static func path(_ json: JSONValue) -> String? {
        switch json {
        case .array(let steps):
            let names = steps.compactMap(\.scalar)
            let isPart = names.count > 1 && names.first.map(parts.contains) == true
            return names.isEmpty ? nil : names.dropFirst(isPart ? 1 : 0).joined(separator: ".")
        case .object(let members):
            return (members["pointer"]?.line ?? members["parameter"]?.line).map(pointed)
        default:
            return json.scalar.map(pointed)
        }
    }

    /// `#/profile/color` and `/data/attributes/title` as `profile.color` and `title` (RFC 6901, JSON:API).
    private static func pointed(_ text: String) -> String {
        guard text.hasPrefix("/") || text.hasPrefix("#/") else { return text }
        var steps = text.split(separator: "/").drop { $0 == "#" }
        if steps.count > 2, steps.starts(with: ["data", "attributes"]) { steps = steps.dropFirst(2) }
        let path = steps.map { $0.replacing("~1", with: "/").replacing("~0", with: "~") }.joined(separator: ".")
        return path.isEmpty ? text : path
    }
}

extension JSONValue {
    /// Whether this is an array of texts, with at least one.
    fileprivate var isTexts: Bool {
        guard case .array(let elements) = self, !elements.isEmpty else { return false }
        return elements.allSatisfy { $0.line != nil }
    }

    /// A text, a list of texts, or the messages of a list of objects.
    fileprivate var messages: [String] {
        switch self {
        case .string: line.map { [$0] } ?? []
        case .array(let elements): elements.flatMap(\.messages)
        case .object(let members):
            (members["message"] ?? members["detail"] ?? members["msg"] ?? members["_errors"])?.messages ?? []
        default: []
        }
    }
}
