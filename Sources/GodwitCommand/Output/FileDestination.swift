import Godwit

/// The file of `--output`: written beside its place and moved there once it is complete, so that a failed download
/// leaves neither half a file nor harms the old one.
struct FileDestination {
    let path: String
    private let target: URL
    private let part: URL
    private let replaces: Bool

    /// Throws where the file exists and may not be replaced.
    init(_ path: String, replaces: Bool) throws(CommandFailure) {
        self.path = path
        self.replaces = replaces
        let place = URL(filePath: path).resolvingSymlinksInPath()
        let manager = FileManager.default
        var isFolder = false
        if manager.fileExists(atPath: place.path, isDirectory: &isFolder) {
            if isFolder { throw .file("\(path) is a folder") }
            if !replaces { throw .file("\(path) exists; replace it with --force") }
        }
        target = place
        let name = ".\(place.lastPathComponent).\(UInt32.random(in: .min ... .max)).part"
        part = Self.isSpecial(place) ? place : place.deletingLastPathComponent().appending(path: name)
    }

    /// Where the transport writes to.
    var delivery: Delivery { .file(part) }

    /// Moves the complete file to its place.
    func finish() throws(CommandFailure) {
        guard part != target else { return }
        // Without leave to replace, what has come into being meanwhile stays.
        let isMoved = replaces ? FileMove.replace(target, with: part) : FileMove.move(part, to: target)
        guard isMoved else { throw .file("\(path) cannot be written") }
    }

    /// Removes what has been written.
    func discard() {
        if part != target { try? FileManager.default.removeItem(at: part) }
    }

    /// A device or pipe, such as `/dev/null`, is written to and never replaced.
    private static func isSpecial(_ url: URL) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
        return attributes.map { $0[.type] as? FileAttributeType != .typeRegular } ?? false
    }
}
