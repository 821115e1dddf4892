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

    /// Throws if the file exists and must be kept, or can't have this name. A device or pipe, such as `/dev/null`, is written
    /// to directly: it is neither replaced nor kept.
    init(_ path: String, existing: ExistingFile) throws(CommandFailure) {
        self.path = path
        self.existing = existing
        let file = FileTarget(path)
        switch file.kind {
        case .folder: throw .file("\(path) is a folder")
        case .unknown(let code): throw Self.failure(path, code)
        case .regular where existing == .kept: throw .file("\(path) exists; replace it with --force")
        case .absent, .regular, .link, .special: break
        }
        target = URL(filePath: file.path)
        let name = ".\(CompanionName.stem(of: target.lastPathComponent)).\(UInt32.random(in: .min ... .max)).part"
        part = file.kind == .special ? target : target.deletingLastPathComponent().appending(path: name)
    }

    /// Replaces a file with a text, or writes it to a device or pipe.
    static func write(_ text: String, to path: String) throws(CommandFailure) {
        let file = try FileDestination(path, existing: .replaced)
        defer { file.discard() }
        do {
            try Data(text.utf8).write(to: file.part)
        } catch {
            throw .file("cannot write \(path)")
        }
        try file.finish()
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
        case .failed(let code): throw Self.failure(path, code)
        }
    }

    /// Removes the temporary file.
    func discard() {
        if part != target { try? FileManager.default.removeItem(at: part) }
    }

    private static func failure(_ path: String, _ code: Int32) -> CommandFailure {
        .file("cannot write \(path): \(String(cString: strerror(code)))")
    }
}
