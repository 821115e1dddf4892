/// The path of a generated file below the folder of the output, in a form that can't lead out of it.
///
/// Names in a document from the network become parts of paths. So a path that another file system, a shell or Git could take
/// for something else is refused, not corrected.
struct OutputPath: Sendable, Hashable {
    private static let longestComponent = 255
    private static let longestPath = 1024

    let text: String
    let components: [String]

    /// - Throws: `.invalid` if the path is absolute, has an empty part, `.` or `..`, a control character, a backslash, or a
    ///   part named `.git`, or is longer than file systems allow.
    init(_ text: String) throws(GenerationError) {
        self.text = text
        components = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard text.utf8.count <= Self.longestPath, components.allSatisfy(Self.isSafe) else {
            let shown = String(text.prefix(100)).map { $0.unicodeScalars.contains(where: Self.isControl) ? "?" : $0 }
            throw GenerationError(
                .invalid, "\"\(String(shown))\" can't be the path of a generated file; choose other names with --name")
        }
    }

    /// The folders that contain the file, from the outermost, without the folder of the output.
    var folders: [[String]] { components.indices.dropFirst().map { Array(components[..<$0]) } }

    /// The same for paths that are one file where capitals don't matter.
    var folded: String { text.lowercased() }

    private static func isSafe(_ component: String) -> Bool {
        switch component {
        case "", ".", "..": return false
        default: break
        }
        let isPlain = !component.unicodeScalars.contains { isControl($0) || $0 == "\\" }
        return isPlain && component.utf8.count <= longestComponent && component.lowercased() != ".git"
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    }
}

extension OutputPath: Comparable {
    static func < (left: OutputPath, right: OutputPath) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}

extension OutputPath {
    /// The files with their paths, in the order of the paths.
    ///
    /// - Throws: `.invalid` if two files have one path, also where capitals don't matter, or if one is the folder of another.
    static func sorted(_ files: [GeneratedFile]) throws(GenerationError) -> [(path: OutputPath, text: String)] {
        var result: [(path: OutputPath, text: String)] = []
        var (names, folders) = (Set<String>(), Set<String>())
        for file in files {
            let path = try OutputPath(file.path)
            guard names.insert(path.folded).inserted, path.folded != OutputManifest.name else {
                throw GenerationError(.invalid, "two generated files have the path \(path.text)")
            }
            folders.formUnion(path.folders.map { $0.joined(separator: "/").lowercased() })
            result.append((path, file.text))
        }
        if let both = names.intersection(folders).min() {
            throw GenerationError(.invalid, "\(both) would be both a generated file and a folder of generated files")
        }
        return result.sorted { $0.path < $1.path }
    }
}
