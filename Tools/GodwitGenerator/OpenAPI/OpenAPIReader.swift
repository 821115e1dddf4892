/// Reads an OpenAPI document, 3.0 to 3.2.
///
/// What can't be read becomes a note with its place, and the rest is read.
struct OpenAPIReader {
    /// Reads schemas; also has the documents and the notes.
    var schemas: SchemaReader
    /// The requests of callbacks that were read with their operations.
    var callbacks: [Operation] = []
    var isReadingCallback = false

    /// The API that a document describes.
    ///
    /// - Parameter load: Reads a file that the document refers to.
    /// - Throws: `.unsupported` for other versions and kinds of documents, `.invalid` if the document isn't JSON or
    ///   YAML, or if nothing in it can be generated.
    static func read(
        _ document: SourceFile, load: (FileReference) throws(GenerationError) -> SourceFile
    ) throws(GenerationError) -> APIDescription {
        try readWithDocuments(document, load: load).description
    }

    /// The same, with the documents to which the description's sources belong.
    static func readWithDocuments(
        _ document: SourceFile, load: (FileReference) throws(GenerationError) -> SourceFile
    ) throws(GenerationError) -> (description: APIDescription, documents: DocumentSet) {
        let documents = try DocumentSet(document, load: load)
        let version = try OpenAPIVersion(of: documents.root)
        var reader = OpenAPIReader(schemas: SchemaReader(documents, version: version))
        return (try reader.read(), documents)
    }

    private mutating func read() throws(GenerationError) -> APIDescription {
        let root = schemas.documents.root
        let info = root["info"]
        var api = APIDescription(title: info?["title"]?.text ?? "API")
        api.summary = info?["description"]?.text ?? info?["summary"]?.text
        api.version = info?["version"]?.text
        api.servers = servers(in: root)
        api.securitySchemes = securitySchemes(in: root)
        let known = Set(api.securitySchemes.map(\.name))
        api.security = security(in: root, known: known) ?? []
        api.tags = tags(in: root)
        schemas.readComponents()
        api.operations = operations(in: root, known: known)
        api.webhooks = webhooks(in: root, known: known)
        api.schemas = schemas.finish()
        noteOmissions(in: root)
        for file in schemas.documents.all { noteFields(in: file) }
        api.notes = schemas.notes
        SchemaCompletion.complete(&api)
        guard !api.operations.isEmpty || !api.webhooks.isEmpty || !api.schemas.isEmpty else {
            let reason = api.notes.first.map { "; first of \(api.notes.count): \($0.text)" } ?? ""
            throw GenerationError(
                .invalid, "the document has no operation and no schema that can be generated\(reason)",
                at: api.notes.first?.place ?? root.place)
        }
        return api
    }

    private mutating func noteOmissions(in root: DocumentNode) {
        if root["info"]?["title"]?.text == nil {
            note("the document has no title (`info.title`); the API is called `API`", root)
        }
    }

    /// Fields that aren't read. Those of a file that isn't a whole document are told where its parts are used.
    private mutating func noteFields(in file: DocumentNode) {
        guard file["openapi"] != nil else { return }
        for note in FieldWalk.notes(on: file) { schemas.add(note) }
    }

    private mutating func tags(in root: DocumentNode) -> [String: String] {
        var result: [String: String] = [:]
        for tag in elements(of: root, "tags") {
            guard let name = tag["name"]?.text else {
                note("the tag has no name", tag)
                continue
            }
            result[name] = tag["description"]?.text ?? tag["summary"]?.text
        }
        return result
    }
}

extension OpenAPIReader {
    mutating func note(_ text: String, _ node: DocumentNode) {
        schemas.note(text, node)
    }

    /// The elements of a list; empty if there is none, with a note if it is something else.
    mutating func elements(of node: DocumentNode, _ key: String) -> [DocumentNode] {
        guard let list = node[key].map({ referred($0) }), !list.isNull else { return [] }
        if case .array(let elements) = list.value { return elements }
        note("`\(key)` has to be a list, but is \(list.kindName)", list)
        return []
    }

    /// The members of an object; empty if there is none, with a note if it is something else.
    mutating func members(of node: DocumentNode, _ key: String) -> [DocumentNode.Member] {
        guard let object = node[key].map({ referred($0) }), !object.isNull else { return [] }
        if case .object(let members) = object.value { return members }
        note("`\(key)` has to be an object, but is \(object.kindName)", object)
        return []
    }

    /// What stands for a node that is only a reference, whatever it is; the node itself with a note if there is nothing.
    mutating func referred(_ node: DocumentNode) -> DocumentNode {
        var (current, seen) = (node, Set<String>())
        while ReferenceScan.isReference(current), let reference = current["$ref"] {
            guard let target = schemas.target(of: reference), seen.insert(target.key).inserted else { break }
            current = target.node
        }
        return current
    }

    /// The object that a node is or refers to; `nil` with a note if there is none.
    mutating func resolved(_ node: DocumentNode, _ what: String, _ kind: OpenAPIFields.Kind? = nil) -> DocumentNode? {
        var (current, seen) = (node, Set<String>())
        var last: DocumentSet.Target?
        while let reference = current["$ref"] {
            guard let target = schemas.target(of: reference) else { return nil }
            guard seen.insert(target.key).inserted else {
                note("the references lead in a circle instead of to \(what)", node)
                return nil
            }
            current = target.node
            last = target
        }
        guard current.isObject else {
            note("\(what) has to be an object, but is \(current.kindName)", current)
            return nil
        }
        if let kind, let last {
            schemas.noteFields(of: current, kind)
            nameSchemas(of: last, kind)
        }
        return current
    }
}
