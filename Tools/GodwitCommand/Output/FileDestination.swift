#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif
import Godwit
import GodwitSupport

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
        let outcome =
            switch existing {
            case .replaced: FileMove.replace(target.path, with: part.path)
            // A file that was created in the meantime is kept too.
            case .kept: FileMove.move(part.path, toFree: target.path)
            }
        switch outcome {
        case .moved: return
        case .exists: throw .file("\(path) exists; replace it with --force")
        case .failed(let code): throw .file("cannot write \(path): \(String(cString: strerror(code)))")
        }
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
