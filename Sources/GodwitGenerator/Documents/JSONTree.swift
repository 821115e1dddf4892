import GodwitJSON

/// Reads JSON into a tree.
struct JSONTree {
    /// How the errors for text that isn't JSON start.
    static let syntaxError = "not valid JSON: "

    private var builder: TreeBuilder
    private var cursor: TextCursor

    static func read(_ bytes: [UInt8], file: String) throws(GenerationError) -> DocumentNode {
        let document: JSONDocument
        do throws(JSONSyntaxError) {
            document = try JSONDocument(parsing: Data(bytes), maximumDepth: TreeBuilder.maximumDepth)
        } catch {
            let found = error.found.map { ", found \"\($0)\"" } ?? ""
            throw GenerationError(
                .invalid, syntaxError + error.expectation + found,
                at: SourcePlace(file: file, position: .init(line: error.line, column: error.column)))
        }
        var tree = JSONTree(builder: TreeBuilder(file: file), cursor: TextCursor(bytes))
        try tree.add(document.root)
        return tree.builder.root ?? DocumentNode(value: .null, place: SourcePlace(file: file))
    }

    private mutating func add(_ element: JSONElement) throws(GenerationError) {
        let source = element.source
        let place = builder.place(at: cursor.position(at: source.startIndex))
        switch element.kind {
        case .null: _ = try builder.scalar(.null, at: place)
        case .boolean: _ = try builder.scalar(.bool(element.bool ?? false), at: place)
        case .number: _ = try builder.scalar(.number(String(decoding: source, as: UTF8.self)), at: place)
        case .string:
            guard let text = element.string else {
                throw GenerationError(
                    .invalid, "the string has an unpaired surrogate (`\\uD800` to `\\uDFFF`)", at: place)
            }
            _ = try builder.scalar(.string(text), at: place)
        case .array:
            try builder.open(object: false, at: place)
            for element in element.elements { try add(element) }
            _ = try builder.close()
        case .object: try addObject(element, at: place)
        }
    }

    private mutating func addObject(_ element: JSONElement, at place: SourcePlace) throws(GenerationError) {
        try builder.open(object: true, at: place)
        for member in element.members {
            // Keys have no offsets: a repeated key is reported at its value.
            let position = cursor.position(at: member.value.source.startIndex)
            try builder.key(member.key, at: position)
            try add(member.value)
        }
        _ = try builder.close()
    }
}

/// Lines and columns of offsets that never decrease: the bytes are counted once.
struct TextCursor {
    private let bytes: [UInt8]
    private var offset = 0
    private var line = 1
    private var column = 1

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The line, and the column in Unicode scalars, of a byte that isn't before the last one asked for.
    mutating func position(at target: Int) -> SourcePlace.Position {
        let end = min(target, bytes.count)
        bytes.withUnsafeBufferPointer { bytes in
            var (line, column, offset) = (line, column, offset)
            while offset < end {
                let byte = bytes[offset]
                if byte == 0x0A {
                    line &+= 1
                    column = 1
                } else if byte & 0xC0 != 0x80 {
                    column &+= 1
                }
                offset &+= 1
            }
            (self.line, self.column, self.offset) = (line, column, offset)
        }
        return SourcePlace.Position(line: line, column: column)
    }
}
