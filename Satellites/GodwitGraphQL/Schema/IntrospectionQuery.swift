/// The query for a server's schema.
enum IntrospectionQuery {
    /// The parts of the specification of 2018.
    case oldest
    /// And those of 2021.
    case newer
    /// And those of 2025.
    case newest

    private var isNew: Bool { self != .oldest }

    var operation: GraphQLOperation<GraphQLSchema> { .query(GraphQLDocument(text)) }

    /// Lists and nullability deeper than this have no name, which is an error.
    private static let depth = 9

    private var text: String {
        let deprecated = isNew ? "(includeDeprecated: true)" : ""
        return """
            query Introspection {
              __schema {
                \(isNew ? "description" : "")
                queryType { name }
                mutationType { name }
                subscriptionType { name }
                types {
                  kind name description \(isNew ? "specifiedByURL" : "") \(self == .newest ? "isOneOf" : "")
                  fields(includeDeprecated: true) {
                    name description isDeprecated deprecationReason
                    args\(deprecated) { ...Input }
                    type { ...Reference }
                  }
                  inputFields\(deprecated) { ...Input }
                  interfaces { name }
                  enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason }
                  possibleTypes { name }
                }
                directives {
                  name description \(isNew ? "isRepeatable" : "") locations
                  args\(deprecated) { ...Input }
                }
              }
            }
            fragment Input on __InputValue {
              name description defaultValue \(isNew ? "isDeprecated deprecationReason" : "")
              type { ...Reference }
            }
            fragment Reference on __Type { \(reference(Self.depth)) }
            """
    }

    private func reference(_ depth: Int) -> String {
        depth == 0 ? "kind name" : "kind name ofType { \(reference(depth - 1)) }"
    }
}
