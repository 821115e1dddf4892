extension ProblemDetails {
    /// Reads what a server says of an error; nil where nothing in it is known.
    ///
    /// - `{"type", "title", "status", "detail", "instance"}` (RFC 9457), with `code` and `errors` as extensions
    /// - `{"code", "message", "errors"}`, also with `fields`, `error_description`, or `error` or `errors` as texts
    /// - either of them under `error`
    init?(json: JSONTree) {
        let json = if case .object? = json["error"], let nested = json["error"] { nested } else { json }
        guard case .object = json else { return nil }
        self.init()
        type = json["type"]?.text
        title = json["title"]?.text
        detail =
            json["detail"]?.text ?? json["message"]?.text ?? json["error_description"]?.text
            ?? Self.unnamedErrors(json["errors"])
        instance = json["instance"]?.text
        if case .integer(let status)? = json["status"] { self.status = Int(exactly: status) }
        code = json["code"]?.scalarText ?? json["error"]?.text
        fields = Self.fieldErrors(json["errors"] ?? json["fields"] ?? json["field_errors"])
        if self == ProblemDetails() { return nil }
    }

    private static func fieldErrors(_ json: JSONTree?) -> [NetworkError.FieldError] {
        switch json {
        case .object(let members):
            members.sorted { $0.key < $1.key }.compactMap { field, messages in
                .init(field: field, anyOf: messages.messages)
            }
        case .array(let elements):
            elements.compactMap(fieldError)
        default:
            []
        }
    }

    /// Messages that name no field: `{"errors": ["title is too short"]}`.
    private static func unnamedErrors(_ json: JSONTree?) -> String? {
        guard case .array(let elements)? = json else { return nil }
        let texts = elements.compactMap(\.text)
        return texts.isEmpty ? nil : texts.joined(separator: "; ")
    }

    /// One of `{"field": "title", "message": "too short"}`; the field is also called name, path, param, source or
    /// pointer.
    private static func fieldError(_ json: JSONTree) -> NetworkError.FieldError? {
        let names = ["field", "name", "path", "param", "pointer", "loc", "property", "source"]
        let name = names.lazy.compactMap { json[$0]?.pathText }.first
        let messages = ["message", "messages", "detail", "msg", "error", "title", "code"].lazy
            .compactMap { json[$0]?.messages }.first { !$0.isEmpty }
        guard let name, let messages else { return nil }
        return .init(field: name, messages: messages)
    }
}

extension NetworkError.FieldError {
    fileprivate init?(field: String, anyOf messages: [String]) {
        guard !messages.isEmpty else { return nil }
        self.init(field: field, messages: messages)
    }
}

extension JSONTree {
    /// A text, a list of texts, or the messages in a list of objects.
    fileprivate var messages: [String] {
        switch self {
        case .string(let text): [text]
        case .array(let elements): elements.flatMap(\.messages)
        case .object(let members): (members["message"] ?? members["detail"])?.messages ?? []
        default: []
        }
    }

    fileprivate var scalarText: String? {
        switch self {
        case .string(let text): text
        case .integer(let number): String(number)
        case .unsigned(let number): String(number)
        default: nil
        }
    }

    /// A field's name: a text, a list of steps (`["body", "title"]`), or an object with a pointer.
    fileprivate var pathText: String? {
        switch self {
        case .array(let steps): steps.compactMap(\.scalarText).joined(separator: ".")
        case .object(let members): members["pointer"]?.text ?? members["parameter"]?.text
        default: scalarText
        }
    }
}
