/// An enum with a case for each status of an operation whose successes have different bodies.
struct ResponsesPlan: Sendable, Hashable {
    struct Case: Sendable, Hashable {
        /// The name in Swift, without backticks.
        var name: String
        /// `200`, `2XX` or `default`.
        var status: ResponseDescription.Status
        var body: Body
        var summary: String?
    }

    enum Body: Sendable, Hashable {
        case none
        case json(SwiftType)
        case text
        case data
    }

    var type: TypeName
    /// Those of one status first, as a range includes them.
    var cases: [Case]

    /// The case of a response.
    func item(for status: Int) -> Case? { cases.first { $0.status == .code(status) } ?? cases.last }
}

extension OperationPlanner {
    /// The enum for the successes of an operation; `nil` if one type is enough.
    mutating func responses(
        byStatusOf operation: Operation, named name: String, _ types: inout TypePlanner
    ) -> ResponsesPlan? {
        let successes = operation.method == "HEAD" ? [] : operation.successes
        let contents = successes.compactMap { Self.readable($0.contents).first }
        guard Set(contents.map(\.shape)).count > 1 else { return nil }
        guard !contents.contains(where: { $0.isEvents || $0.isLines }) else {
            note(
                "the successes of \(operation.method) \(operation.path) have different bodies; all are read as that of "
                    + (successes.first { !$0.contents.isEmpty }?.status.text ?? "the first"), at: operation.place)
            return nil
        }
        var names = NameTable.members(["unknown"])
        let cases = successes.map { response in
            let place = TypePlanner.Place(parent: nil, name: "\(name) \(response.status.word)")
            return ResponsesPlan.Case(
                name: names.take(response.status.word), status: response.status,
                body: body(of: Self.readable(response.contents).first, place, &types), summary: response.summary)
        }
        let type = types.takeName(SwiftName.type(name + " response"))
        return ResponsesPlan(type: type, cases: cases.filter(\.isSingle) + cases.filter { !$0.isSingle })
    }

    /// What the client asks for, unless it does so by itself.
    ///
    /// - Parameter isOneOfSeveral: Whether the server chooses among several contents, so that `*/*` isn't enough.
    func accept(for plan: OperationPlan, isOneOfSeveral: Bool) -> String? {
        guard let chosen = Self.answers(of: plan.source).first else { return nil }
        switch plan.response {
        case .none, .events, .lines: return nil
        case .json: return chosen.mediaType == "application/json" || chosen.mediaType == "*/*" ? nil : chosen.mediaType
        case .text(let type): return type == "text/plain" && !isOneOfSeveral ? nil : type
        case .data(let type):
            return (type == "application/octet-stream" && !isOneOfSeveral) || type == "*/*" ? nil : type
        case .byStatus:
            let types = plan.source.successes.compactMap { Self.readable($0.contents).first?.mediaType }.once
            return types == ["application/json"] ? nil : types.joined(separator: ", ")
        }
    }

    private func body(
        of content: Content?, _ place: TypePlanner.Place, _ types: inout TypePlanner
    ) -> ResponsesPlan.Body {
        guard let content else { return .none }
        guard content.isJSON else { return content.mediaType.hasPrefix("text/") ? .text : .data }
        guard let schema = content.schema else { return .json(.json) }
        let type = types.type(of: schema, .whole, at: place)
        return .json(types.isNullable(schema) ? .optional(type) : type)
    }
}

extension ResponsesPlan.Case {
    fileprivate var isSingle: Bool {
        if case .code = status { true } else { false }
    }
}

extension Content {
    /// What tells the bodies of two successes apart.
    fileprivate var shape: Schema? {
        guard isJSON else { return Schema(.string(format: mediaType.hasPrefix("text/") ? "text" : "data")) }
        return (schema ?? itemSchema)?.withoutWords
    }
}

extension Operation {
    /// The responses to a call that succeeds. `default` alone describes them too.
    var successes: [ResponseDescription] {
        let known = responses.filter(\.isSuccess)
        guard known.isEmpty, !responses.contains(where: \.isInformative) else { return known }
        return responses.filter { $0.status == .default && !$0.contents.isEmpty }
    }
}

extension ResponseDescription {
    /// Whether it describes a redirect, which has no other success.
    fileprivate var isInformative: Bool {
        status.hundreds == 1 || status.hundreds == 3
    }
}

extension ResponseDescription.Status {
    /// The status as the name of a case: `created` for 201.
    fileprivate var word: String {
        switch self {
        case .code(200): "ok"
        case .code(201): "created"
        case .code(202): "accepted"
        case .code(203): "nonAuthoritative"
        case .code(204): "noContent"
        case .code(205): "resetContent"
        case .code(206): "partialContent"
        case .code(207): "multiStatus"
        case .code(let code): "status\(code)"
        case .range, .default: "other"
        }
    }
}
