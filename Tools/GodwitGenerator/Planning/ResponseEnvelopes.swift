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

    /// The type of the member in an envelope: one for all operations that answer with the same envelope.
    mutating func type(of member: Schema.Property, inEnvelope content: Content, otherwise place: Place) -> SwiftType {
        guard case .reference(let name)? = content.schema?.kind else {
            return type(of: member.schema, .whole, at: place)
        }
        if let known = unwrapped[name] { return known }
        let type = type(of: member.schema, .whole, at: self.place(of: member, inEnvelope: name) ?? place)
        unwrapped[name] = type
        return type
    }

    /// `Boat` for an inline type in `BoatResponse`, `BoatsData` in an envelope `Boats` of several operations; `nil` for
    /// others, which are named after their operation.
    private func place(of member: Schema.Property, inEnvelope name: String) -> Place? {
        let words = SwiftName.words(of: baseName(of: name))
        if words.count > 1, let last = words.last,
            ["Body", "Container", "Envelope", "Payload", "Response", "Result", "Wrapper"].contains(last)
        {
            return Place(parent: nil, name: words.dropLast().joined(separator: " "))
        }
        return usage.isSharedAnswer(name) ? Place(parent: nil, name: baseName(of: name) + " " + member.name) : nil
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
