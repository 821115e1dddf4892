/// The responses of operations: examples of the document, and made ones where it has none.
struct ExampleReplies {
    private let models: ModelIndex
    private let examples: ExampleSet
    private let maker: SchemaExamples

    /// - Parameter references: What the schemas of responses refer to.
    init(_ plan: ClientPlan, _ references: SchemaReferences) {
        models = plan.index
        maker = SchemaExamples(validator: SchemaValidator(references: references, direction: .response))
        examples = ExampleSet(plan)
    }

    /// The default one first, with one at least for each kind of content. Never empty.
    func all(of operation: OperationPlan, in plan: ClientPlan) -> [ExampleReply] {
        let own = all(of: operation)
        let variants = plan.operations.filter { other in
            other.variant != nil && other.source.path == operation.source.path && other.method == operation.method
        }
        guard !operation.response.isStream else { return own }
        let others = variants.compactMap { all(of: $0).first }
        return own + others.filter { other in !own.contains { $0.mediaType == other.mediaType } }
    }

    /// The default one first. Never empty.
    private func all(of operation: OperationPlan) -> [ExampleReply] {
        let status = ServerWriter.status(of: operation)
        let responses = operation.source.responses
        let expected = operation.source.successes.map(\.status)
        var successes: [ExampleReply] = []
        var others: [ExampleReply] = []
        for response in responses {
            let isDefault = expected.contains(response.status) && response.code == status
            let found = replies(of: response, operation, isDefault: isDefault)
            if isDefault { successes += found } else { others += found }
        }
        // A document may describe only `default`, or `2XX`.
        if successes.isEmpty { successes = [made(operation, status, fields: [])] }
        return successes + others
    }

    private func replies(
        of response: ResponseDescription, _ operation: OperationPlan, isDefault: Bool
    ) -> [ExampleReply] {
        let fields = response.headers.compactMap(\.exampleField)
        var result = response.contents.flatMap { content in
            content.examples.map { example in
                ExampleReply(
                    status: response.code, name: example.name, fields: fields, mediaType: content.mediaType,
                    body: body(of: example.value, content))
            }
        }
        if isDefault {
            let first = made(operation, response.code, fields: fields)
            // The document's example comes first if the client's type decodes it.
            let fits = result.firstIndex { $0.mediaType == first.mediaType && $0.body == first.body }
            if let fits { result.insert(result.remove(at: fits), at: 0) } else { result.insert(first, at: 0) }
        } else if result.isEmpty {
            result = [failure(response, operation, fields)]
        }
        return result
    }

    private func body(of value: DocumentNode, _ content: Content) -> Data {
        guard !content.isJSON, let text = value.string else { return Data(value.json.utf8) }
        return Data(text.utf8)
    }

    /// The response that the generated client expects.
    private func made(_ operation: OperationPlan, _ status: Int, fields: [ExampleReply.Field]) -> ExampleReply {
        func reply(_ text: String, _ mediaType: String) -> ExampleReply {
            let type = mediaType.contains("*") ? "application/octet-stream" : mediaType
            return ExampleReply(status: status, name: nil, fields: fields, mediaType: type, body: Data(text.utf8))
        }
        let contents = operation.answers
        let example = successExample(of: operation, contents)
        switch operation.response {
        case .none: return ExampleReply(status: status, name: nil, fields: fields, mediaType: nil, body: Data())
        case .json:
            let named = contents.first { $0.isJSON && !$0.mediaType.contains("*") }
            return reply(example?.json ?? "null", named?.mediaType ?? "application/json")
        case .byStatus:
            guard let first = contents.first else { return reply("", "text/plain") }
            guard first.isJSON else { return reply(plainText(contents, first.mediaType) ?? "text", first.mediaType) }
            return reply(example?.json ?? "null", first.mediaType)
        case .text(let mediaType): return reply(plainText(contents, mediaType) ?? "text", mediaType)
        case .data(let mediaType): return reply(plainText(contents, mediaType) ?? "data", mediaType)
        case .events(let type, let marker):
            let first = type == nil ? "text" : example?.json
            let events = [first, marker].compactMap(\.self).map { "data: \($0)\n\n" }
            return reply(events.joined(), "text/event-stream")
        case .lines: return reply((example?.json ?? "{}") + "\n", "application/x-ndjson")
        }
    }

    /// The document's example that the type decodes, then the one of the type, then one that is made.
    private func successExample(of operation: OperationPlan, _ contents: [Content]) -> DocumentNode? {
        let type: SwiftType? =
            switch operation.response {
            case .json(let type): type
            case .events(let type, _), .lines(let type): type
            case .byStatus(let plan): plan.jsonType(for: ServerWriter.status(of: operation))
            case .none, .text, .data: nil
            }
        guard let type else { return examples.responses[operation.name]?.node }
        let check = ExampleCheck(models: models)
        let own = contents.flatMap(\.examples).map(\.value).first { example in
            let value = if let envelope = operation.envelope { example[envelope] } else { example as DocumentNode? }
            return value.map { check.fits($0, type) } ?? false
        }
        if let own { return own }
        let isStream = operation.response.isStream
        let content = contents.first { $0.isJSON || isStream && $0.itemSource != nil }
        let source = isStream ? content?.itemSource ?? content?.source : content?.source
        return best(examples.responses[operation.name]?.node, source, type, in: operation.envelope)
    }

    /// The example of a type if the schema accepts it, or one that is made from the schema.
    ///
    /// Types have no limits, such as `minimum`. An example that the document has for the schema is served in any case.
    private func best(
        _ known: DocumentNode?, _ source: DocumentNode?, _ type: SwiftType?, in envelope: String? = nil
    ) -> DocumentNode? {
        guard let source else { return known }
        if let known, maker.isExample(known, of: source) { return known }
        guard let made = maker.value(of: source) else { return known }
        let value = if let envelope { made[envelope] } else { made as DocumentNode? }
        let isDecoded =
            value.map { value in type.map { ExampleCheck(models: models).fits(value, $0) } ?? true } ?? false
        if let known, !isDecoded, maker.accepts(known, source) { return known }
        return made
    }

    private func plainText(_ contents: [Content], _ mediaType: String) -> String? {
        contents.first { $0.mediaType == mediaType }?.examples.first?.value.string
    }

    private func failure(
        _ response: ResponseDescription, _ operation: OperationPlan, _ fields: [ExampleReply.Field]
    ) -> ExampleReply {
        let json = response.contents.first(where: \.isJSON)
        let type = operation.failures.first { $0.status == response.status.text }?.type
        let known = type.flatMap { ExampleMaker(models: models).value(of: $0) }
        let value = json.flatMap { best(known, $0.source, type) }
        return ExampleReply(
            status: response.code, name: nil, fields: fields, mediaType: value == nil ? nil : json?.mediaType,
            body: Data((value?.json ?? "").utf8))
    }
}

extension ResponseDescription {
    /// A status that it describes: 500 for `default`, the first one of a range.
    fileprivate var code: Int {
        switch status {
        case .code(let code): code
        case .range(let hundreds): hundreds * 100
        case .default: 500
        }
    }
}

extension ResponsesPlan {
    fileprivate func jsonType(for status: Int) -> SwiftType? {
        if case .json(let type)? = item(for: status)?.body { type } else { nil }
    }
}

extension Parameter {
    /// `nil` without an example, or for a value that is not a text or a number.
    fileprivate var exampleField: ExampleReply.Field? {
        let candidates = examples.map(\.value) + schema.examples + [schema.defaultValue].compactMap(\.self)
        switch candidates.first?.value {
        case .string(let text), .number(let text): return .init(name: name, value: text)
        case .bool(let value): return .init(name: name, value: value ? "true" : "false")
        case .null, .array, .object, nil: return nil
        }
    }
}
