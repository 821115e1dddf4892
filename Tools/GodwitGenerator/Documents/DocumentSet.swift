/// A document with all files that it refers to, each read once.
struct DocumentSet {
    /// How many files are read at most, and how many bytes they have together.
    static let maximumFiles = 10_000
    static let maximumTotalSize = 256 << 20

    let root: DocumentNode
    /// By name; the failures of those that can't be read are told when something refers to them.
    private let files: [String: Result<DocumentNode, GenerationError>]
    private var found: [String: Target] = [:]
    private var indexes: [String: [String: Int]] = [:]
    private var anchors: [String: [String: DocumentNode]] = [:]

    /// The files that could be read, by their names.
    var all: [DocumentNode] {
        files.sorted { $0.key < $1.key }.compactMap { file in
            if case .success(let node) = file.value { node } else { nil }
        }
    }

    /// Whether a file isn't a whole document, so that the kinds of its parts are known only where they are used.
    func isPart(_ file: String) -> Bool {
        guard case .success(let node)? = files[file] else { return false }
        return node["openapi"] == nil
    }

    /// What a reference stands for.
    struct Target: Sendable {
        var node: DocumentNode
        /// The same for all spellings of a reference to the same value.
        var key: String
        var file: String
        /// The decoded tokens of the JSON pointer; empty for a whole file and for anchors.
        var tokens: [String]
    }

    /// Reads a document and then the files that it refers to.
    ///
    /// - Throws: What is wrong with the document. Further files that can't be read are errors only of their references.
    init(
        _ document: SourceFile, load: (FileReference) throws(GenerationError) -> SourceFile
    ) throws(GenerationError) {
        let root = try DocumentReader.read(document)
        var files: [String: Result<DocumentNode, GenerationError>] = [document.name: .success(root)]
        var size = document.data.count
        var pending = ReferenceScan.files(in: root)
        while let reference = pending.popLast() {
            let name = reference.name
            guard files[name] == nil else { continue }
            let result = Self.read(
                reference, room: files.count < Self.maximumFiles ? Self.maximumTotalSize - size : 0, load)
            files[name] = result.map(\.node)
            if case .success(let file) = result {
                size += file.size
                pending += ReferenceScan.files(in: file.node)
            }
        }
        self.files = SwaggerConversion.converted(files)
        self.root = try self.files[document.name]?.get() ?? root
    }

    private static func read(
        _ reference: FileReference, room: Int, _ load: (FileReference) throws(GenerationError) -> SourceFile
    ) -> Result<(node: DocumentNode, size: Int), GenerationError> {
        do throws(GenerationError) {
            guard room > 0 else {
                throw GenerationError(.invalid, "the document refers to more than 10,000 files or 256 MiB")
            }
            var file = try load(reference)
            // Places and further references start from the name that was asked for, wherever it was found.
            file.name = reference.name
            return .success((try DocumentReader.read(file), file.data.count))
        } catch {
            return .failure(error)
        }
    }

    /// What a reference in a file stands for.
    ///
    /// - Throws: `.invalid` with a reason and without a place: the caller knows which reference it is.
    mutating func target(of reference: String, in file: String) throws(GenerationError) -> Target {
        let parts = reference.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let name = DocumentAddress.resolve(parts.first.map { String($0) } ?? "", from: file)
        let encoded = parts.count > 1 ? String(parts[1]) : ""
        let fragment = DocumentAddress.percentDecoded(encoded)
        let key = name + "#" + fragment
        if let target = found[key] { return target }
        guard case .success(let document)? = files[name] else {
            if case .failure(let error)? = files[name] { throw error }
            throw GenerationError(.invalid, "`\(SourcePlace.shown(name))` was not read")
        }
        let target = try find(fragment, in: document, Target(node: document, key: key, file: name, tokens: []))
        found[key] = target
        return target
    }

    private mutating func find(
        _ fragment: String, in document: DocumentNode, _ start: Target
    ) throws(GenerationError) -> Target {
        var target = start
        guard let pointer = JSONPointer(fragment) else {
            guard let node = anchor(fragment, in: document, target.file) else {
                throw GenerationError(
                    .invalid, "unknown `$anchor: \(fragment)` in \(SourcePlace.shown(target.file))")
            }
            target.node = node
            return target
        }
        target.tokens = pointer.tokens
        for token in pointer.tokens {
            guard let child = child(token, of: target.node) else {
                throw GenerationError(.invalid, "there is nothing at \(SourcePlace.shown(start.key))")
            }
            target.node = child
        }
        return target
    }

    /// Like ``DocumentNode/child(_:)``, with an index of objects that have many members.
    private mutating func child(_ token: String, of node: DocumentNode) -> DocumentNode? {
        guard case .object(let members) = node.value, members.count > 16 else { return node.child(token) }
        let key = node.place.description
        if let index = indexes[key] {
            // Values that are nested very deep, and those of aliases, share their places.
            if let found = index[token], found < members.count, members[found].key == token {
                return members[found].value
            }
            return node[token]
        }
        indexes[key] = Dictionary(members.enumerated().map { ($1.key, $0) }) { first, _ in first }
        return node[token]
    }

    private mutating func anchor(_ name: String, in document: DocumentNode, _ file: String) -> DocumentNode? {
        if let known = anchors[file] { return known[name] }
        let all = ReferenceScan.anchors(in: document)
        anchors[file] = all
        return all[name]
    }
}
