/// Reads YAML into a tree: the first and only document of a file.
struct YAMLTree {
    private var builder: TreeBuilder
    /// The anchors of arrays and objects that are open, by level.
    private var openAnchors: [String?] = []
    private var anchors: [String: TreeBuilder.Finished] = [:]

    static func read(_ bytes: [UInt8], file: String) throws(GenerationError) -> DocumentNode {
        try bytes.withUnsafeBufferPointer { bytes throws(GenerationError) in
            var tree = YAMLTree(builder: TreeBuilder(file: file))
            try tree.read(YAMLParser(bytes, file: file))
            guard let root = tree.builder.root else {
                throw GenerationError(.invalid, "the file is empty", at: SourcePlace(file: file))
            }
            return root
        }
    }

    private mutating func read(_ parser: consuming YAMLParser) throws(GenerationError) {
        var documents = 0
        while true {
            let (event, position) = try parser.next()
            switch event {
            case .streamEnd: return
            case .documentStart:
                documents += 1
                guard documents == 1 else {
                    throw GenerationError(
                        .invalid, "a second document starts here; only one in a file is read",
                        at: SourcePlace(file: builder.file, position: position))
                }
            case .other: break
            default: try add(event, at: position)
            }
        }
    }

    private mutating func add(_ event: YAMLParser.Event, at position: SourcePlace.Position) throws(GenerationError) {
        switch event {
        case .scalar(let scalar): try add(scalar, at: position)
        case .alias(let name): try add(alias: name, at: position)
        case .sequenceStart(let anchor): try open(object: false, anchor, at: position)
        case .mappingStart(let anchor): try open(object: true, anchor, at: position)
        case .end:
            let anchor = openAnchors.popLast() ?? nil
            let finished = try builder.close()
            if let anchor { anchors[anchor] = finished }
        case .documentStart, .streamEnd, .other: break
        }
    }

    private mutating func open(
        object isObject: Bool, _ anchor: String?, at position: SourcePlace.Position
    ) throws(GenerationError) {
        guard !builder.expectsKey else { throw invalidKey(position) }
        try builder.open(object: isObject, at: builder.place(at: position))
        openAnchors.append(anchor)
        if let anchor { anchors[anchor] = nil }
    }

    private mutating func add(_ scalar: YAMLParser.Scalar, at position: SourcePlace.Position) throws(GenerationError) {
        guard !builder.expectsKey else { return try addKey(scalar, at: position) }
        let value = YAMLScalar.value(scalar)
        let finished = try builder.scalar(value, at: builder.place(at: position))
        if let anchor = scalar.anchor { anchors[anchor] = finished }
    }

    /// Keys keep their text: `200` and `"200"` are the same key.
    private mutating func addKey(
        _ scalar: YAMLParser.Scalar, at position: SourcePlace.Position
    ) throws(GenerationError) {
        if scalar.isPlain, scalar.text == "<<" {
            builder.mergeKey()
        } else {
            try builder.key(scalar.text, at: position)
        }
        if let anchor = scalar.anchor {
            let node = DocumentNode(value: .string(scalar.text), place: builder.place(at: position))
            anchors[anchor] = TreeBuilder.Finished(node: node, count: 1, height: 0)
        }
    }

    private mutating func add(alias name: String, at position: SourcePlace.Position) throws(GenerationError) {
        let place = builder.place(at: position)
        guard let target = anchors[name] else {
            let isOpen = openAnchors.contains(name)
            throw GenerationError(
                .invalid,
                isOpen ? "the alias `*\(name)` stands for a value that contains it" : "unknown anchor `&\(name)`",
                at: place)
        }
        guard builder.expectsKey else { return try builder.alias(target, at: place) }
        guard let key = target.node.text else { throw invalidKey(position) }
        try builder.key(key, at: position)
    }

    private func invalidKey(_ position: SourcePlace.Position) -> GenerationError {
        GenerationError(
            .invalid, "a key has to be text, not a list or an object",
            at: SourcePlace(file: builder.file, position: position))
    }
}
