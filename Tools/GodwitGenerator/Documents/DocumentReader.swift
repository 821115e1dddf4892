/// Reads a file as JSON or YAML, whichever its content is: names and media types are often wrong.
enum DocumentReader {
    /// The largest file in bytes.
    static let maximumSize = 64 << 20

    /// The tree of a file.
    ///
    /// - Throws: `.invalid` with the place if the file is neither JSON nor YAML, is empty, repeats a key, or is beyond
    ///   a limit of ``TreeBuilder``.
    static func read(_ file: SourceFile) throws(GenerationError) -> DocumentNode {
        guard file.data.count <= maximumSize else {
            throw GenerationError(
                .invalid,
                "the file has \(file.data.count / 1_000_000) MB, and at most 64 MiB are read; split it into smaller files",
                at: SourcePlace(file: file.name))
        }
        let bytes = try text(of: file)
        switch firstCharacters(bytes) {
        case (0, 0): throw GenerationError(.invalid, "the file is empty", at: SourcePlace(file: file.name))
        case (UInt8(ascii: "{"), _), (UInt8(ascii: "["), _): return try readJSONOrFlow(bytes, file.name)
        case (UInt8(ascii: "<"), let next) where isMarkup(next):
            throw GenerationError(
                .invalid, "this is HTML or XML; a JSON or YAML document is expected", at: SourcePlace(file: file.name))
        default: return try YAMLTree.read(bytes, file: file.name)
        }
    }

    /// JSON, or YAML that starts with a bracket. The error of JSON is the one that helps, because few people write such
    /// YAML.
    private static func readJSONOrFlow(_ bytes: [UInt8], _ name: String) throws(GenerationError) -> DocumentNode {
        let failure: GenerationError
        do throws(GenerationError) {
            return try JSONTree.read(bytes, file: name)
        } catch {
            failure = error
        }
        guard failure.reason.hasPrefix(JSONTree.syntaxError) else { throw failure }
        do throws(GenerationError) {
            return try YAMLTree.read(bytes, file: name)
        } catch {
            throw failure
        }
    }

    /// The file in UTF-8, without a byte order mark.
    private static func text(of file: SourceFile) throws(GenerationError) -> [UInt8] {
        let start = Array(file.data.prefix(3))
        if start == [0xEF, 0xBB, 0xBF] { return Array(file.data.dropFirst(3)) }
        let isLittleEndian = start.starts(with: [0xFF, 0xFE])
        guard isLittleEndian || start.starts(with: [0xFE, 0xFF]) else { return Array(file.data) }
        let encoding: String.Encoding = isLittleEndian ? .utf16LittleEndian : .utf16BigEndian
        guard let text = String(data: file.data.dropFirst(2), encoding: encoding) else {
            throw GenerationError(
                .invalid, "the file is not valid UTF-16; save it as UTF-8", at: SourcePlace(file: file.name))
        }
        return Array(text.utf8)
    }

    /// The first byte that isn't space, and the one after it; zeros if there is none.
    private static func firstCharacters(_ bytes: [UInt8]) -> (UInt8, UInt8) {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
        guard let start = bytes.firstIndex(where: { !isSpace($0) }) else { return (0, 0) }
        return (bytes[start], start + 1 < bytes.count ? bytes[start + 1] : 0)
    }

    /// Whether `<` starts a tag with this character. `<<` is a key of YAML.
    private static func isMarkup(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "!") || byte == UInt8(ascii: "?")
            || byte | 0x20 >= UInt8(ascii: "a")
                && byte | 0x20 <= UInt8(ascii: "z")
    }
}
