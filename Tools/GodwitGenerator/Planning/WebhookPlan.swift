/// A request that the API sends to a server of its user.
struct WebhookPlan: Sendable, Hashable {
    /// The name in Swift: `bookReturned`.
    var name: String
    /// The type of its JSON.
    var type: SwiftType
    var summary: String?
    var isDeprecated: Bool
}

extension WebhookPlan {
    /// The webhooks whose body is JSON; the others are noted.
    static func plans(for webhooks: [Operation], _ types: inout TypePlanner) -> [WebhookPlan] {
        var names = NameTable.members()
        types.direction = .response
        defer { types.direction = [.request, .response] }
        return webhooks.compactMap { webhook in
            let id = webhook.id ?? ""
            guard let content = webhook.body?.contents.first(where: \.isJSON) else {
                types.notes.append(
                    Note(.omission, "the webhook `\(id)` is left out: it has no body of JSON", at: webhook.place))
                return nil
            }
            let name = names.take(SwiftName.member(id))
            let place = TypePlanner.Place(parent: nil, name: name + " payload")
            return WebhookPlan(
                name: name, type: content.schema.map { types.type(of: $0, .whole, at: place) } ?? .json,
                summary: webhook.summary ?? webhook.description, isDeprecated: webhook.isDeprecated)
        }
    }
}
