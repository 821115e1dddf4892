/// The list of the generated files with their digests, in a file of the output's folder.
///
/// One file for all has two advantages over a digest in each: it covers files without comments, such as JSON, and it tells
/// which files were generated earlier and are to be removed. It belongs in version control. If it is lost, files that carry
/// ``GeneratedMark`` count as edited.
///
/// A merge can leave two entries for a path and lines that are no entries. So a path can have several digests, and other
/// lines are ignored: the next run writes the file again.
struct OutputManifest: Sendable, Hashable {
    static let name = ".godwit-generated"
    private static let head = """
        # The files that godwit generate wrote, with their digests. Keep it in version control: it tells which files were edited.

        """
    private static let label = "sha256-"

    /// The digests that the generated text of a path can have.
    var digests: [OutputPath: Set<String>] = [:]

    init() {}

    /// Reads the lines `sha256-0123456789abcdef Models/Ticket.swift`.
    init(parsing text: FileText) {
        for line in text.bytes.split(separator: UInt8(ascii: "\n")) {
            let parts = String(decoding: line, as: UTF8.self).split(separator: " ", maxSplits: 1)
            guard parts.count == 2, parts[0].hasPrefix(Self.label), let path = try? OutputPath(String(parts[1])) else {
                continue
            }
            digests[path, default: []].insert(String(parts[0].dropFirst(Self.label.count)))
        }
    }

    /// In the order of the paths; empty if there are no entries.
    var text: String {
        let lines = digests.sorted { $0.key < $1.key }.flatMap { path, digests in
            digests.sorted().map { "\(Self.label)\($0) \(path.text)\n" }
        }
        return lines.isEmpty ? "" : Self.head + lines.joined()
    }

    /// The entries of both.
    func merged(with other: OutputManifest) -> OutputManifest {
        var merged = self
        merged.digests.merge(other.digests) { $0.union($1) }
        return merged
    }
}
