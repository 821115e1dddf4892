import GodwitSupport
import Testing

@testable import GodwitGenerator

@Suite("G4 Examples that are made from schemas")
struct SchemaExampleTests {
    @Test(
        "G4 an example that is made is one that the schema accepts",
        arguments: [
            #"{"type": "integer", "minimum": 18}"#, #"{"type": "integer", "maximum": -4}"#,
            #"{"type": "integer", "exclusiveMinimum": 3, "exclusiveMaximum": 5}"#,
            #"{"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 0.01}"#,
            #"{"type": "integer", "minimum": 10, "maximum": 20, "multipleOf": 7}"#,
            #"{"type": "number", "multipleOf": 0.05, "minimum": 0.21, "maximum": 0.29}"#,
            #"{"type": "integer", "format": "int64", "minimum": 9223372036854775807}"#,
            #"{"type": "string", "minLength": 30}"#, #"{"type": "string", "maxLength": 2}"#,
            #"{"type": "string", "minLength": 3, "maxLength": 3}"#, #"{"type": "string", "maxLength": 0}"#,
            #"{"type": "string", "pattern": "^[A-Z]{3}-\\d{4}$"}"#,
            #"{"type": "string", "pattern": "^(red|green)#[0-9a-f]+$", "minLength": 12}"#,
            #"{"type": "string", "pattern": "^\\+?[1-9]\\d{1,14}$", "minLength": 8}"#,
            #"{"type": "string", "pattern": "\\S"}"#, #"{"type": "string", "format": "date-time"}"#,
            #"{"type": "string", "format": "date"}"#, #"{"type": "string", "format": "uuid"}"#,
            #"{"type": "string", "format": "ipv4"}"#, #"{"type": "string", "format": "ipv6"}"#,
            #"{"type": "string", "format": "byte"}"#, #"{"type": "string", "format": "email", "minLength": 5}"#,
            #"{"type": "array", "items": {"type": "string"}, "minItems": 3, "maxItems": 4}"#,
            #"{"type": "array", "items": {"type": "string"}, "maxItems": 0}"#,
            #"{"type": "array", "items": {"type": "integer", "minimum": 5, "maximum": 9}, "minItems": 5, "uniqueItems": true}"#,
            #"{"type": "array", "items": {"enum": ["a", "b", "c"]}, "minItems": 3, "uniqueItems": true}"#,
            #"{"type": "array", "items": {"type": "string", "format": "uuid"}, "minItems": 20, "uniqueItems": true}"#,
            #"{"type": "array", "items": {"type": "string", "maxLength": 2}, "minItems": 9, "uniqueItems": true}"#,
            #"{"type": "array", "items": {"type": "string", "format": "date"}, "minItems": 3, "uniqueItems": true}"#,
            #"{"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "items": false, "minItems": 2}"#,
            #"{"type": "object", "required": ["a", "z"], "properties": {"a": {"type": "integer", "minimum": 7}}}"#,
            #"{"type": "object", "minProperties": 3, "additionalProperties": {"type": "integer"}}"#,
            #"{"type": "object", "patternProperties": {"^x-[a-z]+$": {"type": "integer"}}, "additionalProperties": false, "minProperties": 2}"#,
            #"{"type": "object", "maxProperties": 1, "properties": {"a": {}, "b": {}}}"#,
            #"{"properties": {"a": {"type": "integer", "example": 500, "maximum": 5}}, "required": ["a"]}"#,
            #"{"allOf": [{"type": "integer", "minimum": 10}, {"maximum": 11}]}"#,
            #"{"allOf": [{"properties": {"a": {"type": "integer"}}}, {"properties": {"a": {"minimum": 40}}, "required": ["a"]}]}"#,
            #"{"oneOf": [{"type": "string", "minLength": 4}, {"type": "integer"}]}"#,
            #"{"oneOf": [{"type": "number"}, {"type": "integer"}]}"#,
            #"{"type": ["null", "integer"], "minimum": 3}"#, #"{"type": "null"}"#, #"{"const": {"a": 1}}"#,
            #"{"enum": [null, "b"]}"#, #"{"type": "boolean", "enum": [false]}"#,
            #"{"type": "string", "not": {"const": "text"}, "maxLength": 3}"#, "{}", "true",
            ##"{"$ref": "#/components/schemas/Tree"}"##, ##"{"$ref": "#/components/schemas/Pet"}"##,
            ##"{"$ref": "#/components/schemas/Cat"}"##,
        ])
    func accepted(schema: String) throws {
        let document = try SchemaDocument(schema)
        let validator = document.validator(.response)
        let value = try #require(SchemaExamples(validator: validator).value(of: document.schema))
        #expect(validator.violations(of: ExactJSON(value), document.schema) == [], "\(value.json)")
        #expect(try ExactJSON(body: Data(value.json.utf8)) == ExactJSON(value))
    }

    @Test(
        "G4 a schema that accepts nothing has no example",
        arguments: [
            "false", #"{"type": "integer", "minimum": 2, "maximum": 1}"#,
            #"{"type": "array", "minItems": 1000000000, "items": {}}"#,
            #"{"type": "string", "minLength": 1e99, "maxLength": 1}"#,
            #"{"type": "array", "items": {"type": "boolean"}, "minItems": 3, "uniqueItems": true}"#,
        ])
    func impossible(schema: String) throws {
        let document = try SchemaDocument(schema)
        #expect(SchemaExamples(validator: document.validator(.response)).value(of: document.schema) == nil)
    }

    @Test("G4 a property's own example is used, and the values of a discriminator name their schema")
    func natural() throws {
        func json(_ schema: String) throws -> String? {
            let document = try SchemaDocument(schema)
            return SchemaExamples(validator: document.validator(.response)).value(of: document.schema)?.json
        }
        #expect(
            try json(
                #"{"properties": {"a": {"type": "integer", "example": 5}, "b": {"type": "string", "writeOnly": true}}}"#
            )
                == #"{"a": 5}"#)
        #expect(try json(#"{"type": "array", "items": {"type": "string"}, "minItems": 2}"#) == #"["text", "text"]"#)
        #expect(try json(##"{"$ref": "#/components/schemas/Pet"}"##) == #"{"kind": "cat", "lives": 1}"#)
    }
}
