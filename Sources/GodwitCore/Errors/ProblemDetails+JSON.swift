extension ProblemDetails {
    /// Reads what a server says about an error; `nil` if nothing in it is known.
    ///
    /// - `{"type", "title", "status", "detail", "instance"}` (RFC 9457), with `code` and `errors` as extensions
    /// - `{"code", "message", "errors"}` and what other frameworks use in their place; see ``words`` and ``Fields``
    /// - any of them under `error` or `fault`, or as the first element of an array
    /// - fields with their messages and nothing else: `{"title": ["is too short"]}` (Rails, Django)
    ///
    /// Names are compared without regard to case, `_` and `-`.
    init?(json: JSONTree) {
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

    /// Where servers put their explanation, the best first. `error` is one if it isn't a code.
    private static let words = [
        "usermessage", "errorusermsg", "detail", "message", "errordescription", "errormessage", "msg", "description",
        "reason", "faultstring", "exceptionmessage", "details",
    ]

    private static let codes = ["code", "errorcode", "__type"]

    private static func code(_ members: NamedMembers, _ errors: [JSONTree]) -> String? {
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

    private static func errorElements(_ members: NamedMembers) -> [JSONTree] {
        guard case .array(let elements)? = members["errors"] else { return [] }
        return elements
    }

    /// Messages that name no field: `{"errors": ["title is too short"]}`, `{"error": "The name is taken"}`.
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

/// The members of a JSON object, found by name without regard to case, `_` and `-`.
struct NamedMembers {
    private let members: [String: JSONTree]

    init(_ members: [String: JSONTree]) {
        // Of names that differ in case alone the one in lower case counts.
        let sorted = members.sorted { $0.key < $1.key }.filter { $0.value != .null }
        self.members = Dictionary(sorted.map { (Self.plain($0.key), $0.value) }, uniquingKeysWith: { $1 })
    }

    /// `nil` if this is not an object.
    init?(_ json: JSONTree?) {
        guard case .object(let members)? = json else { return nil }
        self.init(members)
    }

    /// - Parameter name: In lower case, without `_` and `-`.
    subscript(name: String) -> JSONTree? {
        members[name]
    }

    private static func plain(_ name: String) -> String {
        // What begins with an underscore is another name: `_errors`, `__type`.
        let start = name.prefix { $0 == "_" }
        return start + name.dropFirst(start.count).filter { $0 != "_" && $0 != "-" }.asciiLowercased
    }
}

extension JSONTree {
    /// The object that speaks of the error: under `error`, beside the members around it, or the first of an array.
    fileprivate var errorObject: JSONTree {
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
        text.flatMap { $0.contains { !$0.isWhitespace } ? $0 : nil }
    }

    var scalar: String? {
        switch self {
        case .string: line
        case .integer(let number): String(number)
        case .unsigned(let number): String(number)
        default: nil
        }
    }

    fileprivate var wholeNumber: Int? {
        if case .integer(let number) = self { Int(exactly: number) } else { line.flatMap { Int($0) } }
    }

    /// A text, or the texts of an array as one; of an object its `value` (OData).
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

    /// What an element of `errors` says that names no field.
    fileprivate var unnamedMessage: String? {
        if let text = line { return text }
        guard let members = NamedMembers(self) else { return nil }
        return ["detail", "message", "msg", "description", "reason", "title", "error"].lazy
            .compactMap { members[$0]?.line }.first
    }
}
