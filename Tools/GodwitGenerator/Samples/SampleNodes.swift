import GodwitJSON

extension DocumentNode {
    /// Reads a JSON file into nodes with their places.
    init(sample file: SourceFile, maximumBytes: Int = 64 << 20) throws(GenerationError) {
        guard file.data.count <= maximumBytes else {
            throw GenerationError(
                .invalid, "the file is larger than \(maximumBytes >> 20) MiB", at: SourcePlace(file: file.name))
        }
        let bytes = Array(file.data)
        let document: JSONDocument
        do throws(JSONSyntaxError) {
            document = try JSONDocument(parsing: Data(bytes), maximumDepth: 128)
        } catch {
            // The text that was found isn't named: it can be a part of a credential.
            throw GenerationError(
                .invalid, "not valid JSON: \(error.expectation)",
                at: SourcePlace(file: file.name, position: .init(line: error.line, column: error.column)))
        }
        var reading = SampleNodeReading(file: file.name, cursor: TextCursor(bytes))
        self = reading.node(document.root, pointer: "")
    }
}

/// Walks a document in its order, so that lines are counted once.
private struct SampleNodeReading {
    let file: String
    var cursor: TextCursor

    /// The document is at most 128 values deep.
    mutating func node(_ element: JSONElement, pointer: String) -> DocumentNode {
        let place = SourcePlace(file: file, position: cursor.position(at: element.source.startIndex), pointer: pointer)
        switch element.kind {
        case .null: return DocumentNode(value: .null, place: place)
        case .boolean: return DocumentNode(value: .bool(element.bool ?? false), place: place)
        case .number:
            return DocumentNode(value: .number(String(decoding: element.source, as: UTF8.self)), place: place)
        case .string: return DocumentNode(value: .string(element.string ?? "\u{FFFD}"), place: place)
        case .array: return DocumentNode(value: .array(elements(element, pointer)), place: place)
        case .object: return DocumentNode(value: .object(members(element, pointer)), place: place)
        }
    }

    private mutating func elements(_ array: JSONElement, _ pointer: String) -> [DocumentNode] {
        var nodes: [DocumentNode] = []
        for (index, element) in array.elements.enumerated() {
            nodes.append(node(element, pointer: "\(pointer)/\(index)"))
        }
        return nodes
    }

    /// The first member with a key counts, as it does for decoding.
    private mutating func members(_ object: JSONElement, _ pointer: String) -> [DocumentNode.Member] {
        var (members, seen) = ([DocumentNode.Member](), Set<String>())
        for member in object.members {
            let key = member.key
            let value = node(member.value, pointer: "\(pointer)/\(JSONPointer.escaped(key))")
            if seen.insert(key).inserted { members.append(.init(key: key, value: value)) }
        }
        return members
    }
}
