extension TypePlanner {
    /// The only member of a response that has all it says: `{"data": {…}}`. A person would return the member's value.
    ///
    /// `nil` if the response is the value itself, and if its type is used elsewhere too.
    func envelope(of content: Content) -> Schema.Property? {
        guard content.isJSON, let schema = content.schema, !isNullable(schema), let object = object(schema),
            object.additional == nil, object.properties.count == 1, let member = object.properties.first,
            member.isRequired, !isNullable(member.schema), !member.name.isEmpty, !member.name.contains("."),
            isObjectOrObjects(member.schema)
        else { return nil }
        if case .reference(let name) = schema.kind, !usage.isAnswerOnly(name) { return nil }
        return member
    }

    /// `Boat` for an inline type in `BoatResponse`; `nil` if the envelope has no such name.
    func place(inEnvelope content: Content) -> Place? {
        guard case .reference(let name)? = content.schema?.kind else { return nil }
        let words = SwiftName.words(of: baseName(of: name))
        guard words.count > 1, let last = words.last,
            ["Body", "Container", "Envelope", "Payload", "Response", "Result", "Wrapper"].contains(last)
        else { return nil }
        return Place(parent: nil, name: words.dropLast().joined(separator: " "))
    }

    /// A member with a text or a number alone is a result in itself: `{"count": 3}`.
    private func isObjectOrObjects(_ schema: Schema) -> Bool {
        switch resolved(schema).kind {
        case .object(let object): !object.properties.isEmpty
        case .array(let element): object(element)?.properties.isEmpty == false
        default: false
        }
    }
}
