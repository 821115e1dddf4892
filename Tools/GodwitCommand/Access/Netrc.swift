/// The logins of a netrc file, as curl 8 reads it.
///
/// An entry begins with `machine HOST` or `default` and ends at the next of these words. The lines of a macro (`macdef NAME`),
/// up to an empty one, belong to no entry. Words can be quoted: `password "super secret"`, with `\"`, `\\`, `\n`, `\r` and
/// `\t`. A word that begins with `#` and isn't quoted starts a comment.
struct Netrc {
    struct Login: Equatable {
        var user = ""
        var password = ""
    }

    private struct Entry {
        /// `nil` for `default`.
        let host: String?
        var login: Login?
    }

    private var entries: [Entry] = []
    /// Whether the words belong to the last entry.
    private var isInEntry = false

    /// Throws if a quote isn't closed on its line.
    init(parsing text: String) throws(UsageError) {
        var reader = NetrcReader(text)
        while let word = try reader.next() {
            switch word.lowercased() {
            case "machine": begin(Entry(host: Self.name(try reader.next() ?? "")))
            case "default": begin(Entry(host: nil))
            case "macdef":
                reader.skipMacro()
                isInEntry = false
            case "login": change(try reader.next()) { $0.user = $1 }
            case "password": change(try reader.next()) { $0.password = $1 }
            case "account": _ = try reader.next()
            default: break
            }
        }
    }

    /// The first login whose entry is for the host or is the default, in the order of the file; `nil` without one.
    ///
    /// - Parameter host: As in a URL; an IPv6 address may be in brackets.
    func login(for host: String) -> Login? {
        let name = Self.name(host)
        return entries.first { $0.login != nil && ($0.host == nil || $0.host == name) }?.login
    }

    private mutating func begin(_ entry: Entry) {
        entries.append(entry)
        isInEntry = true
    }

    private mutating func change(_ value: String?, _ change: (inout Login, String) -> Void) {
        guard let value, isInEntry, let last = entries.indices.last else { return }
        var login = entries[last].login ?? Login()
        change(&login, value)
        entries[last].login = login
    }

    /// In lowercase, without the brackets of an IPv6 address and a final dot.
    private static func name(_ host: String) -> String {
        var name = host.lowercased()[...]
        if name.hasPrefix("["), name.hasSuffix("]") { name = name.dropFirst().dropLast() }
        if name.hasSuffix(".") { name = name.dropLast() }
        return String(name)
    }
}

/// Separates the words of a netrc file. Works on bytes: a character may join a blank or a quote with what follows it.
private struct NetrcReader {
    private static let quote = UInt8(ascii: "\"")
    private static let lineFeed = UInt8(ascii: "\n")

    private var rest: ArraySlice<UInt8>
    private var line = 1

    init(_ text: String) {
        rest = Array(text.utf8)[...]
    }

    /// The next word. `nil` at the end.
    mutating func next() throws(UsageError) -> String? {
        while let byte = rest.first {
            switch byte {
            case UInt8(ascii: "#"): _ = takeLine()
            case Self.quote: return try takeQuoted()
            case let blank where Self.isBlank(blank):
                if blank == Self.lineFeed { line += 1 }
                rest.removeFirst()
            default:
                let word = rest.prefix { !Self.isBlank($0) }
                rest = rest[word.endIndex...]
                return String(decoding: word, as: UTF8.self)
            }
        }
        return nil
    }

    /// Skips the name of a macro and its lines, which end at an empty line.
    mutating func skipMacro() {
        _ = takeLine()
        while !rest.isEmpty {
            let line = takeLine()
            if line.isEmpty || line.elementsEqual([UInt8(ascii: "\r")]) { return }
        }
    }

    private mutating func takeQuoted() throws(UsageError) -> String {
        rest.removeFirst()
        var word: [UInt8] = []
        while let byte = rest.popFirst(), byte != Self.lineFeed {
            if byte == Self.quote { return String(decoding: word, as: UTF8.self) }
            word.append(byte == UInt8(ascii: "\\") ? unescaped(rest.popFirst()) : byte)
        }
        throw UsageError("line \(line): a quote isn't closed")
    }

    private func unescaped(_ byte: UInt8?) -> UInt8 {
        switch byte {
        case UInt8(ascii: "n"): Self.lineFeed
        case UInt8(ascii: "r"): UInt8(ascii: "\r")
        case UInt8(ascii: "t"): UInt8(ascii: "\t")
        default: byte ?? UInt8(ascii: "\\")
        }
    }

    /// The rest of the line, without its end.
    private mutating func takeLine() -> ArraySlice<UInt8> {
        let text = rest.prefix { $0 != Self.lineFeed }
        rest = rest[text.endIndex...].dropFirst()
        line += 1
        return text
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
