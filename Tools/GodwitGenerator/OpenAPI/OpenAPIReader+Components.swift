extension OpenAPIReader {
    /// Names the schemas that are written in place in a component which something refers to, so that all who refer to it
    /// have one type with the component's name.
    mutating func nameSchemas(of component: DocumentSet.Target, _ kind: OpenAPIFields.Kind) {
        // What stands in a path belongs to its operation, which names it.
        guard component.tokens.first != "paths", component.tokens.first != "webhooks" else { return }
        let name = Self.name(of: component, kind)
        switch kind {
        case .response, .requestBody:
            for media in Self.media(in: component.node) { nameSchemas(of: media.node, media.type, name) }
        case .mediaType: nameSchemas(of: component.node, name, name)
        case .parameter:
            if let schema = component.node["schema"] { return schemas.share(schema, as: name) }
            for media in Self.media(in: component.node).prefix(1) { nameSchemas(of: media.node, media.type, name) }
        default: break
        }
    }

    private mutating func nameSchemas(of media: DocumentNode, _ type: String, _ name: String) {
        let content = Content(mediaType: Self.mediaType(type))
        if let item = media["itemSchema"] { schemas.share(Self.eventData(item) ?? item, as: name) }
        guard let schema = media["schema"] else { return }
        // The fields of a form are arguments: it has no type of its own.
        guard content.isForm || content.isMultipart else { return schemas.share(schema, as: name) }
        for field in schema["properties"]?.members ?? [] { schemas.share(field.value, as: name + " " + field.key) }
    }

    /// The media types of a component, JSON first: the type that most callers use has the component's name.
    private static func media(in component: DocumentNode) -> [(type: String, node: DocumentNode)] {
        let all = (component["content"]?.members ?? []).filter { $0.value.isObject && $0.value["$ref"] == nil }
        let isJSON = { (member: DocumentNode.Member) in Content(mediaType: mediaType(member.key)).isJSON }
        return (all.filter(isJSON) + all.filter { !isJSON($0) }).map { ($0.key, $0.value) }
    }

    /// The last part of the reference, or the name of the file. A number alone says too little: `Response 404`.
    private static func name(of component: DocumentSet.Target, _ kind: OpenAPIFields.Kind) -> String {
        let name = component.tokens.last ?? DocumentAddress.stem(component.file)
        return name.contains(where: \.isLetter) ? name : "\(kind.rawValue) \(name)"
    }
}
