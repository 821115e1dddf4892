public import GodwitCore
import GodwitSupport

/// The text of an operation with its fragments, or the ID under which the server has it.
///
/// ```swift
/// let document: GraphQLDocument = "query Viewer { viewer { name } }"
/// let trusted = GraphQLDocument(id: "sha256:4f2a…", name: "Viewer")
/// ```
public struct GraphQLDocument: Sendable, Hashable, Nonisolated {
    /// The text; `nil` if only the ID is sent.
    public let text: String?

    /// The ID of a trusted document, sent as `documentId` instead of the text; `nil` if the text is sent.
    public let id: String?

    /// The operation to run, for a document with several. Also the name in the server's logs.
    public let name: String?

    /// Creates a document from its text.
    ///
    /// - Parameters:
    ///   - text: One operation with its fragments, or several.
    ///   - name: The operation's name. By default that of the first operation in the text, if it has one.
    public init(_ text: String, name: String? = nil) {
        self.text = text
        self.name = name ?? Self.firstName(in: text)
        id = nil
    }

    /// Creates a document that the server already has.
    ///
    /// - Parameters:
    ///   - id: The ID, as registered with the server.
    ///   - name: The operation to run; `nil` if the document has only one.
    public init(id: String, name: String? = nil) {
        self.id = id
        self.name = name
        text = nil
    }

    /// The SHA-256 hash of the text in hexadecimal, as for automatic persisted queries.
    package var hash: String? {
        text.map { Hexadecimal.encode(SHA256.digest($0.utf8)) }
    }

    /// The kind of an operation: a query, a mutation or a subscription.
    public enum Kind: String, Sendable, Hashable {
        /// `query` reads, `mutation` changes something and then reads, `subscription` receives events.
        case query, mutation, subscription
    }

    /// The kind of the operation that runs: the one with ``name``, otherwise the first in the text.
    ///
    /// A text without a keyword, such as `{ viewer { name } }`, is a query; so is a document of which only the ID is known.
    public var kind: Kind {
        let operations = Self.operations(in: text ?? "")
        return (operations.first { $0.name == name } ?? operations.first)?.kind ?? .query
    }

    static func firstName(in text: String) -> String? {
        operations(in: text).first?.name
    }

    /// The keywords of operations outside of all braces, strings and comments, and the names after them.
    private static func operations(in text: String) -> [(kind: Kind, name: String?)] {
        var operations: [(kind: Kind, name: String?)] = []
        var words = DocumentWords(text)
        while let word = words.next() {
            // A fragment can have any name.
            if word == "fragment" { _ = words.next() }
            guard let kind = Kind(rawValue: word) else { continue }
            operations.append((kind, words.nextIsName ? words.next() : nil))
        }
        return operations
    }
}

extension GraphQLDocument: ExpressibleByStringLiteral {
    /// Creates a document from its text.
    public init(stringLiteral text: String) {
        self.init(text)
    }
}

/// The words of a document outside of braces, comments and strings.
private struct DocumentWords {
    private var bytes: Substring.UTF8View
    private var depth = 0

    init(_ text: String) {
        bytes = Substring(text).utf8
    }

    /// Whether a name follows immediately after blanks.
    var nextIsName: Bool {
        bytes.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }.map(Self.isNameStart) ?? false
    }

    mutating func next() -> String? {
        while let byte = bytes.first {
            switch byte {
            case UInt8(ascii: "#"): bytes = bytes.drop { $0 != 0x0A && $0 != 0x0D }
            case UInt8(ascii: "\""): skipString()
            case UInt8(ascii: "{"), UInt8(ascii: "("): change(by: 1)
            case UInt8(ascii: "}"), UInt8(ascii: ")"): change(by: -1)
            case _ where Self.isNameStart(byte):
                let word = bytes.prefix { Self.isNameStart($0) || (0x30...0x39).contains($0) }
                bytes = bytes.dropFirst(word.count)
                if depth == 0 { return String(Substring(word)) }
            default: bytes = bytes.dropFirst()
            }
        }
        return nil
    }

    private mutating func change(by step: Int) {
        depth += step
        bytes = bytes.dropFirst()
    }

    private mutating func skipString() {
        let quotes = bytes.prefix { $0 == UInt8(ascii: "\"") }.count
        bytes = bytes.dropFirst(quotes)
        guard quotes == 1 || quotes == 3 else { return }
        while let byte = bytes.first {
            if byte == UInt8(ascii: "\\") {
                bytes = bytes.dropFirst(2)
            } else if bytes.prefix(quotes).allSatisfy({ $0 == UInt8(ascii: "\"") }) {
                bytes = bytes.dropFirst(quotes)
                return
            } else {
                bytes = bytes.dropFirst()
            }
        }
    }

    private static func isNameStart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
        default: false
        }
    }
}
