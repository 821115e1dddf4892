import GodwitWire

/// The names of files that others refer to: RFC 3986, section 5, for paths and URLs.
enum DocumentAddress {
    /// The name of a file as another file refers to it.
    ///
    /// - Parameters:
    ///   - reference: A relative path, an absolute path, or a URL; without fragment.
    ///   - base: The path or URL of the file that has the reference.
    static func resolve(_ reference: String, from base: String) -> String {
        if reference.isEmpty { return base }
        if hasScheme(reference) { return reference }
        let (root, path) = split(base)
        let decoded = root.isEmpty ? percentDecoded(reference) : reference
        if reference.hasPrefix("//"), let scheme = root.firstIndex(of: ":") { return root[...scheme] + reference }
        if decoded.hasPrefix("/") { return root + withoutDots(decoded) }
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? (root.isEmpty ? "" : "/")
        return root + withoutDots(folder + decoded)
    }

    /// The file's name without folders and extension.
    static func stem(_ name: String) -> String {
        let last = name.split(separator: "/").last ?? "schema"
        return String(last.prefix { $0 != "." && $0 != "?" })
    }

    /// Text with its percent encoding decoded; as it is if that isn't valid.
    static func percentDecoded(_ text: String) -> String {
        PercentEncoding.decode(text) ?? text
    }

    private static func hasScheme(_ text: String) -> Bool {
        guard let end = text.firstRange(of: "://") else { return false }
        return text[..<end.lowerBound].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }

    /// The scheme and authority of a URL, and the path without query; the first is empty for a path.
    private static func split(_ name: String) -> (root: String, path: Substring) {
        guard hasScheme(name), let start = name.firstRange(of: "://") else { return ("", name[...]) }
        let rest = name[start.upperBound...]
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        return (String(name[..<end]), rest[end...].prefix { $0 != "?" })
    }

    private static func withoutDots(_ path: some StringProtocol) -> String {
        let isAbsolute = path.hasPrefix("/")
        var parts: [Substring] = []
        for part in String(path).split(separator: "/") {
            switch part {
            case ".": break
            case ".." where parts.last.map({ $0 != ".." }) ?? isAbsolute: _ = parts.popLast()
            default: parts.append(part)
            }
        }
        return (isAbsolute ? "/" : "") + parts.joined(separator: "/")
    }
}
