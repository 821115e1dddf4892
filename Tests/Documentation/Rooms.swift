/// Which folder of a target uses which, by the names of the types that are declared at the top level of its files.
struct Rooms {
    /// A file that names a type of another folder.
    struct Use: CustomStringConvertible {
        let user: String
        let used: String
        let name: String

        var description: String { "\(user) uses \(name) of \(used)" }
    }

    /// By the folder that uses, and the folder that is used: one example.
    private var uses: [String: [String: Use]] = [:]

    init(of target: String) throws {
        var sources: [String: String] = [:]
        for path in try Repository.sources(in: target) {
            sources[String(path.dropFirst(target.count + 1))] = try Repository.text(path)
        }
        self.init(sources)
    }

    /// - Parameter sources: The text of each file, by its path in the target.
    init(_ sources: [String: String]) {
        let files = sources.filter { $0.key.contains("/") }.mapValues { SourceNames($0) }
        var owners: [String: String] = [:]
        for (path, names) in files.sorted(by: { $0.key < $1.key }) {
            for name in names.declared where owners[name] == nil { owners[name] = path }
        }
        for (path, names) in files {
            for name in names.used {
                guard let owner = owners[name], Self.room(owner) != Self.room(path) else { continue }
                uses[Self.room(path), default: [:]][Self.room(owner)] = Use(user: path, used: owner, name: name)
            }
        }
    }

    private static func room(_ path: String) -> String {
        String(path.prefix { $0 != "/" })
    }

    /// The uses between folders that use each other, directly or by way of others; empty if the folders have an order.
    var circle: [Use] {
        var left = uses
        while let room = left.keys.first(where: { !Self.isBetween($0, left) }) { left[room] = nil }
        return left.values.flatMap(\.self).filter { left[$0.key] != nil }.map(\.value)
    }
}

extension Rooms {
    /// Whether a folder uses one of the rest, and one of the rest uses it.
    private static func isBetween(_ room: String, _ rest: [String: [String: Use]]) -> Bool {
        let usesOne = rest[room]?.keys.contains { rest[$0] != nil } ?? false
        return usesOne && rest.values.contains { $0[room] != nil }
    }
}

/// The names of types that a file declares at its top level, and those that it uses. Comments and strings do not count.
private struct SourceNames {
    private(set) var declared: Set<String> = []
    private(set) var used: Set<String> = []

    private static let keywords: Set<Substring> = ["struct", "class", "enum", "protocol", "actor", "typealias"]

    init(_ text: String) {
        var isQuoted = false
        for line in text.split(separator: "\n") {
            // Lines of a string of several lines, and the comment lines, which are most.
            if line.contains("\"\"\"") { isQuoted.toggle() }
            let code = line.drop { $0 == " " }
            if isQuoted || code.hasPrefix("//") || code.hasPrefix("import ") { continue }
            let words = Self.words(of: code)
            let isTopLevel =
                code.startIndex == line.startIndex && !code.hasPrefix("private") && !code.hasPrefix("fileprivate")
            for (place, word) in words.enumerated() {
                let isDeclared = isTopLevel && place > 0 && Self.keywords.contains(words[place - 1].text)
                if isDeclared { declared.insert(String(word.text)) }
                if word.isType, !word.isMember { used.insert(String(word.text)) }
            }
        }
    }

    private typealias Word = (text: Substring, isType: Bool, isMember: Bool)

    /// The identifiers of a line up to a comment, without those in strings.
    private static func words(of line: Substring) -> [Word] {
        var words: [Word] = []
        var start: Substring.UTF8View.Index?
        var (before, isString) = (UInt8(ascii: " "), false)
        let bytes = line.utf8
        for index in bytes.indices {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\""), before != UInt8(ascii: "\\") { isString.toggle() }
            if byte == UInt8(ascii: "/"), before == byte, !isString { break }
            let isPart = byte.isLetter || (start != nil && byte.isDigit)
            if isPart, start == nil, !isString {
                start = index
                words.append(
                    (
                        line[index...].prefix { $0.isLetter || $0.isNumber || $0 == "_" }, byte.isUpper,
                        before == UInt8(ascii: ".")
                    ))
            } else if !isPart {
                start = nil
            }
            before = byte
        }
        return words
    }
}

extension UInt8 {
    fileprivate var isUpper: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    fileprivate var isLetter: Bool {
        isUpper || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) || self == UInt8(ascii: "_")
    }
}
