/// The versions of OpenAPI that are read.
enum OpenAPIVersion: Sendable {
    case v30, v31, v32

    /// The version of a document.
    ///
    /// - Throws: `.unsupported` for versions and kinds of documents that can be converted, otherwise `.invalid`.
    init(of root: DocumentNode) throws(GenerationError) {
        guard let version = root["openapi"] else { throw Self.wrongKind(root) }
        guard let text = version.text else {
            throw GenerationError(
                .invalid, "`openapi` has to be a version such as 3.1.0, but is \(version.kindName)", at: version.place)
        }
        switch text.split(separator: ".").prefix(2).joined(separator: ".") {
        case "3.0", "3": self = .v30
        case "3.1": self = .v31
        case "3.2": self = .v32
        default:
            throw GenerationError(
                .unsupported, "OpenAPI \(text.prefix(20)) is not supported; convert the document to 3.0, 3.1 or 3.2",
                at: version.place)
        }
    }

    private static func wrongKind(_ root: DocumentNode) -> GenerationError {
        if let version = root["swagger"] {
            return GenerationError(
                .unsupported,
                "Swagger \(version.text ?? version.kindName) is not supported; Swagger 2.0 and OpenAPI 3.0 to 3.2 are",
                at: version.place)
        }
        if let version = root["asyncapi"] {
            return GenerationError(
                .unsupported, "AsyncAPI is not supported; an OpenAPI document is needed", at: version.place)
        }
        return GenerationError(
            .invalid, "this is not an OpenAPI document (it has no `openapi` key); \(appearance(root))", at: root.place)
    }

    /// What another document looks like, and what to do with it.
    private static func appearance(_ root: DocumentNode) -> String {
        switch root {
        case _ where !root.isObject && root.elements.isEmpty: "it is \(root.kindName)"
        case _ where root["log"]?["entries"] != nil: "it looks like a HAR file: use `--har`"
        case _ where root["info"]?["_postman_id"] != nil || root["item"] != nil && root["info"] != nil:
            "it looks like a Postman collection: convert it to OpenAPI"
        case _ where root["__schema"] != nil || root["data"]?["__schema"] != nil:
            "it looks like a GraphQL schema: use `--graphql`"
        case _ where root["paths"] != nil: "it has paths: add `openapi: 3.1.0`, if that is what it is"
        case _ where root["$schema"] != nil || root["properties"] != nil: "it looks like a JSON Schema"
        default: "it looks like a sample of data: use `--sample`"
        }
    }
}
