#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif
import Godwit

/// The file of `--output`. It is written under a temporary name in the same folder and renamed once it is complete, so that a
/// failed download leaves neither a partial file nor a damaged old one.
struct FileDestination {
    /// How an existing file is treated.
    enum ExistingFile: Sendable {
        case kept, replaced
    }

    let path: String
    private let target: URL
    private let part: URL
    private let existing: ExistingFile

    /// Throws if the file exists and must be kept. A device is neither replaced nor kept.
    init(_ path: String, existing: ExistingFile) throws(CommandFailure) {
        self.path = path
        self.existing = existing
        let place = URL(filePath: path).resolvingSymlinksInPath()
        let manager = FileManager.default
        var isFolder = false
        if manager.fileExists(atPath: place.path, isDirectory: &isFolder) {
            if isFolder { throw .file("\(path) is a folder") }
            if existing == .kept, !Self.isSpecial(place) { throw .file("\(path) exists; replace it with --force") }
        }
        target = place
        let name = ".\(place.lastPathComponent).\(UInt32.random(in: .min ... .max)).part"
        part = Self.isSpecial(place) ? place : place.deletingLastPathComponent().appending(path: name)
    }

    /// The delivery that writes to the temporary name.
    var delivery: Delivery { .file(part) }

    /// Renames the complete file.
    func finish() throws(CommandFailure) {
        guard part != target else { return }
        let isMoved =
            switch existing {
            case .replaced: systemRename(part.path, target.path) == 0
            // A file that was created in the meantime is kept too.
            case .kept: (try? FileManager.default.moveItem(at: part, to: target)) != nil
            }
        guard isMoved else { throw .file("cannot write \(path)") }
    }

    /// Removes the temporary file.
    func discard() {
        if part != target { try? FileManager.default.removeItem(at: part) }
    }

    /// A device or pipe, such as `/dev/null`, is written to directly and never replaced.
    private static func isSpecial(_ url: URL) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
        return attributes.map { $0[.type] as? FileAttributeType != .typeRegular } ?? false
    }
}

/// Renames a file and atomically replaces an existing one.
private func systemRename(_ file: String, _ target: String) -> Int32 { rename(file, target) }
