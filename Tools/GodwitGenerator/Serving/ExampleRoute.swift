/// The examples of an API, for a server that answers like it.
public struct ExampleAPI: Sendable, Hashable {
    /// The document's title.
    public var title: String
    /// The path of the first base URL, without a slash at its end: `/v1`. Empty if it has none.
    public var basePath: String
    /// The operations, in an order in which each one is reached if the first that matches answers.
    public var routes: [ExampleRoute]
    /// The parts of the document that can't be read.
    public var notes: [Note]
    /// What the schemas of requests refer to.
    var references: SchemaReferences

    /// Why a request that a route matches isn't one that the document allows; `nil` if it is.
    ///
    /// Parameters in the path, the query and header fields are checked, and bodies of JSON and of forms. Values in styles
    /// that aren't read, and very large bodies, aren't.
    public func refusal(of request: ExampleRequest, by route: ExampleRoute) -> RequestRefusal? {
        let validator = SchemaValidator(references: references, direction: .request)
        return RequestCheck(rules: route.rules, validator: validator, request: request).refusal
    }
}

/// An operation of an API with its examples.
public struct ExampleRoute: Sendable, Hashable {
    /// The method in capitals.
    public var method: String
    /// The path, with `:name` for a parameter: `/articles/:id`.
    public var pattern: String
    /// What the last segment ends with if it has text after a parameter: `:cancel`.
    public var ending: String?
    /// Items of the query that the request must have.
    public var query: [String: String]
    /// The media type that its requests accept, if another route of the same path answers with another one.
    public var neededType: String?
    /// The responses: the default one first, then those of the same status, then those of others.
    public var replies: [ExampleReply]
    /// What its requests must be.
    var rules: RequestRules
}

/// A response with an example.
public struct ExampleReply: Sendable, Hashable {
    /// The status code of the response.
    public var status: Int
    /// The name of the example in the document; `nil` if it has none.
    public var name: String?
    /// Names and values of the fields that the document has examples of. They are not checked.
    public var fields: [Field]
    /// The media type of the body; `nil` for a response without a body.
    public var mediaType: String?
    /// The body; empty for a response without one.
    public var body: Data

    /// A name and its value: a header field, or an item of a query.
    public struct Field: Sendable, Hashable {
        /// The name of the field.
        public var name: String
        /// The value of the field.
        public var value: String

        /// Creates a field.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }
}

extension Generator {
    /// The examples of an OpenAPI document, as a server answers with them. Where the document has none, one is made that the
    /// schema accepts.
    ///
    /// - Parameters:
    ///   - document: An OpenAPI document.
    ///   - load: Reads a file that the document refers to.
    /// - Throws: `.invalid` or `.unsupported` if the document can't be read.
    public func examples(
        of document: SourceFile, load: (FileReference) throws(GenerationError) -> SourceFile
    ) throws(GenerationError) -> ExampleAPI {
        let (description, documents) = try OpenAPIReader.readWithDocuments(document, load: load)
        let plan = try Planner.plan(description, options)
        let references = SchemaReferences(
            description.operations.flatMap(\.sources), in: documents, version: try OpenAPIVersion(of: documents.root))
        let replies = ExampleReplies(plan, references)
        // A route answers with every kind of content that a request can ask for; only streams have their own.
        let routes = MockRoutePlan.all(of: plan).filter { $0.operation.variant == nil }.map { route in
            ExampleRoute(
                method: route.operation.method, pattern: route.pattern, ending: route.ending,
                query: Dictionary(route.operation.fixedQuery.map { ($0.key, $0.value) }) { first, _ in first },
                neededType: route.neededType(in: plan), replies: replies.all(of: route.operation, in: plan),
                rules: RequestRules(route.operation.source))
        }
        return ExampleAPI(
            title: plan.title, basePath: plan.environments.first?.path ?? "", routes: routes, notes: description.notes,
            references: references)
    }
}

extension Operation {
    /// The schemas of requests and responses, as the document has them.
    fileprivate var sources: [DocumentNode] {
        let contents = (body?.contents ?? []) + responses.flatMap(\.contents)
        return parameters.compactMap(\.source) + contents.flatMap { [$0.source, $0.itemSource].compactMap(\.self) }
    }
}

extension EnvironmentPlan {
    /// The path of the URL with the defaults of its variables, without a slash at its end.
    fileprivate var path: String {
        var text = url
        for variable in variables { text = text.replacing("{\(variable.key)}", with: variable.defaultValue) }
        var path = text[...]
        if let scheme = text.firstRange(of: "://") {
            path = text[scheme.upperBound...].drop { $0 != "/" }
        }
        path = path.prefix { $0 != "?" && $0 != "#" }
        while path.last == "/" { path.removeLast() }
        return path.first == "/" ? String(path) : ""
    }
}
