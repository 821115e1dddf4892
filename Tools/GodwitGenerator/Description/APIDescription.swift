/// An API as read from an OpenAPI document or from samples: what generation starts from.
///
/// References are resolved, except those of ``Schema`` to ``schemas``, which become types.
struct APIDescription: Sendable, Hashable {
    var title: String
    var summary: String?
    var version: String?
    var servers: [Server] = []
    /// In document order.
    var operations: [Operation] = []
    /// The requests that the API sends to a server of its user, named by their `id`.
    var webhooks: [Operation] = []
    /// The schemas that have names, in document order.
    var schemas: [NamedSchema] = []
    var securitySchemes: [SecurityScheme] = []
    /// What operations need that don't say it themselves: any one of these.
    var security: [SecurityRequirement] = []
    /// The descriptions of tags by name.
    var tags: [String: String] = [:]
    /// Guesses and omissions of the reader.
    var notes: [Note] = []

    /// A schema that others refer to by its name.
    struct NamedSchema: Sendable, Hashable {
        var name: String
        var schema: Schema
    }
}

/// A base URL, with variables in braces.
struct Server: Sendable, Hashable {
    /// `https://{region}.example.com/v1`; may be relative to the document's URL.
    var url: String
    var summary: String?
    var variables: [Variable] = []

    struct Variable: Sendable, Hashable {
        var name: String
        var defaultValue: String
        /// The allowed values; empty for any.
        var values: [String] = []
        var summary: String?
    }
}

/// How a caller proves who it is.
struct SecurityScheme: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        /// `Authorization: Bearer`
        case bearer
        case basic
        case digest
        /// A key in a field, the query or a cookie.
        case apiKey(name: String, location: Parameter.Location)
        case oauth([OAuthFlow])
        /// The URL of the discovery document.
        case openID(String)
        /// Anything else, with its name.
        case other(String)
    }

    /// The name that requirements refer to.
    var name: String
    var kind: Kind
    var summary: String?
}

/// A flow of OAuth 2.
struct OAuthFlow: Sendable, Hashable {
    enum Kind: String, Sendable, Hashable {
        case authorizationCode, clientCredentials, password, implicit, deviceAuthorization
    }

    var kind: Kind
    var authorizationURL: String?
    var tokenURL: String?
    var refreshURL: String?
    var deviceAuthorizationURL: String?
    /// Names with their descriptions, in document order.
    var scopes: [Scope] = []

    struct Scope: Sendable, Hashable {
        var name: String
        var summary: String
    }
}

/// Schemes that are needed together. Empty if the operation can also be called without any.
struct SecurityRequirement: Sendable, Hashable {
    var schemes: [Part] = []

    struct Part: Sendable, Hashable {
        var name: String
        var scopes: [String] = []
    }
}

extension APIDescription {
    /// The first of each name.
    var schemasByName: [String: Schema] { Dictionary(schemas.map { ($0.name, $0.schema) }) { first, _ in first } }
}
