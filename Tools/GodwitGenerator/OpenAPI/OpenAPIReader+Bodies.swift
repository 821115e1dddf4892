extension OpenAPIReader {
    mutating func requestBody(_ node: DocumentNode) -> RequestPayload? {
        guard let node = resolved(node, "a request body", .requestBody) else { return nil }
        let contents = content(of: node)
        guard !contents.isEmpty else {
            note("the request body is left out: it has no media type", node)
            return nil
        }
        return RequestPayload(
            isRequired: node["required"]?.bool ?? false, summary: node["description"]?.text, contents: contents)
    }

    /// The media types of a body or a parameter, in document order.
    mutating func content(of node: DocumentNode) -> [Content] {
        var (result, types): ([Content], Set<String>) = ([], [])
        for member in members(of: node, "content") where !member.key.hasPrefix("x-") {
            guard schemas.counts(member.value), let media = resolved(member.value, "a media type", .mediaType) else {
                continue
            }
            let type = Self.mediaType(member.key)
            guard types.insert(type).inserted else {
                note("`\(member.key)` is left out: `\(type)` is described twice", media)
                continue
            }
            let parameters = member.key.split(separator: ";").dropFirst().map { $0.filter { $0 != " " }.lowercased() }
            if let lost = parameters.first(where: { !$0.hasPrefix("charset=") && !$0.hasPrefix("boundary=") }) {
                note("`\(member.key)` is sent and asked for as `\(type)`, without `\(lost)`", media)
            }
            var content = Content(mediaType: type)
            content.source = media["schema"]
            content.itemSource = media["itemSchema"].map { Self.eventData($0) ?? $0 }
            content.schema = content.source.map { schemas.schema($0) }
            content.itemSchema = content.itemSource.map { schemas.schema($0) }
            content.encodings = encodings(of: media)
            content.examples = examples(of: media)
            result.append(content)
        }
        return result
    }

    /// What the data of an event is, if it is JSON as text.
    static func eventData(_ item: DocumentNode) -> DocumentNode? {
        guard let data = item["properties"]?["data"], let schema = data["contentSchema"],
            mediaType(data["contentMediaType"]?.text ?? "") == "application/json"
        else { return nil }
        return schema
    }

    /// A media type in lower case, without parameters.
    static func mediaType(_ text: String) -> String {
        text.prefix { $0 != ";" }.split(whereSeparator: \.isWhitespace).joined().lowercased()
    }

    private mutating func encodings(of media: DocumentNode) -> [String: PartEncoding] {
        var result: [String: PartEncoding] = [:]
        for member in members(of: media, "encoding") {
            var encoding = PartEncoding()
            let types =
                member.value["contentType"]?.text?.split(separator: ",").map { Self.mediaType(String($0)) } ?? []
            encoding.mediaType = types.count == 1 && types.first?.contains("*") == false ? types.first : nil
            // That field follows from the part's name and file name.
            encoding.headers = headers(of: member.value).filter { $0.name.lowercased() != "content-disposition" }
            encoding.style = style(of: member.value)
            encoding.explodes = member.value["explode"]?.bool
            result[member.key] = encoding
        }
        return result
    }

    /// `example` and `examples` of a media type or a parameter.
    mutating func examples(of node: DocumentNode) -> [Example] {
        var result: [Example] = []
        if let example = node["example"] {
            // An example that refers to an Example object stands for its value.
            let target = referred(example)
            let value = ReferenceScan.isReference(example) ? target["value"] ?? target : target
            result.append(Example(name: nil, value: value))
        }
        guard let examples = node["examples"] else { return result }
        result += examples.elements.map { Example(name: nil, value: $0) }
        for member in examples.members {
            guard schemas.counts(member.value), let example = resolved(member.value, "an example", .example) else {
                continue
            }
            if let value = example["value"] ?? example["dataValue"] {
                result.append(Example(name: member.key, value: value))
            } else {
                note("the example `\(member.key)` is left out: its value isn't in the document", example)
            }
        }
        return result
    }

    mutating func responses(of node: DocumentNode) -> [ResponseDescription] {
        var result: [ResponseDescription] = []
        for member in members(of: node, "responses") where !member.key.hasPrefix("x-") {
            guard let status = Self.status(member.key) else {
                note("the response `\(member.key)` is left out: that is not a status", member.value)
                continue
            }
            guard let response = resolved(member.value, "a response", .response) else { continue }
            result.append(
                ResponseDescription(
                    status: status, summary: response["description"]?.text ?? response["summary"]?.text,
                    contents: content(of: response), headers: headers(of: response)))
        }
        return result
    }

    /// `200`, `4XX` or `default`.
    private static func status(_ key: String) -> ResponseDescription.Status? {
        if key == "default" { return .default }
        if let code = Int(key), (100...599).contains(code) { return .code(code) }
        guard key.utf8.count == 3, key.uppercased().hasSuffix("XX"), let digit = key.first?.wholeNumberValue,
            (1...5).contains(digit)
        else { return nil }
        return .range(digit)
    }
}
