/// A document's values take more memory than they may.
package struct JSONValuesTooLarge: Error, Sendable, Hashable {
    /// The most bytes of memory that the values may take.
    package let limit: Int
}

extension JSONValue {
    /// The most memory that the values of one body may take with the index of its document: twice the default limit of a body.
    ///
    /// A value takes 24 bytes, and a member of an object 80, which their text may have in two or five.
    package static let memoryLimit = 128 << 20

    /// Reads a value of a document, unless it would take more than ``memoryLimit``.
    package init?(bounded element: JSONElement) {
        guard element.treeSize <= Self.memoryLimit else { return nil }
        self.init(element)
    }

    /// Parses JSON; `nil` if it is invalid, or would take more than ``memoryLimit``.
    package init?(parsing data: Data) {
        guard !JSONDocument.exceeds(Self.memoryLimit, data), let document = try? JSONDocument(parsing: data),
            document.tape.size <= Self.memoryLimit
        else { return nil }
        self.init(bounded: document.root)
    }
}

extension Tape {
    /// Bytes of memory.
    var size: Int { count &* MemoryLayout<TapeEntry>.stride }
}

extension JSONElement {
    /// The memory that a ``JSONValue`` of this takes, roughly, without making it.
    var treeSize: Int {
        let entries = document.tape.entries
        return (Int(index)..<Int(entry.next)).reduce(0) { $0 &+ Self.size(of: entries[$1]) }
    }

    private static func size(of entry: TapeEntry) -> Int {
        let value = MemoryLayout<JSONValue>.stride
        // A string of up to 15 bytes has no memory of its own.
        let text = entry.length > 15 ? Int(entry.length) &+ 32 : 0
        return switch entry.kind {
        case .null, .true, .false, .number: value
        case .string: value &+ text
        // On average a dictionary uses half of its places.
        case .key: value &+ 2 &* MemoryLayout<String>.stride &+ text
        case .array: value &+ 32
        case .object: value &+ 64
        }
    }
}

extension JSONDocument {
    /// Whether the index of a document would take more than so many bytes. Counts the values of large documents alone: an entry
    /// has at least two bytes of text.
    static func exceeds(_ limit: Int, _ data: Data) -> Bool {
        let most = limit / MemoryLayout<TapeEntry>.stride
        guard data.count / 2 >= most else { return false }
        return data.withUnsafeBytes { entryCount(in: $0, upTo: most) } > most
    }

    /// Counts the values and keys of a text, which need not be JSON, until there are more than so many.
    static func entryCount(in bytes: UnsafeRawBufferPointer, upTo most: Int) -> Int {
        var (count, isInString, isInWord, isEscaped) = (0, false, false, false)
        for byte in bytes where count <= most {
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""):
                count &+= 1
                isInString = true
                isInWord = false
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                count &+= 1
                isInWord = false
            case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "]"), UInt8(ascii: "}"), ...0x20: isInWord = false
            case _ where !isInWord:
                count &+= 1
                isInWord = true
            default: break
            }
        }
        return count
    }
}

/// Types that are nothing but a tree of ``JSONValue``, so that a document too large for it isn't parsed.
private protocol JSONTree {}

extension JSONValue: JSONTree {}
extension Optional: JSONTree where Wrapped: JSONTree {}
extension Array: JSONTree where Element: JSONTree {}
extension Dictionary: JSONTree where Key == String, Value: JSONTree {}

extension JSONModelDecoder {
    /// Throws ``JSONValuesTooLarge`` for a tree whose document alone takes more than ``valueLimit``.
    func checkSize<Value>(of type: Value.Type, _ data: Data) throws(JSONValuesTooLarge) {
        // A look at the type takes longer than most bodies.
        guard let valueLimit, data.count >= valueLimit / MemoryLayout<TapeEntry>.stride, type is any JSONTree.Type,
            JSONDocument.exceeds(valueLimit, data)
        else { return }
        throw JSONValuesTooLarge(limit: valueLimit)
    }
}

extension DecodingSession {
    /// Throws ``JSONValuesTooLarge`` if the trees that were read and this one take more than they may.
    func willMakeTree(of element: JSONElement) throws {
        guard let limit = options.valueLimit else { return }
        treeSize = treeSize &+ element.treeSize
        guard treeSize &+ document.tape.size <= limit else { throw JSONValuesTooLarge(limit: limit) }
    }
}
