/// Names for files that stand next to another file, such as its partial content.
///
/// File systems take 255 bytes. A long name is cut, and a hash of it tells apart names with the same beginning.
public enum CompanionName {
    /// The maximum bytes of the original name that are kept.
    private static let longestStem = 160

    /// The beginning of a companion's name, with space for endings.
    ///
    /// - Parameter mark: What tells this name apart from an equal one; by default, that is needed only for a name that was cut.
    public static func stem(of name: String, mark: String? = nil) -> String {
        var stem = ""
        for character in name {
            guard stem.utf8.count + character.utf8.count <= longestStem else { break }
            stem.append(character)
        }
        if let mark { return stem + "-" + hash(mark) }
        return stem == name ? stem : stem + "-" + hash(name)
    }

    /// The FNV-1a hash of a text, in hexadecimal.
    private static func hash(_ text: String) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return Hexadecimal.encode(hash)
    }
}
