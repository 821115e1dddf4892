@testable import GodwitGenerator
import Testing

@Suite("G2 The specification's tables of fields")
struct FieldTableTests {
    /// The fields of OpenAPI 3.0.4, 3.1.1 and 3.2.0, and the keywords of JSON Schema 2020-12, by object.
    static let specification: [(object: String, fields: String)] = [
        (
            "OpenAPI",
            "openapi $self info jsonSchemaDialect servers paths webhooks components security tags externalDocs"
        ),
        ("Info", "title summary description termsOfService contact license version"),
        ("Server", "url description name variables"),
        ("Server Variable", "enum default description"),
        (
            "Components",
            "schemas responses parameters examples requestBodies headers securitySchemes links callbacks pathItems mediaTypes"
        ),
        (
            "Path Item",
            """
            $ref summary description get put post delete options head patch trace query additionalOperations servers parameters
            """
        ),
        (
            "Operation",
            """
            tags summary description externalDocs operationId parameters requestBody responses callbacks deprecated security servers
            """
        ),
        (
            "Parameter",
            """
            name in description required deprecated allowEmptyValue style explode allowReserved schema example examples content
            """
        ),
        ("Request Body", "description content required"),
        ("Media Type", "schema itemSchema example examples encoding prefixEncoding itemEncoding"),
        ("Encoding", "contentType headers style explode allowReserved encoding prefixEncoding itemEncoding"),
        ("Response", "summary description headers content links"),
        ("Header", "description required deprecated style explode schema example examples content"),
        ("Example", "summary description value externalValue dataValue serializedValue"),
        ("Tag", "name summary description externalDocs parent kind"),
        (
            "Schema",
            """
            nullable discriminator readOnly writeOnly xml externalDocs example deprecated title multipleOf maximum
            exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems uniqueItems maxProperties
            minProperties required enum type allOf oneOf anyOf not items properties additionalProperties description format
            default $id $schema $ref $anchor $dynamicRef $dynamicAnchor $vocabulary $comment $defs prefixItems contains
            patternProperties propertyNames if then else dependentSchemas unevaluatedItems unevaluatedProperties const
            maxContains minContains dependentRequired contentEncoding contentMediaType contentSchema examples
            """
        ),
        ("Discriminator", "propertyName mapping defaultMapping"),
        (
            "Security Scheme",
            "type description name in scheme bearerFormat flows openIdConnectUrl deprecated oauth2MetadataUrl"
        ),
        ("OAuth Flow", "authorizationUrl deviceAuthorizationUrl tokenUrl refreshUrl scopes"),
    ]

    @Test(
        "G2 every field of the specification is read, words, or named in the notes with its place",
        arguments: specification)
    func fields(object: String, fields: String) throws {
        let kind = try #require(OpenAPIFields.Kind(rawValue: object))
        for field in fields.split(whereSeparator: \.isWhitespace).map(String.init) {
            let treatment = try #require(OpenAPIFields.treatment(of: field, in: kind), "\(object): \(field)")
            let place = SourcePlace(file: "api.yaml", pointer: "/x/" + field)
            let member = DocumentNode.Member(key: field, value: DocumentNode(value: .bool(true), place: place))
            let notes = FieldWalk.notes(on: DocumentNode(value: .object([member]), place: place), kind)
            if case .noted = treatment {
                #expect(notes.count == 1 && notes[0].text.contains("`\(field)`") && notes[0].place == place)
            } else {
                #expect(notes.isEmpty)
            }
        }
    }

    @Test("G2 the list has all objects")
    func objects() {
        #expect(Set(Self.specification.map(\.object)) == Set(OpenAPIFields.Kind.allCases.map(\.rawValue)))
    }

    @Test("G2 fields of files that are only parts are told where the parts are used, once")
    func parts() throws {
        let text = """
            openapi: 3.1.0
            info: {title: T}
            paths:
              /a: {$ref: 'paths.yaml#/a'}
              /b: {post: {parameters: [{$ref: 'parts.yaml#/Limit'}], requestBody: {$ref: 'parts.yaml#/Body'}, responses: {200: {$ref: 'parts.yaml#/One'}}}}
            """
        let files = [
            "paths.yaml": "a: {get: {colour: red, responses: {200: {$ref: 'parts.yaml#/One'}}}}",
            "parts.yaml": """
            Limit: {name: limit, in: query, sise: 1, schema: {type: integer}}
            Body: {content: {application/json: {schema: {$ref: 'schemas/pet.yaml'}}}, need: true}
            One: {description: One, hedders: {}, content: {application/json: {schema: {$ref: 'schemas/pet.yaml'}}}}
            """,
            "schemas/pet.yaml":
                "{type: object, properties: {a: {type: string, not: {}}, b: {$ref: '#/x-b'}}, x-b: {nulable: true}}",
        ]
        let notes = try api(text, files: files).notes
        let words = ["colour", "sise", "need", "hedders", "not", "nulable"]
        #expect(Set(notes.map(\.text)).count == notes.count && notes.count == words.count, "\(notes)")
        for word in words { #expect(notes.contains { $0.text.hasPrefix("`\(word)`") && $0.place != nil }, "\(word)") }
    }

    @Test("G2 a field that the specification doesn't have is named with its place, wherever it is; extensions are not")
    func unknown() throws {
        let api = try api(
            """
            openapi: 3.1.0
            info: {title: T, x-logo: {}}
            paths:
              /a:
                x-rate: 1
                get:
                  colour: red
                  parameters: [{name: a, in: query, schema: {type: array, items: {type: string, nulable: true}}}]
                  responses: {200: {description: One, content: {application/json: {schema: {type: string, not: {}}}}}}
            components: {schemas: {colour: {type: string}}}
            """)
        #expect(
            api.noteTexts == [
                "7:15 (#/paths/~1a/get/colour): `colour` is ignored: OpenAPI's Operation object has no such field",
                "8:94 (#/paths/~1a/get/parameters/0/schema/items/nulable): `nulable` is ignored: OpenAPI's Schema object has no such field",
                "9:100 (#/paths/~1a/get/responses/200/content/application~1json/schema/not): `not` is left out: it doesn't change the type",
            ])
    }
}
