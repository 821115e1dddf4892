/// All samples of one body: of an operation's request, or of its answers with one status.
struct SamplePayload: Sendable {
    enum Use: Sendable, Hashable {
        case request
        case answer(status: Int)
    }

    var operation: Int
    var use: Use
    var mediaType: String
    var bodies: [SampleBody]
    /// The names of the samples' files.
    var files: [String]
    /// The shape of the documents; `nil` if the body isn't JSON.
    var shape: SampleShape?

    /// In the order of the operations: the request, then the answers.
    static func payloads(_ operations: [SampleOperation]) throws(GenerationError) -> [SamplePayload] {
        var payloads: [SamplePayload] = []
        for (index, operation) in operations.enumerated() {
            var own: [SamplePayload] = []
            for exchange in accepted(operation.exchanges) {
                add(exchange.request, .request, exchange.file, index, &own)
            }
            for exchange in operation.exchanges {
                if let status = exchange.status {
                    add(exchange.answer, .answer(status: status), exchange.file, index, &own)
                }
            }
            for place in own.indices {
                let nodes = own[place].bodies.compactMap(\.json)
                if !nodes.isEmpty {
                    own[place].shape = try SampleShape(nodes, label: label(operation, own[place].use))
                }
            }
            payloads += own
        }
        return payloads
    }

    /// A request that failed says nothing about what is required, unless no other is known.
    private static func accepted(_ exchanges: [SampleExchange]) -> [SampleExchange] {
        let accepted = exchanges.filter { !$0.isFailure && $0.request != nil }
        return accepted.isEmpty ? exchanges : accepted
    }

    private static func add(
        _ body: SampleBody?, _ use: Use, _ file: String, _ operation: Int, _ payloads: inout [SamplePayload]
    ) {
        guard let body else { return }
        if let index = payloads.firstIndex(where: { $0.use == use && $0.mediaType == body.mediaType }) {
            payloads[index].bodies.append(body)
            payloads[index].files.append(file)
        } else {
            payloads.append(
                SamplePayload(operation: operation, use: use, mediaType: body.mediaType, bodies: [body], files: [file]))
        }
    }

    private static func label(_ operation: SampleOperation, _ use: Use) -> String {
        switch use {
        case .request: operation.id + ".request"
        case .answer(let status): status < 400 ? operation.id : "\(operation.id).\(status)"
        }
    }

    /// The documents without repetitions, as they were received.
    var examples: [Example] {
        var seen: Set<DocumentNode.Value> = []
        var examples: [Example] = []
        for (body, file) in zip(bodies, files) {
            guard let node = body.json, seen.insert(node.value).inserted else { continue }
            examples.append(Example(name: file, value: node))
        }
        return examples
    }

    /// The body in the description. Forms have the types of their values.
    func content(_ schemas: inout SampleSchemas) -> Content {
        if let shape {
            return Content(mediaType: mediaType, schema: schemas.schema(shape), examples: examples)
        }
        let forms = bodies.compactMap { body in
            if case .form(let parts) = body.value { parts } else { nil }
        }
        if !forms.isEmpty { return form(forms) }
        let lines = bodies.flatMap(\.lines)
        if !lines.isEmpty, let element = try? SampleShape(lines, label: mediaType) {
            return Content(mediaType: mediaType, itemSchema: schemas.schema(element))
        }
        let isText = bodies.contains { if case .text = $0.value { true } else { false } }
        return Content(mediaType: mediaType, schema: Schema(.string(format: isText ? nil : "binary")))
    }

    private func form(_ forms: [[Sample.Part]]) -> Content {
        var (names, parts) = ([String](), [String: [Sample.Part]]())
        for part in forms.joined() {
            if parts[part.name] == nil { names.append(part.name) }
            parts[part.name, default: []].append(part)
        }
        var content = Content(mediaType: mediaType)
        content.schema = Schema(
            .object(
                Schema.Object(
                    properties: names.map { name in
                        let isRequired = forms.allSatisfy { form in form.contains { $0.name == name } }
                        let isRepeated = forms.contains { form in form.count { $0.name == name } > 1 }
                        let one = Self.schema(of: parts[name] ?? [])
                        return Schema.Property(
                            name: name, schema: isRepeated ? Schema(.array(one)) : one, isRequired: isRequired)
                    })))
        for name in names {
            if let type = parts[name]?.compactMap(\.mediaType).first {
                content.encodings[name] = PartEncoding(mediaType: type)
            }
        }
        return content
    }

    private static func schema(of parts: [Sample.Part]) -> Schema {
        if parts.contains(where: { $0.fileName != nil }) { return Schema(.string(format: "binary")) }
        return SampleParameters.schema(of: parts.compactMap(\.value))
    }
}
