/// Names for files next to another file, such as its partial content.
///
/// File systems take names of up to 255 bytes. A long name is cut, and a hash tells apart names with the same beginning.
public enum CompanionName {
    /// The maximum bytes of the original name that are kept.
    private static let longestStem = 160

    /// The beginning of a companion's name, with space for endings.
    ///
    /// - Parameter mark: Tells this name apart from an equal one. By default, only a name that was cut needs that.
    public static func stem(of name: String, mark: String? = nil) -> String {
        var stem = ""
        for character in name {
            guard stem.utf8.count + character.utf8.count <= longestStem else { break }
            stem.append(character)
        }
        guard let mark = mark ?? (stem == name ? nil : name) else { return stem }
        return stem + "-" + hash(mark)
    }

    /// The path of a companion: the file's path with an ending.
    public static func path(of file: String, ending: String) -> String {
        let start = file.lastIndex(of: "/").map { file.index(after: $0) } ?? file.startIndex
        return file[..<start] + stem(of: String(file[start...])) + ending
    }

    /// The ending of drafts.
    public static let draftEnding = ".part"

    /// The path of a new draft, a hidden file that is written and then renamed: `.NAME.RANDOM.part` in the file's folder.
    public static func draft(of file: String) -> String {
        let start = file.lastIndex(of: "/").map { file.index(after: $0) } ?? file.startIndex
        let number = String(UInt64.random(in: .min ... .max), radix: 36)
        return "\(file[..<start]).\(stem(of: String(file[start...]))).\(number)\(draftEnding)"
    }

    /// The FNV-1a hash of a text, in hexadecimal.
    private static func hash(_ text: String) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return Hexadecimal.encode(hash)
    }
}
