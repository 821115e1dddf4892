/// The grammar of a `tracestate` field (section 3.3).
enum TraceState {
    private static let mostMembers = 32
    private static let longest = 512

    /// The value without blanks and empty members; nil where it is empty or not valid as a whole.
    static func checked(_ text: String) -> String? {
        let members = text.split(separator: ",", omittingEmptySubsequences: true).map(trimmed).filter { !$0.isEmpty }
        var keys: Set<Substring> = []
        for member in members {
            guard let equals = member.firstIndex(of: "="), isKey(member[..<equals]),
                isValue(member[member.index(after: equals)...]), keys.insert(member[..<equals]).inserted
            else { return nil }
        }
        let joined = members.joined(separator: ",")
        return members.isEmpty || members.count > mostMembers || joined.utf8.count > longest ? nil : joined
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        guard let first = text.firstIndex(where: { !isBlank($0) }), let last = text.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return text[first...last]
    }

    /// `key` or `tenant@system`.
    private static func isKey(_ key: Substring) -> Bool {
        let parts = key.split(separator: "@", omittingEmptySubsequences: false).map { Array($0.utf8) }
        guard parts.count <= 2, parts.allSatisfy({ $0.allSatisfy(isKeyByte) }), let first = parts.first,
            let last = parts.last, let start = first.first, let systemStart = last.first
        else { return false }
        if parts.count == 1 { return isLowercase(start) && first.count <= 256 }
        return (isLowercase(start) || isDigit(start)) && first.count <= 241 && isLowercase(systemStart)
            && last.count <= 14
    }

    /// Printable ASCII without comma and equals sign.
    private static func isValue(_ value: Substring) -> Bool {
        let bytes = value.utf8
        return (1...256).contains(bytes.count)
            && bytes.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "=") }
    }

    private static func isKeyByte(_ byte: UInt8) -> Bool {
        isLowercase(byte) || isDigit(byte) || "_-*/".utf8.contains(byte)
    }

    private static func isLowercase(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
