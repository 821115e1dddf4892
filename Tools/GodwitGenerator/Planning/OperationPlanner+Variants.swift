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
            noteVariant(variant, "reads the response of", content)
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
            noteVariant(variant, "sends the body of", content)
            return variant
        }
    }

    private mutating func noteVariant(_ variant: OperationPlan, _ what: String, _ content: Content) {
        let operation = variant.source
        let text = "`\(variant.name)` \(what) \(operation.method) \(operation.path) as \(content.mediaType)"
        notes.append(Note(.guess, text, at: operation.place))
    }

    /// The contents without those that say the same as one before them: the same JSON by another name, or as XML.
    static func offered(_ contents: [Content]) -> [Content] { distinct(contents) { $0.hasAllOf($1) } }

    /// What a request can have, each with an endpoint: JSON first, then forms, then other media types.
    ///
    /// Those that say no more than one before them are noted.
    mutating func sent(_ operation: Operation, _ types: TypePlanner) -> [Content] {
        let all = Self.ranked(operation.body?.contents ?? [])
        let sent = Self.distinct(all) { kept, content in
            let hasFiles = content.isMultipart && content.schema.map(types.hasFiles) ?? false
            return !hasFiles && kept.says(content)
        }
        noteOthers(all, than: sent, "body", "sent", of: operation)
        return sent
    }

    /// The contents without those that one before them covers.
    private static func distinct(_ contents: [Content], _ covers: (Content, Content) -> Bool) -> [Content] {
        contents.reduce(into: []) { kept, content in
            if !kept.contains(where: { covers($0, content) }) { kept.append(content) }
        }
    }

    /// Media types that no endpoint has.
    mutating func noteOthers(
        _ all: [Content], than chosen: [Content], _ what: String, _ verb: String, of operation: Operation
    ) {
        let known = Set(chosen.map(\.mediaType))
        let rest = all.map(\.mediaType).filter { !known.contains($0) }
        guard let first = chosen.first, !rest.isEmpty else { return }
        note(
            "the \(what) of \(operation.method) \(operation.path) is \(verb) as \(first.mediaType), not as "
                + rest.joined(separator: ", "), at: operation.place)
    }
}

extension Content {
    /// Whether events or lines arrive one after another.
    var isStream: Bool { isEvents || isLines }

    /// Whether a request with this content says all that one with another says.
    fileprivate func says(_ other: Content) -> Bool {
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
