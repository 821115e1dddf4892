import GodwitSupport

@testable import GodwitGenerator

/// A schema in a document with a few schemas that it can refer to.
struct SchemaDocument {
    let schema: DocumentNode
    let references: SchemaReferences

    private static let shared = """
        "Tree": {"type": "object", "required": ["name"], "properties": {
          "name": {"type": "string"}, "children": {"type": "array", "items": {"$ref": "#/components/schemas/Tree"}}}},
        "Loop": {"$ref": "#/components/schemas/Loop"},
        "Pet": {"required": ["kind"], "properties": {"kind": {"type": "string"}},
          "oneOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}],
          "discriminator": {"propertyName": "kind", "mapping": {"cat": "#/components/schemas/Cat"}}},
        "Cat": {"allOf": [{"$ref": "#/components/schemas/Pet"},
          {"type": "object", "required": ["lives"], "properties": {"lives": {"type": "integer", "maximum": 9}}}]},
        "Dog": {"type": "object", "required": ["barks"], "properties": {"barks": {"type": "boolean"}}},
        "Twice": {"oneOf": [{"$ref": "#/components/schemas/One"}, {"$ref": "#/components/schemas/Two"}]},
        "One": {"type": "array", "items": {"$ref": "#/components/schemas/Twice"}, "maxItems": 1},
        "Two": {"type": "array", "items": {"$ref": "#/components/schemas/Twice"}, "maxItems": 1}
        """

    init(_ schema: String, version: String = "3.1.0") throws {
        let text = """
            {"openapi": "\(version)", "components": {"schemas": {\(Self.shared), "Schema": \(schema)}}}
            """
        let documents = try DocumentSet(SourceFile(name: "api.json", data: Data(text.utf8))) {
            reference throws(GenerationError) in
            throw GenerationError(.file, "\(reference.name) isn't loaded")
        }
        let root = documents.root["components"]?["schemas"]?["Schema"]
        self.schema = root ?? DocumentNode(.null)
        references = SchemaReferences([self.schema], in: documents, version: try OpenAPIVersion(of: documents.root))
    }

    /// What is refused, each with its pointer.
    func problems(_ value: String, _ direction: SchemaValidator.Direction = .request) throws -> [String] {
        guard let value = try ExactJSON(body: Data(value.utf8)) else { return ["too large"] }
        return validator(direction).violations(of: value, schema).map {
            [$0.pointer, $0.text].filter { !$0.isEmpty }.joined(separator: " ")
        }
    }

    func validator(_ direction: SchemaValidator.Direction) -> SchemaValidator {
        SchemaValidator(references: references, direction: direction)
    }
}
