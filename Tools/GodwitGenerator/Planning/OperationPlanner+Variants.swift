extension OperationPlanner {
    /// The same operation with each of the other contents as its response: events, lines, text, data or other JSON.
    mutating func variants(
        of plan: OperationPlan, _ others: [(content: Content, result: ResponsePlan)]
    ) -> [OperationPlan] {
        var hasStream = false
        return others.map { content, result in
            var variant = plan
            let word = result.isStream && !hasStream ? "Stream" : content.word
            hasStream = hasStream || result.isStream
            variant.name = names.take(plan.name + word)
            variant.response = result
            variant.envelope = nil
            variant.paging = nil
            if case .json(let type) = result, plan.mayBeEmpty {
                variant.response = .json(.optional(type.unwrapped))
            } else {
                variant.mayBeEmpty = false
            }
            // The client asks for events and lines by itself.
            variant.variant = result.isStream ? nil : content
            variant.accept = result.isStream ? nil : content.mediaType
            let what = "\(plan.source.method) \(plan.source.path)"
            notes.append(
                Note(
                    .guess, "`\(variant.name)` reads the response of \(what) as \(content.mediaType)",
                    at: plan.source.place))
            return variant
        }
    }

    /// The same operation with each of the other contents as its request.
    ///
    /// - Parameter labels: Those of path and parameters.
    mutating func sendings(
        of plan: OperationPlan, _ others: [Content], _ labels: NameTable, _ types: inout TypePlanner
    ) -> [OperationPlan] {
        others.map { content in
            var (variant, labels) = (plan, labels)
            variant.name = names.take(plan.name + content.word)
            variant.body = body(of: plan.source, content, named: variant.name, &labels, &types)
            variant.paging = nil
            let what = "\(plan.source.method) \(plan.source.path)"
            notes.append(
                Note(
                    .guess, "`\(variant.name)` sends the body of \(what) as \(content.mediaType)",
                    at: plan.source.place))
            return variant
        }
    }

    /// The contents without those that say the same as one before them: the same JSON by another name, or as XML.
    static func offered(_ contents: [Content]) -> [Content] {
        contents.reduce(into: []) { kept, content in
            if !kept.contains(where: { $0.hasAllOf(content) }) { kept.append(content) }
        }
    }

    /// Media types of the response that no endpoint returns.
    mutating func noteOtherTypes(than offered: [Content], of operation: Operation) {
        let known = Set(offered.map(\.mediaType))
        let rest = Self.answers(of: operation).map(\.mediaType).filter { !known.contains($0) }
        guard let chosen = offered.first, !rest.isEmpty else { return }
        note(
            "the response of \(operation.method) \(operation.path) is read as \(chosen.mediaType), not as "
                + rest.joined(separator: ", "), at: operation.place)
    }
}

extension Content {
    /// Whether events or lines arrive one after another.
    var isStream: Bool { isEvents || isLines }

    /// Whether a request with this content says all that one with another says.
    func says(_ other: Content) -> Bool {
        if isLines || other.isLines { return isLines == other.isLines }
        return other.mediaType == "*/*" || schema.map { $0.withoutWords == other.schema?.withoutWords } ?? false
    }

    /// Whether a value of this content has all that a value of another one has.
    fileprivate func hasAllOf(_ other: Content) -> Bool {
        if isLines && other.isLines { return true }
        guard isJSON, !other.isStream, let schema, let own = other.schema else { return false }
        return schema.withoutWords == own.withoutWords
    }

    /// What the name of an endpoint for this content ends with: `Csv`, `Image`.
    fileprivate var word: String {
        if isEvents { return "Events" }
        if isLines { return "Lines" }
        if isForm || isMultipart { return "Form" }
        let known = ["text/plain": "Text", "application/octet-stream": "Data", "*/*": "Data"]
        if let word = known[mediaType] { return word }
        let parts = mediaType.split(separator: "/", maxSplits: 1)
        guard parts.count == 2, parts[1] != "*" else { return SwiftName.type(String(parts.first ?? "data")) }
        let subtype = ["x-", "vnd."].reduce(parts[1]) { $0.hasPrefix($1) ? $0.dropFirst($1.count) : $0 }
        return SwiftName.type(String(subtype))
    }
}
