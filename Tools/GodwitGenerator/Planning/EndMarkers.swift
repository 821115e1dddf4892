extension TypePlanner {
    /// `[DONE]`, the data of a last event that isn't JSON: OpenAI's API has it, and all that imitate it. Documents say so in
    /// words alone, often at the member of the request that turns streaming on.
    func endMarker(of operation: Operation) -> String? {
        let marker = "[DONE]"
        let words = [operation.summary, operation.description] + operation.responses.map(\.summary)
        if words.contains(where: { $0?.contains(marker) == true }) { return marker }
        return mentions(marker, in: operation.body?.contents.compactMap(\.schema) ?? []) ? marker : nil
    }

    /// Whether the words of a schema, or of one that it uses, contain a text.
    private func mentions(_ text: String, in schemas: [Schema]) -> Bool {
        var (waiting, seen) = (schemas, Set<String>())
        while let schema = waiting.popLast() {
            if schema.summary?.contains(text) == true { return true }
            waiting += schema.children
            if case .reference(let name) = schema.kind, seen.insert(name).inserted, let target = self.schemas[name] {
                waiting.append(target)
            }
        }
        return false
    }
}
