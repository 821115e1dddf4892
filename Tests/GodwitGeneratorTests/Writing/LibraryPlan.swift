@testable import GodwitGenerator

/// A small plan that has one of everything, made by hand.
enum LibraryPlan {
    static let book = TypeName("Book")
    static let place = SourcePlace(file: "library.yaml", position: .init(line: 3, column: 5), pointer: "/paths/~1books")

    static var plan: ClientPlan {
        var plan = ClientPlan(name: "Library", title: "Library")
        plan.version = "1"
        plan.models = models
        plan.catalogs = [
            CatalogPlan(name: "Books", operations: [books, bookByID, create]),
            CatalogPlan(name: "Session", operations: [refresh, events]),
        ]
        plan.environments = [
            EnvironmentPlan(
                name: "production", url: "https://{region}.example.com/v1",
                variables: [
                    .init(
                        key: "region", name: "region", defaultValue: "eu", values: ["eu", "us-west"], summary: "Where")
                ])
        ]
        plan.credentials = [
            CredentialPlan(
                name: "apiKey",
                scheme: SecurityScheme(name: "api_key", kind: .apiKey(name: "X-Key", location: .header)),
                isDefault: true)
        ]
        plan.keys = .snakeCase
        plan.failures = [FailurePlan(type: TypeName("Problem"), message: ["message"])]
        return plan
    }

    static func only(_ operation: OperationPlan) -> ClientPlan {
        var plan = ClientPlan(name: "Library", title: "Library")
        plan.models = models
        plan.catalogs = [CatalogPlan(name: "Books", operations: [operation])]
        return plan
    }

    // MARK: Types

    static var models: [ModelPlan] {
        [
            ModelPlan(name: book, kind: .structure(bookStructure), direction: [.request, .response]),
            ModelPlan(name: TypeName("Genre"), kind: .enumeration(genre), direction: [.request, .response]),
            structure("Problem", [property("message", .optional(.string))]),
            structure("RefreshRequest", [property("refreshToken", .string)]),
            structure(
                "Tokens",
                [
                    property("accessToken", .string), property("refreshToken", .string),
                    property("expiresIn", .optional(.integer)),
                ]),
        ]
    }

    static func structure(_ name: String, _ properties: [PropertyPlan]) -> ModelPlan {
        ModelPlan(name: TypeName(name), kind: .structure(StructurePlan(properties: properties)), direction: .response)
    }

    static func property(_ name: String, _ type: SwiftType, key: String? = nil) -> PropertyPlan {
        PropertyPlan(name: name, key: key ?? name, type: type)
    }

    private static var bookStructure: StructurePlan {
        StructurePlan(
            properties: [
                property("id", .integer), property("title", .string), property("genre", .open(TypeName("Genre"))),
                property("published", .optional(.builtin("Day"))),
            ], identifier: .id)
    }

    private static var genre: EnumerationPlan {
        EnumerationPlan(
            base: .string, cases: [.init(name: "novel", rawValue: "novel"), .init(name: "poem", rawValue: "poem")])
    }

    // MARK: Operations

    static var books: OperationPlan {
        var plan = operation("listBooks", "GET", "/books", .json(.array(.model(book))))
        plan.summary = "All books."
        plan.parameters = [
            parameter("page", .optional(.integer), .query),
            parameter("in", .optional(.string), .query),
        ]
        plan.paging = PagingPlan(
            kind: .numbers(parameter: "page"), items: [], item: .model(book), reason: "`listBooks` has pages: `page`")
        return plan
    }

    static var bookByID: OperationPlan {
        var plan = operation("book", "GET", "/books/{id}", .json(.model(book)))
        plan.path = [.text("books/"), .parameter("id")]
        plan.parameters = [parameter("id", .integer, .path)]
        return plan
    }

    static var create: OperationPlan {
        var plan = operation("create", "POST", "/books", .none)
        plan.body = BodyPlan(kind: .json(.model(book), mediaType: "application/json"), name: "book", isRequired: true)
        return plan
    }

    static var refresh: OperationPlan {
        var plan = operation("refresh", "POST", "/session/refresh", .json(.model(TypeName("Tokens"))))
        plan.body = BodyPlan(
            kind: .json(.model(TypeName("RefreshRequest")), mediaType: "application/json"), name: "request",
            isRequired: true)
        return plan
    }

    static var events: OperationPlan {
        operation("events", "GET", "/events", .events(.model(book), marker: "[DONE]"))
    }

    static func operation(_ name: String, _ method: String, _ path: String, _ response: ResponsePlan) -> OperationPlan {
        OperationPlan(
            name: name, method: method, path: [.text(String(path.dropFirst()))], response: response,
            authentication: .inherited, source: Operation(method: method, path: path, place: place))
    }

    static func parameter(_ name: String, _ type: SwiftType, _ location: Parameter.Location) -> ParameterPlan {
        ParameterPlan(name: name, key: name, location: location, type: type, serialization: .text)
    }
}

extension LibraryPlan {
    static var options: GeneratorOptions {
        var options = GeneratorOptions()
        options.makesScreens = true
        options.command = "godwit generate --openapi library.yaml"
        return options
    }

    /// The text of a file of the plan; empty if there is no such file.
    static func text(of path: String) -> String {
        let client = ClientFiles(plan: plan, options: options)
        let dependency = PackageDependency.url("https://example.com/godwit.git", branch: "main")
        let files = client.sources + client.tests + client.manifest(dependency)
        return (files + [client.report(on: files)]).first { $0.path == path }?.text ?? ""
    }
}
