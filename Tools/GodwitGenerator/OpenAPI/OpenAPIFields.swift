/// The fields of OpenAPI's objects (3.0 to 3.2), and what becomes of each: nothing is ignored without a note.
enum OpenAPIFields {
    /// What becomes of a field.
    enum Treatment: Sendable, Hashable {
        /// It is read, and its value with it.
        case done
        /// Words, or a limit of what is valid: it changes neither what is sent nor what is read.
        case words
        /// It is named in the notes, with the reason.
        case noted(String)
    }

    /// An object of the specification.
    enum Kind: String, Sendable, Hashable, CaseIterable {
        case document = "OpenAPI", info = "Info", server = "Server", variable = "Server Variable"
        case components = "Components", pathItem = "Path Item", operation = "Operation", parameter = "Parameter"
        case requestBody = "Request Body", mediaType = "Media Type", encoding = "Encoding", response = "Response"
        case header = "Header", example = "Example", tag = "Tag", schema = "Schema", discriminator = "Discriminator"
        case securityScheme = "Security Scheme", flow = "OAuth Flow"
    }

    /// `nil` for a field that the object doesn't have.
    static func treatment(of field: String, in kind: Kind) -> Treatment? { tables[kind]?[field] }

    private static func table(
        _ done: String, words: String = "", noted: [String: String] = [:]
    ) -> [String: Treatment] {
        var result: [String: Treatment] = noted.mapValues(Treatment.noted)
        for field in done.split(separator: " ") { result[String(field)] = .done }
        for field in words.split(separator: " ") { result[String(field)] = .words }
        return result
    }

    private static let unchecked = "it isn't checked, and doesn't change the type"

    private static let tables: [Kind: [String: Treatment]] = [
        .document: table(
            "openapi info servers paths webhooks components security tags", words: "externalDocs",
            noted: [
                "jsonSchemaDialect": "schemas are read as those of OpenAPI",
                "$self": "references are relative to the file",
            ]),
        .info: table("title summary description version", words: "termsOfService contact license"),
        .server: table("url description variables name"),
        .variable: table("enum default description"),
        .components: table(
            "schemas responses parameters examples requestBodies headers securitySchemes pathItems mediaTypes",
            words: "links callbacks"),
        .pathItem: table(
            "$ref get put post delete options head patch trace query additionalOperations servers parameters",
            words: "summary description"),
        .operation: table(
            "tags summary description operationId parameters requestBody responses callbacks deprecated security servers",
            words: "externalDocs"),
        .parameter: table(
            "name in description required deprecated allowEmptyValue style explode allowReserved schema example examples content"
        ),
        .requestBody: table("description content required"),
        .mediaType: table(
            "schema itemSchema example examples encoding",
            noted: [
                "prefixEncoding": "parts are sent by their names", "itemEncoding": "parts are sent by their names",
            ]),
        .encoding: table(
            "contentType headers style explode",
            noted: [
                "allowReserved": "reserved characters are sent percent-encoded, which a server decodes",
                "encoding": "parts of parts aren't sent", "prefixEncoding": "parts of parts aren't sent",
                "itemEncoding": "parts of parts aren't sent",
            ]),
        .response: table(
            "summary description headers content", noted: ["links": "links to other operations aren't followed"]),
        .header: table("description required deprecated style explode schema example examples content"),
        .example: table(
            "value dataValue externalValue", words: "summary description",
            noted: ["serializedValue": "examples are read as JSON"]),
        .tag: table("name description summary", words: "externalDocs parent kind"),
        .schema: table(
            """
            $ref $defs $anchor $dynamicRef $dynamicAnchor $recursiveRef $recursiveAnchor definitions type properties required
            items prefixItems additionalProperties patternProperties allOf anyOf oneOf enum const format nullable default
            title description example examples deprecated readOnly writeOnly discriminator contentEncoding contentMediaType
            contentSchema
            """.replacing("\n", with: " "),
            words: """
                $comment $schema externalDocs minLength maxLength pattern minimum maximum exclusiveMinimum exclusiveMaximum
                multipleOf minItems maxItems uniqueItems minProperties maxProperties minContains maxContains contains
                propertyNames
                """.replacing("\n", with: " "),
            noted: [
                "$id": "references are relative to the file", "$vocabulary": "schemas are read as those of OpenAPI",
                "not": "it doesn't change the type", "if": unchecked, "then": unchecked, "else": unchecked,
                "dependentSchemas": unchecked,
                "dependentRequired": unchecked, "dependencies": unchecked,
                "unevaluatedProperties": "such members are read and sent as `additionalProperties` only",
                "unevaluatedItems": "such elements have the type of `items`", "additionalItems": unchecked,
                "xml": "XML bodies are sent and read as they are",
            ]),
        .discriminator: table(
            "propertyName mapping", noted: ["defaultMapping": "a value without a known tag is `unknown`"]),
        .securityScheme: table(
            "type description name in scheme flows openIdConnectUrl", words: "bearerFormat deprecated",
            noted: ["oauth2MetadataUrl": "the URLs of the flows count"]),
        .flow: table("authorizationUrl tokenUrl deviceAuthorizationUrl scopes refreshUrl"),
    ]
}
