import GodwitGenerator
import Testing

@Suite("G2 Documents of Swagger 2.0")
struct SwaggerConversionTests {
    private static let swagger = """
        swagger: "2.0"
        info: {title: Harbor, version: "1"}
        host: harbor.example.com
        basePath: /v1/
        schemes: [http, https]
        produces: [application/json]
        tags: [{name: boats, description: All boats}]
        securityDefinitions:
          key: {type: apiKey, in: header, name: X-Key}
          plain: {type: basic}
          login: {type: oauth2, flow: accessCode, authorizationUrl: "https://h.example.com/a", tokenUrl: "https://h.example.com/t", scopes: {read: R}}
        security: [{key: []}]
        parameters:
          Limit: {name: limit, in: query, description: How many., type: integer, default: 10}
          Boat: {name: boat, in: body, required: true, schema: {$ref: '#/definitions/Boat'}}
          Name: {name: name, in: formData, type: string, required: true}
        responses:
          Missing: {description: M, schema: {$ref: '#/definitions/Fault'}}
        paths:
          /boats/{id}:
            parameters:
              - {name: id, in: path, required: true, type: string, format: uuid}
              - {$ref: '#/parameters/Limit'}
            get:
              operationId: getBoat
              tags: [boats]
              parameters:
                - {name: tags, in: query, type: array, items: {type: string}}
                - {name: kinds, in: query, type: array, items: {type: string, enum: [sail, motor]}, collectionFormat: multi}
                - {name: words, in: query, type: array, items: {type: string}, collectionFormat: ssv}
                - {name: X-Trace, in: header, type: array, items: {type: integer}}
              responses:
                200:
                  description: B
                  schema: {$ref: '#/definitions/Boat'}
                  headers: {X-Left: {type: integer, description: L}}
                  examples: {application/json: {id: "1", name: Ada, kind: sail}}
                404: {$ref: '#/responses/Missing'}
            put: {operationId: putBoat, parameters: [{$ref: '#/parameters/Boat'}], responses: {204: {description: D}}}
            post:
              operationId: sendPhoto
              consumes: [multipart/form-data]
              parameters:
                - {$ref: '#/parameters/Name'}
                - {name: photo, in: formData, description: JPEG., type: file}
                - {name: tags, in: formData, type: array, items: {type: string}, collectionFormat: pipes}
              responses: {200: {description: P, schema: {type: file}}}
          /login:
            parameters: [{$ref: '#/parameters/Name'}, {name: code, in: formData, type: integer}]
            post: {operationId: login, security: [], responses: {200: {description: T, schema: {type: object, properties: {token: {type: string}}}}}}
          /report:
            get: {operationId: report, produces: [text/csv], responses: {200: {description: R, schema: {type: string}}}}
            patch: {operationId: note, consumes: [text/plain], parameters: [{name: b, in: body, schema: {type: string}}], responses: {204: {description: D}}}
        definitions:
          Boat:
            type: object
            required: [id, name, kind]
            properties:
              id: {type: string}
              name: {type: string}
              note: {type: string, x-nullable: true}
              type: {type: string}
              kind: {type: string, enum: [sail, motor]}
              owner: {$ref: '#/definitions/Owner'}
              parts: {type: array, items: {$ref: '#/definitions/Owner'}}
          Owner: {type: object, properties: {name: {type: string}}, additionalProperties: {$ref: '#/definitions/Fault'}}
          Fault: {type: object, required: [message], properties: {message: {type: string}}}

        """

    /// What a person would write instead.
    private static let openAPI = """
        openapi: 3.0.3
        info: {title: Harbor, version: "1"}
        tags: [{name: boats, description: All boats}]
        security: [{key: []}]
        servers: [{url: "https://harbor.example.com/v1"}, {url: "http://harbor.example.com/v1"}]
        paths:
          /boats/{id}:
            parameters:
              - {name: id, in: path, required: true, schema: {type: string, format: uuid}}
              - {$ref: '#/components/parameters/Limit'}
            get:
              operationId: getBoat
              tags: [boats]
              parameters:
                - {name: tags, in: query, explode: false, schema: {type: array, items: {type: string}}}
                - {name: kinds, in: query, explode: true, schema: {type: array, items: {type: string, enum: [sail, motor]}}}
                - {name: words, in: query, style: spaceDelimited, explode: false, schema: {type: array, items: {type: string}}}
                - {name: X-Trace, in: header, schema: {type: array, items: {type: integer}}}
              responses:
                200:
                  description: B
                  headers: {X-Left: {description: L, schema: {type: integer}}}
                  content: {application/json: {schema: {$ref: '#/components/schemas/Boat'}, example: {id: "1", name: Ada, kind: sail}}}
                404: {$ref: '#/components/responses/Missing'}
            put: {operationId: putBoat, requestBody: {$ref: '#/components/requestBodies/Boat'}, responses: {204: {description: D}}}
            post:
              operationId: sendPhoto
              requestBody:
                required: true
                content:
                  multipart/form-data:
                    schema:
                      type: object
                      required: [name]
                      properties:
                        name: {type: string}
                        photo: {type: string, format: binary, description: JPEG.}
                        tags: {type: array, items: {type: string}}
                    encoding: {tags: {style: pipeDelimited, explode: false}}
              responses: {200: {description: P, content: {application/octet-stream: {schema: {type: string, format: binary}}}}}
          /login:
            post:
              operationId: login
              security: []
              requestBody: {required: true, content: {application/x-www-form-urlencoded: {schema: {type: object, required: [name], properties: {name: {type: string}, code: {type: integer}}}}}}
              responses: {200: {description: T, content: {application/json: {schema: {type: object, properties: {token: {type: string}}}}}}}
          /report:
            get: {operationId: report, responses: {200: {description: R, content: {text/csv: {schema: {type: string}}}}}}
            patch: {operationId: note, requestBody: {content: {text/plain: {schema: {type: string}}}}, responses: {204: {description: D}}}
        components:
          parameters:
            Limit: {name: limit, in: query, description: How many., schema: {type: integer, default: 10}}
          requestBodies:
            Boat: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Boat'}}}}
          responses:
            Missing: {description: M, content: {application/json: {schema: {$ref: '#/components/schemas/Fault'}}}}
          securitySchemes:
            key: {type: apiKey, in: header, name: X-Key}
            plain: {type: http, scheme: basic}
            login: {type: oauth2, flows: {authorizationCode: {authorizationUrl: "https://h.example.com/a", tokenUrl: "https://h.example.com/t", scopes: {read: R}}}}
          schemas:
            Boat:
              type: object
              required: [id, name, kind]
              properties:
                id: {type: string}
                name: {type: string}
                note: {type: string, nullable: true}
                type: {type: string}
                kind: {type: string, enum: [sail, motor]}
                owner: {$ref: '#/components/schemas/Owner'}
                parts: {type: array, items: {$ref: '#/components/schemas/Owner'}}
            Owner: {type: object, properties: {name: {type: string}}, additionalProperties: {$ref: '#/components/schemas/Fault'}}
            Fault: {type: object, required: [message], properties: {message: {type: string}}}

        """

    private func generation(_ text: String, files: [String: String] = [:]) throws -> Generation {
        try Generator(GeneratorOptions()).generate(
            from: .openAPI(SourceFile(name: "api.yaml", data: Data(text.utf8)))
        ) { (reference) throws(GenerationError) in
            guard let text = files[reference.name] else { throw GenerationError(.file, "no such file") }
            return SourceFile(name: reference.name, data: Data(text.utf8))
        }
    }

    @Test("G2 a document of Swagger 2.0 gives the client that the same document in OpenAPI 3 gives")
    func equal() throws {
        let (converted, written) = (try generation(Self.swagger), try generation(Self.openAPI))
        #expect(converted.files.map(\.path) == written.files.map(\.path))
        for (file, same) in zip(converted.files, written.files) { #expect(file == same) }
        #expect(converted.notes.map(\.text) == written.notes.map(\.text))
    }

    @Test("G2 files that a document refers to are converted with it, and notes have the places of the original")
    func references() throws {
        let root = """
            swagger: "2.0"
            info: {title: Harbor}
            paths:
              /a: {get: {operationId: a, parameters: [{$ref: 'other.yaml#/parameters/Limit'}], responses: {200: {description: D, schema: {$ref: 'other.yaml#/definitions/Boat'}}}}}
              /b: {put: {operationId: b, parameters: [{$ref: 'other.yaml#/parameters/Body'}], responses: {200: {description: D, schema: {$ref: part.yaml}}}}}
              /c: {get: {operationId: c, parameters: [{name: t, in: query, type: array, items: {type: string}, collectionFormat: tsv}], responses: {204: {description: D}}}}
            """
        let other = """
            swagger: "2.0"
            parameters: {Limit: {name: limit, in: query, type: integer}, Body: {name: b, in: body, schema: {$ref: '#/definitions/Boat'}}}
            definitions: {Boat: {type: object, properties: {name: {type: string}}}}
            """
        let part =
            "type: object\nproperties: {boat: {$ref: 'other.yaml#/definitions/Boat'}, list: {type: array, items: {type: integer}}}\n"
        let generation = try generation(root, files: ["other.yaml": other, "part.yaml": part])
        let text = generation.files.map(\.text).joined()
        #expect(text.contains("func a(limit: Int? = nil) -> Endpoint<Boat>"))
        #expect(text.contains("func b(_ boat: Boat? = nil) -> Endpoint<"), "\(text)")
        #expect(text.contains("var boat: Boat?") && text.contains("var list: [Int]?"))
        let notes = generation.notes.map { "\($0.place?.position.map { "\($0.line)" } ?? "-") \($0.text)" }
        #expect(notes.contains("6 the style `tsv` is unknown; that of the location is used"), "\(notes)")
        #expect(throws: GenerationError.self) { try self.generation("swagger: '2.0'\n") }
    }
}
