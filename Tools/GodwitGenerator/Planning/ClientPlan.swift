/// Everything that is written, in the terms of Swift. All names are final and unique.
struct ClientPlan: Sendable, Hashable {
    /// `Museum`, for `MuseumAPI` and `MuseumRepository`, and the module of a package.
    var name: String
    /// The title of the document.
    var title: String
    var summary: String?
    var version: String?
    /// In the order of their names. Nested ones follow the type around them.
    var models: [ModelPlan] = [] {
        didSet { index = ModelIndex(models) }
    }
    /// The models by name.
    private(set) var index = ModelIndex([])
    /// In document order.
    var catalogs: [CatalogPlan] = []
    /// In document order: webhooks, then callbacks.
    var webhooks: [WebhookPlan] = []
    /// The base URLs; the first one is the default. Empty if the caller must give one.
    var environments: [EnvironmentPlan] = []
    /// What operations need that don't say it themselves.
    var security: [SecurityRequirement] = []
    /// How callers prove who they are; empty if nothing is needed.
    var credentials: [CredentialPlan] = []
    var keys = KeyStyle.asWritten
    /// The types of error bodies, in the order in which they are tried.
    var failures: [FailurePlan] = []
    var notes: [Note] = []

    var operations: [OperationPlan] { catalogs.flatMap(\.operations) }

    /// How the properties of types are called in JSON.
    enum KeyStyle: Sendable, Hashable {
        /// As the coding keys say.
        case asWritten
        /// Converted from and to snake_case by the client, for all types.
        case snakeCase
    }
}

/// The operations of a tag: one file, and a part of the repository.
struct CatalogPlan: Sendable, Hashable {
    /// `Articles`, for `Endpoint+Articles.swift`.
    var name: String
    var summary: String?
    var operations: [OperationPlan]
}

/// A base URL.
struct EnvironmentPlan: Sendable, Hashable {
    /// The name in Swift: `production`.
    var name: String
    var summary: String?
    /// With variables in braces: `https://{region}.example.com/v1`.
    var url: String
    var variables: [Variable] = []

    struct Variable: Sendable, Hashable {
        /// The name in the URL.
        var key: String
        /// The name in Swift.
        var name: String
        var defaultValue: String
        var values: [String]
        var summary: String?
    }
}

/// One way to prove who a caller is.
struct CredentialPlan: Sendable, Hashable {
    /// The name in Swift: `apiKey`, `bearer`.
    var name: String
    var scheme: SecurityScheme
    /// Whether operations need it that don't say what they need.
    var isDefault: Bool
}
