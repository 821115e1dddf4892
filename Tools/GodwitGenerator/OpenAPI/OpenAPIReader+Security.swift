extension OpenAPIReader {
    mutating func servers(in node: DocumentNode) -> [Server] {
        elements(of: node, "servers").map { referred($0) }.compactMap { server in
            guard let url = server["url"]?.text else {
                note("the server is left out: it has no URL", server)
                return nil
            }
            return Server(
                url: url, summary: server["description"]?.text ?? server["name"]?.text,
                variables: members(of: server, "variables").map { variable($0) })
        }
    }

    private mutating func variable(_ member: DocumentNode.Member) -> Server.Variable {
        let values = elements(of: member.value, "enum").compactMap(\.text)
        let value = member.value["default"]?.text
        if value == nil { note("the variable `\(member.key)` has no default", member.value) }
        if let value, value.contains("{") || value.contains("<") {
            let text = "the default `\(value)` of the variable `\(member.key)` stands for another text: pass it"
            note(text, member.value)
        }
        return Server.Variable(
            name: member.key, defaultValue: value ?? values.first ?? "", values: values,
            summary: member.value["description"]?.text)
    }

    mutating func securitySchemes(in root: DocumentNode) -> [SecurityScheme] {
        guard let components = root["components"] else { return [] }
        return members(of: components, "securitySchemes").compactMap { member in
            guard let node = resolved(member.value, "a security scheme", .securityScheme),
                let kind = securityKind(node, name: member.key)
            else { return nil }
            return SecurityScheme(name: member.key, kind: kind, summary: node["description"]?.text)
        }
    }

    private mutating func securityKind(_ node: DocumentNode, name: String) -> SecurityScheme.Kind? {
        let type = node["type"]?.text ?? ""
        switch type {
        case "http": return Self.httpKind(node["scheme"]?.text ?? "")
        case "apiKey":
            let location = node["in"]?.text.flatMap { Parameter.Location(rawValue: $0) }
            if let key = node["name"]?.text, let location, location != .path {
                return .apiKey(name: key, location: location)
            }
        case "oauth2": return .oauth(flows(node))
        case "openIdConnect":
            if let url = node["openIdConnectUrl"]?.text { return .openID(url) }
        case "": break
        default: return .other(type)
        }
        note("the security scheme `\(name)` is left out: it is not complete", node)
        return nil
    }

    private static func httpKind(_ scheme: String) -> SecurityScheme.Kind {
        switch scheme.lowercased() {
        case "bearer": .bearer
        case "basic": .basic
        case "digest": .digest
        default: .other(scheme)
        }
    }

    private mutating func flows(_ node: DocumentNode) -> [OAuthFlow] {
        members(of: node, "flows").compactMap { member in
            guard !member.key.hasPrefix("x-") else { return nil }
            guard let kind = OAuthFlow.Kind(rawValue: member.key) else {
                note("the flow `\(member.key)` is unknown", member.value)
                return nil
            }
            var flow = OAuthFlow(kind: kind)
            flow.authorizationURL = member.value["authorizationUrl"]?.text
            flow.tokenURL = member.value["tokenUrl"]?.text
            flow.refreshURL = member.value["refreshUrl"]?.text
            flow.deviceAuthorizationURL = member.value["deviceAuthorizationUrl"]?.text
            flow.scopes = members(of: member.value, "scopes").map {
                OAuthFlow.Scope(name: $0.key, summary: $0.value.text ?? "")
            }
            return flow
        }
    }

    /// What is needed to call an operation, or all of them; `nil` if it isn't said.
    mutating func security(in node: DocumentNode, known: Set<String>) -> [SecurityRequirement]? {
        guard node["security"] != nil else { return nil }
        return elements(of: node, "security").compactMap { requirement in
            guard requirement.isObject else {
                note("the requirement is left out: it has to be an object, but is \(requirement.kindName)", requirement)
                return nil
            }
            var result = SecurityRequirement()
            for member in requirement.members {
                guard known.contains(member.key) else {
                    note("unknown security scheme `\(member.key)`", requirement)
                    return nil
                }
                result.schemes.append(
                    SecurityRequirement.Part(name: member.key, scopes: member.value.elements.compactMap(\.text)))
            }
            return result
        }
    }
}
