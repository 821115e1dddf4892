import GodwitCore

/// Merges the payloads of an incremental response into one result: the draft with `pending`, `incremental` and `completed`,
/// and the older forms with a `path` for each patch.
struct IncrementalMerge {
    private var data: JSONValue?
    private var errors: [GraphQLError] = []
    private var extensions: [String: JSONValue] = [:]
    /// The places that the server has announced.
    private var pending: [String: [GraphQLError.PathComponent]] = [:]
    private var byteCount = 0
    private let limit: Int

    /// Whether the last payload has been merged.
    private(set) var isComplete = false

    init(limit: Int) {
        self.limit = limit
    }

    /// Merges a payload.
    ///
    /// - Returns: Whether the result has changed, or is complete.
    mutating func merge(_ payload: Data) throws(NetworkError) -> Bool {
        byteCount += payload.count
        guard byteCount <= limit else { throw NetworkError(.tooLarge(limit: Int64(limit)), phase: .receiving) }
        guard let root = (try? JSONDocument(parsing: payload))?.root, root.kind == .object else {
            throw Self.violation("a part that is not a JSON object")
        }
        isComplete = root["hasNext"]?.bool != true
        // An empty object only says that nothing follows.
        guard !root.members.isEmpty else { return true }
        if let members = root["extensions"].map(JSONValue.init)?.members { extensions.merge(members) { $1 } }
        note(root["pending"])
        if data == nil, root["path"] == nil, root["incremental"] == nil {
            guard root["data"] != nil || root["errors"] != nil else {
                throw Self.violation("a first part without data")
            }
            data = root["data"].map(JSONValue.init) ?? .null
            errors = GraphQLError.list(root["errors"]) ?? []
            return true
        }
        // The oldest form: the payload itself is the patch.
        if root["path"] != nil { try patch(root) }
        if let patches = root["incremental"] { for element in patches.elements { try patch(element) } }
        if let completed = root["completed"] { for element in completed.elements { complete(element) } }
        return isComplete || root["path"] != nil || root["incremental"] != nil || root["completed"] != nil
    }

    /// The result so far.
    func result() throws(NetworkError) -> RawResult {
        var result = RawResult(errors: errors)
        result.hasData = true
        if let data, data != .null { result.data = try JSONCoding().encode(data) }
        result.extensions = extensions
        return result
    }

    private mutating func note(_ announced: JSONElement?) {
        guard let announced else { return }
        for element in announced.elements {
            guard let id = element["id"]?.string else { continue }
            pending[id] = Self.path(element["path"])
        }
    }

    private mutating func complete(_ element: JSONElement) {
        if let id = element["id"]?.string { pending[id] = nil }
        addErrors(element["errors"])
    }

    private mutating func addErrors(_ element: JSONElement?) {
        errors += (GraphQLError.list(element) ?? []).prefix(max(0, GraphQLError.mostErrors - errors.count))
    }

    private mutating func patch(_ element: JSONElement) throws(NetworkError) {
        addErrors(element["errors"])
        var path = Self.path(element["path"])
        let isAnnounced = element["id"]?.string
        if let id = isAnnounced {
            guard let place = pending[id] else { throw Self.violation("a patch that was not announced") }
            path = place + Self.path(element["subPath"])
        }
        var root = data ?? .null
        data = nil
        defer { data = root }
        if let items = element["items"], items.kind == .array {
            let values = items.elements.map(JSONValue.init)
            guard root.append(values, at: path[...], endsWithIndex: isAnnounced == nil) else {
                throw Self.misplaced(path)
            }
        } else if let value = element["data"], value.kind == .object {
            guard root.merge(JSONValue(value), at: path[...]) else { throw Self.misplaced(path) }
        }
    }

    private static func path(_ element: JSONElement?) -> [GraphQLError.PathComponent] {
        element?.elements.compactMap(GraphQLError.PathComponent.init) ?? []
    }

    private static func misplaced(_ path: [GraphQLError.PathComponent]) -> NetworkError {
        violation("a patch for a place that doesn't exist: \(GraphQLError(message: "", path: path).pathDescription)")
    }

    private static func violation(_ reason: String) -> NetworkError {
        NetworkError(.transport(.protocolViolation("the server sent \(reason)")), phase: .receiving)
    }
}

extension JSONValue {
    /// Merges members into the object at a path. Returns `false` if there is none.
    fileprivate mutating func merge(_ patch: JSONValue, at path: ArraySlice<GraphQLError.PathComponent>) -> Bool {
        change(at: path) { $0.merge(patch) }
    }

    private mutating func merge(_ patch: JSONValue) -> Bool {
        guard case .object(var members) = self, case .object(let more) = patch else { return false }
        self = .null
        for (name, value) in more {
            // Fields of objects that several fragments select are merged.
            if members[name]?.merge(value) != true { members[name] = value }
        }
        self = .object(members)
        return true
    }

    /// Appends elements to the list at a path. An older form names the first element's index instead of the list.
    fileprivate mutating func append(
        _ values: [JSONValue], at path: ArraySlice<GraphQLError.PathComponent>, endsWithIndex: Bool
    ) -> Bool {
        var (path, index) = (path, Int?.none)
        if endsWithIndex, case .index(let first)? = path.last {
            index = first
            path = path.dropLast()
        }
        return change(at: path) { list in
            guard case .array(var elements) = list else { return false }
            guard index.map({ $0 == elements.count }) ?? true else { return false }
            list = .null
            elements += values
            list = .array(elements)
            return true
        }
    }

    /// Changes the value at a path in place.
    private mutating func change(
        at path: ArraySlice<GraphQLError.PathComponent>, _ body: (inout JSONValue) -> Bool
    ) -> Bool {
        guard let first = path.first else { return body(&self) }
        let rest = path.dropFirst()
        switch (self, first) {
        case (.object(var members), .field(let name)):
            // Released first, so that the members aren't copied.
            self = .null
            defer { self = .object(members) }
            guard var child = members.removeValue(forKey: name) else { return false }
            defer { members[name] = child }
            return child.change(at: rest, body)
        case (.array(var elements), .index(let index)):
            self = .null
            defer { self = .array(elements) }
            guard elements.indices.contains(index) else { return false }
            return elements[index].change(at: rest, body)
        default: return false
        }
    }
}
