extension OperationPlanner {
    /// - Parameter content: One of the operation's; `nil` without a body.
    mutating func body(
        of operation: Operation, _ content: Content?, named name: String, _ labels: inout NameTable,
        _ types: inout TypePlanner
    ) -> BodyPlan? {
        guard let payload = operation.body, let content else { return nil }
        let kind = kind(of: content, operation, named: name, &labels, &types)
        let label =
            switch kind {
            case .json(let type, _): type.unwrapped.argumentName
            case .lines: "values"
            case .text: "text"
            case .form, .multipart: "form"
            case .stream: "body"
            }
        switch kind {
        case .form(let fields), .multipart(let fields):
            if !payload.isRequired { noteAlwaysSent(fields, of: operation) }
        default: break
        }
        var plan = BodyPlan(
            kind: kind, name: labels.take(label), isRequired: payload.isRequired || operation.method == "PATCH",
            summary: payload.summary)
        if case .stream(let type) = kind, Self.isChosen(type) { plan.typeName = labels.take("contentType") }
        return plan
    }

    /// Whether the caller gives the media type: of a body of any type, or with the boundary of its parts.
    static func isChosen(_ mediaType: String) -> Bool { mediaType.contains("*") || mediaType.hasPrefix("multipart/") }

    /// A form that can be left out is sent in any case if it has fields that must be in it.
    private mutating func noteAlwaysSent(_ fields: [FieldPlan], of operation: Operation) {
        let required = fields.filter { !$0.type.isOptional }.map { "`\($0.key)`" }
        guard !required.isEmpty else { return }
        note(
            "the form of \(operation.method) \(operation.path) is always sent, although it can be left out: "
                + "\(required.joined(separator: ", ")) must be in it", at: operation.place)
    }

    private mutating func kind(
        of content: Content, _ operation: Operation, named name: String, _ labels: inout NameTable,
        _ types: inout TypePlanner
    ) -> BodyPlan.Kind {
        let place = TypePlanner.Place(parent: nil, name: name + " request")
        if content.isLines {
            let item = content.itemSchema ?? content.schema ?? Schema(.any)
            return .lines(types.type(of: item, .draft, at: place.element()), mediaType: content.mediaType)
        }
        if content.isJSON, let schema = content.schema {
            let isChange = types.isChange(schema, operation, content.mediaType)
            return .json(
                types.type(of: schema, isChange ? .change : .draft, at: place), mediaType: content.mediaType)
        }
        if content.isJSON { return .json(.json, mediaType: content.mediaType) }
        if content.isForm || content.isMultipart, let schema = content.schema,
            let fields = fields(of: schema, content, operation, named: name, &labels, &types)
        {
            return content.isForm ? .form(fields) : .multipart(fields)
        }
        if content.isForm || content.mediaType.hasPrefix("multipart/") {
            let reason = content.isMultipart || content.isForm ? "its schema has no fields" : "its parts have no names"
            note(
                "the body of \(operation.method) \(operation.path) is passed as \(content.mediaType): \(reason)",
                at: content.schema?.place ?? operation.place)
        }
        if content.mediaType.hasPrefix("text/") { return .text(mediaType: content.mediaType) }
        return .stream(mediaType: content.mediaType)
    }

    /// The fields of a form; `nil` if the schema isn't an object.
    private mutating func fields(
        of schema: Schema, _ content: Content, _ operation: Operation, named name: String, _ labels: inout NameTable,
        _ types: inout TypePlanner
    ) -> [FieldPlan]? {
        guard let object = types.object(schema) else { return nil }
        if let additional = object.additional {
            note(
                "`additionalProperties` of the form of \(operation.method) \(operation.path) is left out: "
                    + "a form has the fields that are described", at: additional.place ?? schema.place)
        }
        let plans = object.properties.filter { !$0.isReadOnly }.map { property in
            field(property, content, operation, named: name, &labels, &types)
        }
        return plans.filter { !$0.type.isOptional } + plans.filter(\.type.isOptional)
    }

    private mutating func field(
        _ property: Schema.Property, _ content: Content, _ operation: Operation, named name: String,
        _ labels: inout NameTable, _ types: inout TypePlanner
    ) -> FieldPlan {
        let encoding = content.encodings[property.name]
        let isRequired = property.isRequired && !types.isNullable(property.schema)
        let (isFile, areFiles) = (types.isFile(property.schema), types.areFiles(property.schema))
        noteIgnored(
            encoding, of: property, isMultipart: content.isMultipart, isFile: isFile || areFiles, operation)
        var plan = FieldPlan(
            name: labels.take(SwiftName.member(property.name)), key: property.name, type: .string, kind: .value,
            mediaType: encoding?.mediaType, summary: property.schema.summary)
        if content.isMultipart, isFile {
            plan.type = .builtin("MultipartFile")
            plan.kind = .file
        } else if content.isMultipart, areFiles {
            plan.type = .array(.builtin("MultipartFile"))
            plan.kind = .files
        } else {
            let place = TypePlanner.Place(parent: nil, name: name + " " + property.name)
            plan.type = types.type(of: property.schema, .draft, at: place)
            plan.kind = Self.kind(of: plan.type, encoding, isMultipart: content.isMultipart)
            if content.isMultipart { noteJSON(plan, of: property, operation) }
        }
        if content.isMultipart, let encoding {
            plan.headers = encoding.headers.compactMap { header in
                self.header(header, of: property, isRequired: isRequired, operation, named: name, &labels, &types)
            }
        }
        if !isRequired { plan.type = .optional(plan.type) }
        return plan
    }

    /// A header field of a part; `nil` if its value can't be text.
    private mutating func header(
        _ header: Parameter, of property: Schema.Property, isRequired: Bool, _ operation: Operation, named name: String,
        _ labels: inout NameTable, _ types: inout TypePlanner
    ) -> ParameterPlan? {
        let words = property.name + " " + header.name
        let type = types.type(of: header.schema, .draft, at: TypePlanner.Place(parent: nil, name: name + " " + words))
        guard let serialization = ParameterPlan.Serialization(of: header, type, types.index) else {
            note(
                "the header field `\(header.name)` of the part `\(property.name)` of \(operation.method) "
                    + "\(operation.path) is left out: its type can't be sent as text",
                at: header.schema.place ?? operation.place)
            return nil
        }
        return ParameterPlan(
            name: labels.take(SwiftName.member(words)), key: header.name, location: .header,
            type: isRequired && header.isRequired ? type : .optional(type), serialization: serialization,
            summary: header.summary ?? header.schema.summary)
    }

    private static func kind(
        of type: SwiftType, _ encoding: PartEncoding?, isMultipart: Bool
    ) -> FieldPlan.Kind {
        let isCoded = type == .data || type == .builtin("URL")
        if isMultipart, isCoded || encoding?.hasStyle != true {
            if type.isTextOrTexts || isCoded {
                return encoding?.mediaType.map { $0 == "text/plain" ? .value : .text } ?? (isCoded ? .text : .value)
            }
            if case .array = type { return .jsonParts }
            return .json
        }
        guard let encoding, !type.isText else { return type.isTextOrTexts ? .value : .json }
        guard encoding.hasStyle else {
            if encoding.mediaType.map({ Content(mediaType: $0).isJSON }) == true { return .jsonText }
            return type.isTextOrTexts ? .value : .json
        }
        let style = encoding.style ?? .form
        if style == .deepObject { return .deep }
        guard encoding.explodes ?? (style == .form) else {
            return type.isTextOrTexts ? .joined(separator: style.separator) : .flat(separator: style.separator)
        }
        return type.isTextOrTexts ? .value : .members
    }

    /// A part that is written as JSON, whatever type it should have.
    private mutating func noteJSON(_ plan: FieldPlan, of property: Schema.Property, _ operation: Operation) {
        guard [.json, .jsonParts].contains(plan.kind), let type = plan.mediaType, !Content(mediaType: type).isJSON
        else {
            return
        }
        note(
            "the part `\(property.name)` of \(operation.method) \(operation.path) is JSON, although it is called \(type)",
            at: property.schema.place ?? operation.place)
    }

    /// What a form's encoding says and makes no difference to what is sent.
    private mutating func noteIgnored(
        _ encoding: PartEncoding?, of property: Schema.Property, isMultipart: Bool, isFile: Bool,
        _ operation: Operation
    ) {
        guard let encoding else { return }
        let name = "`\(property.name)` of \(operation.method) \(operation.path)"
        func note(_ text: String) {
            self.note(text, at: property.schema.place ?? operation.place)
        }
        if !isMultipart, !encoding.headers.isEmpty {
            note("the header fields of the field \(name) are ignored: only parts have some")
        }
        if isMultipart, encoding.hasStyle, isFile {
            note("the style of the part \(name) is ignored: it is a file")
        } else if isMultipart, encoding.hasStyle, encoding.mediaType != nil {
            note("the media type of the part \(name) is ignored: it has a style")
        }
        if !isMultipart, let type = encoding.mediaType, type != "text/plain", !Content(mediaType: type).isJSON {
            note("the media type \(type) of the field \(name) is ignored: it is sent as text or JSON")
        }
    }

    // MARK: Responses

    /// What the operation answers if it succeeds, the preferred content first.
    static func answers(of operation: Operation) -> [Content] {
        readable(operation.successes.first { !$0.contents.isEmpty }?.contents ?? [])
    }

    /// The preferred content first: whole values before events and lines.
    static func readable(_ contents: [Content]) -> [Content] {
        let ranked = ranked(contents)
        return ranked.filter { !$0.isStream } + ranked.filter(\.isStream)
    }

    /// The preferred content first; in document order otherwise.
    static func ranked(_ contents: [Content]) -> [Content] {
        contents.enumerated().sorted { left, right in
            let (one, other) = (left.element.rank, right.element.rank)
            return one == other ? left.offset < right.offset : one < other
        }.map(\.element)
    }

    /// What the operation can return.
    ///
    /// - Parameters:
    ///   - envelope: That of the first content.
    ///   - marker: The data of the event after which no other comes.
    mutating func responses(
        _ contents: [Content], in envelope: Schema.Property?, endingWith marker: String?, named name: String,
        _ types: inout TypePlanner
    ) -> [ResponsePlan] {
        let place = TypePlanner.Place(parent: nil, name: name + " response")
        var plans: [ResponsePlan] = []
        for content in contents {
            guard plans.isEmpty, let envelope else {
                plans.append(response(of: content, marker, place, &types))
                continue
            }
            plans.append(.json(types.type(of: envelope, inEnvelope: content, otherwise: place)))
        }
        return plans
    }

    private mutating func response(
        of content: Content, _ marker: String?, _ place: TypePlanner.Place, _ types: inout TypePlanner
    ) -> ResponsePlan {
        let item = content.itemSchema ?? (content.isEvents || content.isLines ? content.schema : nil)
        if content.isEvents {
            let type = item.map { types.type(of: types.eventData($0), .whole, at: place) }
            return .events(type == .string ? nil : type, marker: marker)
        }
        if content.isLines { return .lines(item.map { types.type(of: $0, .whole, at: place) }) }
        if content.isJSON {
            guard let schema = content.schema else { return .json(.json) }
            let type = types.type(of: schema, .whole, at: place)
            return .json(types.isNullable(schema) ? .optional(type) : type)
        }
        if let item = content.itemSchema {
            note("`itemSchema` of \(content.mediaType) is left out: the body is read as a whole", at: item.place)
        }
        if content.mediaType.hasPrefix("text/") { return .text(mediaType: content.mediaType) }
        return .data(mediaType: content.mediaType)
    }

    mutating func failures(
        of operation: Operation, named name: String, _ types: inout TypePlanner
    ) -> [OperationPlan.Failure] {
        operation.failures.map { response in
            OperationPlan.Failure(
                status: response.status.text,
                type: response.errorBody.map { errors.type(of: $0, "\(name) error", &types) }, summary: response.summary
            )
        }
    }
}

extension Content {
    var isJSON: Bool {
        mediaType == "application/json" || mediaType.hasSuffix("+json") || mediaType == "text/json"
            || mediaType == "*/*"
    }
    var isForm: Bool { mediaType == "application/x-www-form-urlencoded" }
    var isMultipart: Bool { mediaType == "multipart/form-data" }
    var isEvents: Bool { mediaType == "text/event-stream" }
    var isLines: Bool {
        [
            "application/x-ndjson", "application/jsonl", "application/ndjson", "application/json-lines",
            "application/x-jsonlines",
        ]
        .contains(mediaType)
    }

    /// The order in which media types are chosen.
    fileprivate var rank: Int {
        if isLines { return 5 }
        if isJSON { return mediaType == "application/json" ? 0 : 1 }
        if isMultipart { return 2 }
        if isForm { return 3 }
        if isEvents { return 4 }
        return mediaType.hasPrefix("text/") ? 6 : 7
    }
}

extension Operation {
    /// The responses that aren't successes.
    var failures: [ResponseDescription] {
        let successes = successes.map(\.status)
        return responses.filter { !successes.contains($0.status) }
    }
}

extension ResponseDescription {
    /// The JSON of an error.
    var errorBody: Schema? { contents.first(where: \.isJSON)?.schema }

    var isSuccess: Bool {
        status.hundreds == 2
    }
}

extension ResponseDescription.Status {
    /// The first digit; `nil` for the default.
    var hundreds: Int? {
        switch self {
        case .code(let code): code / 100
        case .range(let hundreds): hundreds
        case .default: nil
        }
    }

    var text: String {
        switch self {
        case .code(let code): "\(code)"
        case .range(let hundreds): "\(hundreds)XX"
        case .default: "default"
        }
    }
}

extension SwiftType {
    /// The name of an argument of the type: `draft` for `ArticleDraft`.
    var argumentName: String {
        switch self {
        case .model(let name), .open(let name):
            let words = SwiftName.words(of: name.last)
            return SwiftName.member(
                words.last.map { ["Draft", "Change", "Request", "Input"].contains($0) ? $0 : name.last } ?? "body")
        case .array(.model(let name)): return SwiftName.member(name.last) + "s"
        default: return "body"
        }
    }
}
