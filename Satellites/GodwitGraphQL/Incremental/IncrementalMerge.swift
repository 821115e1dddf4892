import GodwitCore

/// Merges the payloads of an incremental response into one result: the draft with `pending`, `incremental` and `completed`,
/// and the older forms with a `path` for each patch.
struct IncrementalMerge {
    private var data: MergedJSON?
    private var errors: [GraphQLError] = []
    private var extensions: [String: JSONValue] = [:]
    /// The places that the server has announced.
    private var pending: [String: [GraphQLError.PathComponent]] = [:]
    private var byteCount = 0
    /// What decoders accept. The merge calls itself for each level.
    private static let deepest = 512
    private let limit: Int

    /// Whether the last payload has been merged.
    private(set) var isComplete = false

    /// Whether the payload before was `{}`. Between others it keeps the connection alive; before the end of the response it
    /// only says that nothing follows.
    private(set) var mayEnd = false

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
            throw .violation("a part that is not a JSON object")
        }
        mayEnd = root.members.isEmpty
        guard !mayEnd else { return false }
        isComplete = root["hasNext"]?.bool != true
        if let members = root["extensions"].map(JSONValue.init)?.members { extensions.merge(members) { $1 } }
        note(root["pending"])
        let isFirst = data == nil && root["path"] == nil
        if isFirst { try start(root) }
        // The oldest form: the payload itself is the patch.
        if root["path"] != nil { try patch(root) }
        if let patches = root["incremental"] { for element in patches.elements { try patch(element) } }
        if let completed = root["completed"] { for element in completed.elements { complete(element) } }
        return isFirst || isComplete || ["path", "incremental", "completed"].contains { root[$0] != nil }
    }

    private mutating func start(_ root: JSONElement) throws(NetworkError) {
        guard root["data"] != nil || root["errors"] != nil else { throw .violation("a first part without data") }
        data = root["data"].map(MergedJSON.init) ?? .null
        addErrors(root["errors"])
    }

    /// Notes that no payload follows.
    mutating func end() { isComplete = true }

    /// The result so far.
    func result() -> RawResult {
        var result = RawResult(errors: errors)
        result.hasData = true
        if let data, !data.isNull { result.data = Data(data.text) }
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
        let announcement = element["id"]?.string
        if let id = announcement {
            guard let place = pending[id] else { throw .violation("a patch that was not announced") }
            path = place + Self.path(element["subPath"])
        }
        let part = MergedJSON.Patch(element, ofForm: announcement == nil ? .withPath : .announced)
        guard let part else { return }
        guard path.count + part.depth <= Self.deepest else { throw .violation("a patch nested too deeply") }
        guard data?.apply(part, at: path[...]) == true else { throw Self.misplaced(path) }
    }

    private static func path(_ element: JSONElement?) -> [GraphQLError.PathComponent] {
        element?.elements.compactMap(GraphQLError.PathComponent.init) ?? []
    }

    private static func misplaced(_ path: [GraphQLError.PathComponent]) -> NetworkError {
        .violation("a patch for a place that doesn't exist: \(GraphQLError(message: "", path: path).pathDescription)")
    }
}
