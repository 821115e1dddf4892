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
        try tree.read(document.root)
        return tree.builder.root ?? DocumentNode(value: .null, place: SourcePlace(file: file))
    }

    /// What remains of an array or object that is being read.
    private enum Rest {
        case elements(JSONElement.Elements)
        case members(JSONElement.Members)
    }

    private mutating func read(_ root: JSONElement) throws(GenerationError) {
        var stack: [Rest] = []
        if let rest = try start(root) { stack.append(rest) }
        while let last = stack.popLast() {
            var (next, rest) = (JSONElement?.none, last)
            switch last {
            case .elements(var elements):
                next = elements.next()
                rest = .elements(elements)
            case .members(var members):
                if let member = members.next() {
                    // Keys have no offsets: a repeated key is reported at its value.
                    try builder.key(member.key, at: cursor.position(at: member.value.source.startIndex))
                    next = member.value
                }
                rest = .members(members)
            }
            guard let next else {
                _ = try builder.close()
                continue
            }
            stack.append(rest)
            if let inner = try start(next) { stack.append(inner) }
        }
    }

    /// Adds a value; opens an array or object and returns what is in it.
    private mutating func start(_ element: JSONElement) throws(GenerationError) -> Rest? {
        let source = element.source
        let place = builder.place(at: cursor.position(at: source.startIndex))
        switch element.kind {
        case .array:
            try builder.open(object: false, at: place)
            return .elements(element.elements)
        case .object:
            try builder.open(object: true, at: place)
            return .members(element.members)
        case .null: _ = try builder.scalar(.null, at: place)
        case .boolean: _ = try builder.scalar(.bool(element.bool ?? false), at: place)
        case .number: _ = try builder.scalar(.number(String(decoding: source, as: UTF8.self)), at: place)
        case .string:
            guard let text = element.string else {
                throw GenerationError(
                    .invalid, "the string has an unpaired surrogate (`\\uD800` to `\\uDFFF`)", at: place)
            }
            _ = try builder.scalar(.string(text), at: place)
        }
        return nil
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
            self.line = line
            self.column = column
            self.offset = offset
        }
        return SourcePlace.Position(line: line, column: column)
    }
}
