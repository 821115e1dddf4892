import GodwitJSON
import GodwitSupport
import GodwitWire

/// What a document requires of the requests of an operation.
struct RequestRules: Sendable, Hashable {
    let path: String
    let parameters: [Parameter]
    let body: RequestPayload?

    init(_ operation: Operation) {
        path = operation.path
        // Cookies come from other places than the document's client.
        parameters = operation.parameters.filter { $0.location != .cookie }
        body = operation.body
    }
}

/// A request as a server received it.
public struct ExampleRequest: Sendable {
    /// The path as sent, percent-encoded, below the base path.
    public var path: String
    /// The decoded items of the query.
    public var query: [ExampleReply.Field]
    /// The header fields, in order.
    public var fields: [ExampleReply.Field]
    /// The body; `nil` if the server doesn't have all of it as the client means it.
    public var body: Data?

    /// Creates a request from its parts.
    public init(path: String, query: [ExampleReply.Field], fields: [ExampleReply.Field], body: Data?) {
        self.path = path
        self.query = query
        self.fields = fields
        self.body = body
    }

    /// The values of a field, joined; `nil` without one.
    func field(_ name: String) -> String? {
        let values = fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ",")
    }
}

/// Why a server refuses a request that the document doesn't allow. Contains no values of the request.
public struct RequestRefusal: Sendable, Hashable {
    /// The status code to answer with: 400 for a body that isn't JSON, 415 for its media type, otherwise 422.
    public var status: Int
    /// The reason in one line.
    public var title: String
    /// What is wrong with the request: at most ``SchemaViolation/countLimit`` problems.
    public var problems: [Problem]

    /// A part of the request, and what is wrong with it.
    public struct Problem: Sendable, Hashable {
        /// `path`, `query`, `header` or `body`.
        public var location: String
        /// The name of a parameter; `nil` for the body.
        public var name: String?
        /// What is wrong with the part, and where in its value.
        public var violation: SchemaViolation

        /// The problem in one line, such as `body /title is required`.
        public var description: String {
            [location, name, violation.pointer.isEmpty ? nil : violation.pointer, violation.text]
                .compactMap(\.self).joined(separator: " ")
        }
    }
}

/// Checks a request against the rules of its operation.
struct RequestCheck {
    let rules: RequestRules
    let validator: SchemaValidator
    let request: ExampleRequest

    var refusal: RequestRefusal? {
        let body = bodyProblems
        if let body, body.status != 422 { return body }
        let problems = parameterProblems + (body?.problems ?? [])
        guard !problems.isEmpty else { return nil }
        return Self.refusal(422, "The request does not match the document", problems)
    }

    private static func refusal(
        _ status: Int, _ title: String, _ problems: [RequestRefusal.Problem]
    ) -> RequestRefusal {
        RequestRefusal(
            status: status, title: title, problems: Array(problems.prefix(SchemaViolation.countLimit)))
    }

    // MARK: Parameters

    private var parameterProblems: [RequestRefusal.Problem] {
        let reader = ParameterReader(validator: validator, request: request, template: rules.path)
        return rules.parameters.flatMap { parameter in
            violations(of: reader.value(of: parameter), parameter).map {
                RequestRefusal.Problem(location: parameter.location.rawValue, name: parameter.name, violation: $0)
            }
        }
    }

    private func violations(of value: ParameterReader.Value, _ parameter: Parameter) -> [SchemaViolation] {
        switch value {
        case .unknown: []
        case .missing: parameter.isRequired ? [SchemaViolation("is required")] : []
        case .invalid(let problem): [SchemaViolation(problem)]
        case .json(let value): parameter.source.map { validator.violations(of: value, $0) } ?? []
        }
    }

    // MARK: Body

    private var bodyProblems: RequestRefusal? {
        guard let payload = rules.body, let body = request.body else { return nil }
        guard !body.isEmpty else {
            return payload.isRequired ? self.body(422, "The request has no body", "is required") : nil
        }
        guard let content = content(of: payload) else {
            let known = payload.contents.map(\.mediaType).joined(separator: ", ")
            return self.body(415, "The media type of the body is not supported", "must be \(known)")
        }
        guard let schema = content.source else { return nil }
        if content.isJSON { return jsonProblems(body, schema) }
        guard content.mediaType == MediaType.form.essence else { return nil }
        let items = FormURLEncoded.decode(String(decoding: body, as: UTF8.self)).items
        let fields = items.map { ExampleReply.Field(name: $0.name, value: $0.value ?? "") }
        let reader = ParameterReader(validator: validator, request: request, template: "")
        return problems(reader.object(fields, schema, content.encodings), schema)
    }

    private func jsonProblems(_ body: Data, _ schema: DocumentNode) -> RequestRefusal? {
        do throws(JSONSyntaxError) {
            guard let value = try ExactJSON(body: body) else { return nil }
            return problems(value, schema)
        } catch {
            let place = "line \(error.line), column \(error.column)"
            return self.body(400, "The body is not valid JSON", "is not valid JSON at \(place): \(error.expectation)")
        }
    }

    private func problems(_ value: ExactJSON, _ schema: DocumentNode) -> RequestRefusal? {
        let violations = validator.violations(of: value, schema)
        guard !violations.isEmpty else { return nil }
        return Self.refusal(
            422, "The body does not match the document",
            violations.map { .init(location: "body", name: nil, violation: $0) })
    }

    private func body(_ status: Int, _ title: String, _ text: String) -> RequestRefusal {
        Self.refusal(status, title, [.init(location: "body", name: nil, violation: SchemaViolation(text))])
    }

    /// The content with the request's media type; the first one for a request that doesn't say it.
    private func content(of payload: RequestPayload) -> Content? {
        guard let text = request.field("Content-Type") else { return payload.contents.first }
        guard let type = MediaType(text) else { return nil }
        let names = [type.essence, "\(type.type)/*", "*/*"]
        return names.lazy.compactMap { name in payload.contents.first { $0.mediaType == name } }.first
    }
}
