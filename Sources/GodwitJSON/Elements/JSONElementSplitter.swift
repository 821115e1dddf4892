/// Splits a JSON document that arrives in chunks into the elements of one of its arrays.
///
/// ```swift
/// var splitter = try JSONElementSplitter(at: "data.items")
/// for chunk in chunks {
///     splitter.append(chunk)
///     while let element = try splitter.next() { … }       // the bytes of one element
/// }
/// try splitter.finish()                                   // throws if the document is incomplete
/// ```
///
/// Only the current element is kept in memory. Everything outside of elements is checked against the grammar (RFC 8259),
/// also after the array; elements are left to their decoder. A leading byte order mark is skipped. If a key occurs more
/// than once, the first array at the path counts.
public struct JSONElementSplitter: Sendable {
    /// The default maximum size of an element: 16 MiB.
    public static let defaultElementLimit = 16 << 20

    /// What the next byte belongs to.
    private enum Place: Sendable {
        case beforeArray, inArray, afterArray
        /// In an object, array or string of the array.
        case inElement
        /// In a number or literal of the array.
        case inScalar
    }

    private var grammar: GrammarScan
    private var tracker: PathTracker
    private var element: ElementScan
    private var place = Place.beforeArray
    private let limit: Int

    private var chunk = Data()
    /// How much of the chunk was read.
    private var offset = 0
    /// The position at the start of the chunk.
    private var position = TextPosition()
    /// Where the current element starts in the chunk.
    private var start = 0
    /// The current element's bytes in earlier chunks.
    private var partial = Data()
    /// How many bytes were looked at.
    package private(set) var scannedCount = 0

    /// Creates a splitter for an array.
    ///
    /// - Parameters:
    ///   - path: The path to the array, such as `data.items` or `results[0].rows`. Empty means the document itself. A
    ///     key that contains `.` or `[` is written in brackets and quotes: `['a.b'].items`.
    ///   - elementLimit: The maximum size of an element in bytes. 16 MiB by default.
    ///   - maximumDepth: How deeply objects and arrays can be nested, in the whole document. 512 by default.
    /// - Throws: `.invalidPath`.
    public init(
        at path: String, elementLimit: Int = Self.defaultElementLimit, maximumDepth: Int = 512
    ) throws(JSONElementError) {
        grammar = GrammarScan(maximumDepth: maximumDepth)
        tracker = PathTracker(try ElementPath(path))
        element = ElementScan(maximumDepth: maximumDepth)
        limit = elementLimit
    }

    /// Adds the next bytes. Read all elements first: unread bytes are copied.
    public mutating func append(_ next: Data) {
        chunk.withUnsafeBytes { position.advance(over: UnsafeRawBufferPointer(rebasing: $0[..<offset])) }
        chunk = offset < chunk.count ? chunk.dropFirst(offset) + next : next
        offset = 0
        start = 0
    }

    /// The bytes of the next element, without space around it; `nil` if more bytes are needed.
    ///
    /// - Throws: `.syntax` or `.tooLarge`. Then the splitter can't be used any more.
    public mutating func next() throws(JSONElementError) -> Data? {
        let chunk = chunk
        let outcome = chunk.withUnsafeBytes { bytes in
            Result { () throws(JSONElementError) in try next(in: bytes) }
        }
        return try outcome.get()
    }

    /// Checks the end of the document, after all chunks were added and ``next()`` has returned `nil`.
    ///
    /// - Throws: `.syntax` if the document is incomplete; `.missing` or `.typeMismatch` if it has no array at the path.
    public func finish() throws(JSONElementError) {
        guard grammar.isComplete else {
            let expected = place == .inElement ? "the end of an element" : grammar.expected
            throw syntaxError("expected \(expected)", found: nil, at: chunk.count)
        }
        guard tracker.isFound else { throw tracker.error }
    }
}

extension JSONElementSplitter {
    private mutating func next(in bytes: UnsafeRawBufferPointer) throws(JSONElementError) -> Data? {
        var isElement = false
        let before = offset
        defer { scannedCount += offset - before }
        do throws(GrammarFault) {
            isElement = try findElement(in: bytes)
        } catch {
            throw syntaxError(error.expectation, found: error.found, at: error.offset)
        }
        let isPartial = !isElement && (place == .inElement || place == .inScalar)
        guard isElement || isPartial else { return nil }
        let piece = UnsafeRawBufferPointer(rebasing: bytes[start..<offset])
        guard piece.count <= limit - partial.count else { throw .tooLarge(limit: limit) }
        start = offset
        if isElement, partial.isEmpty { return Data(piece) }
        partial.append(contentsOf: piece)
        guard isElement else { return nil }
        defer { partial = Data() }
        return partial
    }

    /// Moves to the end of the next element. Returns `false` if the chunk ends first.
    private mutating func findElement(in bytes: UnsafeRawBufferPointer) throws(GrammarFault) -> Bool {
        while true {
            if place == .inElement {
                guard try element.scan(bytes, &offset) else { return false }
                grammar.leaveValue()
                place = .inArray
                return true
            }
            let event = try grammar.next(in: bytes, &offset, level: level, keepsKeys: place == .beforeArray)
            guard let event else { return false }
            if place == .beforeArray {
                try follow(event, in: bytes)
            } else if try split(event, in: bytes) {
                return true
            }
        }
    }

    /// The deepest container whose values matter here.
    private var level: Int {
        switch place {
        case .beforeArray: tracker.level
        case .inArray, .inElement, .inScalar: tracker.level + 1
        case .afterArray: -1
        }
    }

    /// Follows the path to the array.
    private mutating func follow(_ event: GrammarScan.Event, in bytes: UnsafeRawBufferPointer) throws(GrammarFault) {
        switch event {
        case .value:
            if tracker.value(bytes[offset]) == .target { place = .inArray }
            try grammar.enter(bytes, &offset)
        case .key:
            if let key = grammar.key { tracker.key(key) }
        case .close:
            if grammar.depth < tracker.level { tracker.close() }
        case .scalar: break
        }
    }

    /// Starts or ends an element, or ends the array. Returns `true` if an element ended.
    private mutating func split(
        _ event: GrammarScan.Event, in bytes: UnsafeRawBufferPointer
    ) throws(GrammarFault) -> Bool {
        switch event {
        case .value:
            start = offset
            switch bytes[offset] {
            case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""):
                element = ElementScan(maximumDepth: grammar.maximumDepth - grammar.depth)
                place = .inElement
            default:
                try grammar.enter(bytes, &offset)
                place = .inScalar
            }
        case .scalar:
            place = .inArray
            return true
        case .close: place = .afterArray
        case .key: break
        }
        return false
    }

    private func syntaxError(_ expectation: String, found: String?, at offset: Int) -> JSONElementError {
        var position = position
        chunk.withUnsafeBytes { position.advance(over: UnsafeRawBufferPointer(rebasing: $0[..<offset])) }
        return .syntax(
            JSONSyntaxError(
                expectation: expectation, found: found, offset: position.offset, line: position.line,
                column: position.column + 1))
    }
}
