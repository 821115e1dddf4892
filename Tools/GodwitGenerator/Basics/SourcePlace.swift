/// Where something stands in the documents that are read.
public struct SourcePlace: Sendable, Hashable {
    /// The file as it was named, or the URL; `-` for standard input.
    public var file: String
    /// The line and the column, both from 1; `nil` if only the file is known.
    public var position: Position?
    /// The JSON pointer (RFC 6901) from the root of the file; empty for the root.
    public var pointer: String

    /// A line and a column, both from 1.
    public struct Position: Sendable, Hashable {
        /// The line, from 1.
        public var line: Int
        /// The column in that line, from 1.
        public var column: Int

        /// Creates a position from a line and a column, both from 1.
        public init(line: Int, column: Int) {
            self.line = line
            self.column = column
        }
    }

    /// Creates a place in a file. By default, the whole file.
    public init(file: String, position: Position? = nil, pointer: String = "") {
        self.file = file
        self.position = position
        self.pointer = pointer
    }
}

extension SourcePlace: CustomStringConvertible {
    /// `api.yaml:12:5 (#/paths/~1articles/get)`
    public var description: String {
        let place = position.map { "\(shownFile):\($0.line):\($0.column)" } ?? shownFile
        return pointer.isEmpty ? place : "\(place) (#\(pointer))"
    }

    private var shownFile: String { Self.shown(file) }

    /// A URL without its query and user, which can be secret, and with its fragment; other names as they are.
    static func shown(_ file: String) -> String {
        guard let scheme = file.firstRange(of: "://") else { return file }
        let end = file.firstIndex(of: "#") ?? file.endIndex
        let rest = file[scheme.upperBound..<end].prefix { $0 != "?" }
        let user = rest.prefix { $0 != "/" }.lastIndex(of: "@").map { rest.index(after: $0) }
        return String(file[..<scheme.upperBound] + rest[(user ?? rest.startIndex)...] + file[end...])
    }
}
