import GodwitWire

/// A path of OpenAPI has no query. Documents write one all the same, to tell operations apart: `/responses?beta=true`,
/// `/articles#drafts`.
extension Operation {
    /// An item of a query that is written in the path.
    struct PathItem: Sendable, Hashable {
        var key: String
        /// With braces for a parameter: `{id}`.
        var value: String

        /// The name of the parameter that gives the value.
        var parameter: String? {
            value.hasPrefix("{") && value.hasSuffix("}") ? String(value.dropFirst().dropLast()) : nil
        }
    }

    /// The path without a query and a fragment.
    var plainPath: Substring { path.prefix { $0 != "?" && $0 != "#" } }

    /// The items of the path's query, decoded.
    var pathItems: [PathItem] {
        let rest = path.dropFirst(plainPath.count).prefix { $0 != "#" }.drop { $0 == "?" }
        return rest.split(separator: "&").map { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { part in
                PercentEncoding.decode(String(part)) ?? String(part)
            }
            return PathItem(key: parts[0], value: parts.count > 1 ? parts[1] : "")
        }
    }

    /// A parameter as it is sent: one that the path has in its query is an item of the query.
    func placed(_ parameter: Parameter) -> Parameter {
        guard parameter.location == .path, !plainPath.contains("{\(parameter.name)}"),
            let item = pathItems.first(where: { $0.parameter == parameter.name })
        else { return parameter }
        var placed = parameter
        placed.location = .query
        placed.name = item.key
        return placed
    }
}
