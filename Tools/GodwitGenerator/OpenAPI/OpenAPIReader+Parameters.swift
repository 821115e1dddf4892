extension OpenAPIReader {
    /// Header fields that a description of parameters can't change (OpenAPI 3.1, section 4.8.12.1).
    private static let ignoredFields: Set<String> = ["accept", "content-type", "authorization"]

    /// The parameters of a path item or an operation.
    mutating func parameters(of node: DocumentNode) -> [Parameter] {
        let elements = elements(of: node, "parameters")
        if elements.count > Self.maximumParameters {
            note("there are more than \(Self.maximumParameters) parameters; the rest is left out", node)
        }
        return elements.prefix(Self.maximumParameters).compactMap { parameter($0) }
    }

    private mutating func parameter(_ node: DocumentNode) -> Parameter? {
        guard schemas.counts(node), let node = resolved(node, "a parameter", .parameter) else { return nil }
        guard let name = node["name"]?.text, !name.isEmpty else {
            note("the parameter is left out: it has no name", node)
            return nil
        }
        let place = node["in"]?.text ?? "nothing"
        guard let location = Parameter.Location(rawValue: place) else {
            note("the parameter `\(name)` is left out: it can't be in `\(place)`", node)
            return nil
        }
        if location == .header, Self.ignoredFields.contains(name.lowercased()) { return nil }
        var parameter = field(node, name: name, location: location)
        if location == .path { parameter.isRequired = true }
        return parameter
    }

    /// The header fields of a response or a part.
    mutating func headers(of node: DocumentNode) -> [Parameter] {
        members(of: node, "headers").compactMap { member in
            guard member.key.lowercased() != "content-type" else { return nil }
            guard schemas.counts(member.value), let header = resolved(member.value, "a header field", .header) else {
                return nil
            }
            return field(header, name: member.key, location: .header)
        }
    }

    private mutating func field(_ node: DocumentNode, name: String, location: Parameter.Location) -> Parameter {
        let style = style(of: node) ?? (location == .path || location == .header ? .simple : .form)
        let content = content(of: node).first
        let schema = node["schema"].map { schemas.schema($0) } ?? content?.schema
        if schema == nil { note("`\(name)` has no schema; it is taken as text", node) }
        var parameter = Parameter(
            name: name, location: location, isRequired: node["required"]?.bool ?? false,
            schema: schema ?? Schema(.string(format: nil), place: node.place), style: style,
            explodes: node["explode"]?.bool ?? (style == .form))
        parameter.source = node["schema"] ?? content?.source
        parameter.mediaType = node["schema"] == nil ? content?.mediaType : nil
        if let type = parameter.mediaType, !type.hasPrefix("text/"), !Content(mediaType: type).isJSON {
            note("`\(name)` is sent as JSON, although it is called \(type)", node)
        }
        parameter.allowsReserved = node["allowReserved"]?.bool ?? false
        parameter.allowsEmpty = node["allowEmptyValue"]?.bool ?? false
        parameter.summary = node["description"]?.text
        parameter.isDeprecated = node["deprecated"]?.bool ?? false
        parameter.examples = examples(of: node)
        if parameter.examples.isEmpty, let content { parameter.examples = content.examples }
        return parameter
    }

    /// The style that a node names; `nil` if there is none, or none that is known.
    mutating func style(of node: DocumentNode) -> Parameter.Style? {
        guard let style = node["style"] else { return nil }
        // `cookie` of OpenAPI 3.2 is `form` without percent encoding.
        if style.text == "cookie" { return .form }
        if let known = style.text.flatMap({ Parameter.Style(rawValue: $0) }) { return known }
        note("the style `\(style.text ?? style.kindName)` is unknown; that of the location is used", style)
        return nil
    }
}
