#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif
import Godwit

/// The file of `--output`: written beside its place and moved there once it is complete, so that a failed download
/// leaves neither half a file nor harms the old one.
struct FileDestination {
    /// What becomes of a file that is there already.
    enum ExistingFile: Sendable {
        case kept, replaced
    }

    let path: String
    private let target: URL
    private let part: URL
    private let existing: ExistingFile

    /// Throws where the file exists and is to be kept.
    init(_ path: String, existing: ExistingFile) throws(CommandFailure) {
        self.path = path
        self.existing = existing
        let place = URL(filePath: path).resolvingSymlinksInPath()
        let manager = FileManager.default
        var isFolder = false
        if manager.fileExists(atPath: place.path, isDirectory: &isFolder) {
            if isFolder { throw .file("\(path) is a folder") }
            if existing == .kept { throw .file("\(path) exists; replace it with --force") }
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
        let isMoved =
            switch existing {
            case .replaced: FileMove.replace(target, with: part)
            // What has come into being meanwhile stays too.
            case .kept: FileMove.move(part, to: target)
            }
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

/// Moves files within one folder; each returns whether it did.
enum FileMove {
    /// Takes the place of what is there, in one step.
    static func replace(_ target: URL, with file: URL) -> Bool {
        rename(file.path, target.path) == 0
    }

    /// Fails where something is there.
    static func move(_ file: URL, to target: URL) -> Bool {
        (try? FileManager.default.moveItem(at: file, to: target)) != nil
    }
}
