import GodwitWire

/// The values that a path has for the parameters of a template, decoded.
struct PathValues {
    private var values: [String: String] = [:]

    /// - Parameters:
    ///   - path: As sent: `/articles/7:cancel`.
    ///   - template: As the document has it: `/articles/{id}:cancel`.
    init(_ path: String, _ template: String) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let wanted = template.prefix { $0 != "?" && $0 != "#" }.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == wanted.count else { return }
        for (part, pattern) in zip(parts, wanted) { read(part, pattern) }
    }

    subscript(name: String) -> String? { values[name] }

    /// Reads a segment: what stands between the texts of the pattern are values.
    private mutating func read(_ segment: Substring, _ pattern: Substring) {
        var (rest, pattern) = (segment, pattern)
        while let open = pattern.firstIndex(of: "{"), let close = pattern[open...].firstIndex(of: "}") {
            let name = String(pattern[pattern.index(after: open)..<close])
            guard rest.hasPrefix(pattern[..<open]) else { return }
            rest = rest.dropFirst(pattern[..<open].count)
            pattern = pattern[pattern.index(after: close)...]
            let text = pattern.prefix { $0 != "{" }
            // The last text ends the segment; one in between ends at its first place.
            let isLast = text.endIndex == pattern.endIndex
            let end = isLast ? Self.end(of: rest, without: text) : rest.firstRange(of: text)?.lowerBound
            guard let end else { return }
            values[name] = PercentEncoding.decode(String(rest[..<end])) ?? String(rest[..<end])
            rest = rest[end...]
        }
    }

    private static func end(of segment: Substring, without text: Substring) -> Substring.Index? {
        segment.hasSuffix(text) ? segment.index(segment.endIndex, offsetBy: -text.count) : nil
    }
}
