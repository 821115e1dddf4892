@testable import GodwitGenerator

extension Schema {
    static let text = Schema(.string(format: nil))
    static let integer = Schema(.integer(format: nil))

    static func reference(_ name: String) -> Schema { Schema(.reference(name)) }
    static func array(_ element: Schema) -> Schema { Schema(.array(element)) }
    static func choice(_ values: String...) -> Schema { Schema(.enumeration(Enumeration(values: .strings(values)))) }

    static func object(_ properties: Property..., additional: Schema? = nil) -> Schema {
        Schema(.object(Object(properties: properties, additional: additional)))
    }

    static func union(_ members: Schema..., by discriminator: Discriminator? = nil) -> Schema {
        Schema(.union(Union(members: members, discriminator: discriminator)))
    }

    var nullable: Schema {
        var copy = self
        copy.isNullable = true
        return copy
    }
}

extension Schema.Property {
    static func required(_ name: String, _ schema: Schema) -> Schema.Property {
        Schema.Property(name: name, schema: schema, isRequired: true)
    }

    static func optional(_ name: String, _ schema: Schema) -> Schema.Property {
        Schema.Property(name: name, schema: schema, isRequired: false)
    }
}

extension APIDescription {
    /// An API that has `GET /things` for each schema, so that all are used in responses.
    static func of(_ schemas: (name: String, schema: Schema)..., operations: [GodwitGenerator.Operation]? = nil) -> Self
    {
        var description = APIDescription(title: "Sample API")
        description.schemas = schemas.map { NamedSchema(name: $0.name, schema: $0.schema) }
        description.operations =
            operations
            ?? schemas.map { .init("GET", "/\($0.name.lowercased())", returning: .reference($0.name)) }
        return description
    }

    /// The text of the generated file at a path; empty if there is none.
    func text(of path: String, _ change: (inout GeneratorOptions) -> Void = { _ in }) throws -> String {
        var options = GeneratorOptions()
        options.layout = .folder
        change(&options)
        let files = try Generator(options).generation(of: self).files
        return files.first { $0.path.hasSuffix(path) }?.text ?? "no \(path) in \(files.map(\.path))"
    }
}

extension GodwitGenerator.Operation {
    init(_ method: String, _ path: String, sending: Schema? = nil, returning: Schema? = nil) {
        self.init(method: method, path: path, place: SourcePlace(file: "api.yaml"))
        body = sending.map { RequestPayload(isRequired: true, contents: [.json($0)]) }
        responses = [ResponseDescription(status: .code(200), contents: returning.map { [.json($0)] } ?? [])]
    }
}

extension Content {
    static func json(_ schema: Schema) -> Content { Content(mediaType: "application/json", schema: schema) }
}
