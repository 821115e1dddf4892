extension OpenAPIReader {
    /// The requests that the API sends to a server of its user: webhooks, then callbacks, each once.
    mutating func webhooks(in root: DocumentNode, known: Set<String>) -> [Operation] {
        var result: [Operation] = []
        for member in members(of: root, "webhooks") where !member.key.hasPrefix("x-") {
            guard let item = pathItem(member.value) else { continue }
            result += received(by: item, named: member.key, known: known)
        }
        // Operations can share a callback.
        var places: Set<SourcePlace> = []
        return (result + callbacks).filter { places.insert($0.place).inserted }
    }

    /// Reads the callbacks of an operation. One within a callback isn't read: it would be a response to the user's server.
    mutating func readCallbacks(of node: DocumentNode, known: Set<String>) {
        guard !isReadingCallback else { return }
        isReadingCallback = true
        for member in members(of: node, "callbacks") where !member.key.hasPrefix("x-") {
            guard let callback = resolved(member.value, "a callback") else { continue }
            for expression in callback.members where !expression.key.hasPrefix("x-") {
                guard let item = pathItem(expression.value) else { continue }
                callbacks += received(by: item, named: member.key, known: known)
            }
        }
        isReadingCallback = false
    }

    private mutating func received(by item: DocumentNode, named name: String, known: Set<String>) -> [Operation] {
        operations(of: item, path: "/", known: known).map { operation in
            var operation = operation
            operation.id = operation.id ?? name
            return operation
        }
    }
}
