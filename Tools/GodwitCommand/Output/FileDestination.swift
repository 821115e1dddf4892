import Godwit
import GodwitLibc
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
    private let isSpecial: Bool

    /// Throws if the file exists and must be kept, or can't have this name. A device or pipe is neither replaced nor kept.
    init(_ path: String, existing: ExistingFile) throws(CommandFailure) {
        self.path = path
        self.existing = existing
        let kind = FileKind(at: path)
        switch kind {
        case .folder: throw .file("\(path) is a folder")
        case .tooLong: throw Self.failure(path, ENAMETOOLONG)
        case .regular where existing == .kept: throw .file("\(path) exists; replace it with --force")
        case .absent, .regular, .link, .special: break
        }
        isSpecial = kind == .special
        // A descriptor's link, such as /dev/stdout, has no other name to be opened by.
        target = isSpecial ? URL(filePath: path) : URL(filePath: path).resolvingSymlinksInPath()
        part = URL(filePath: CompanionName.draft(of: target.path))
    }

    /// Writes a text to a file, which it replaces, or to a device or pipe.
    static func write(_ text: String, to path: String) async throws(CommandFailure) {
        let file = try FileDestination(path, existing: .replaced)
        if let special = try file.openSpecial() { return try await file.write(Data(text.utf8), to: special) }
        do {
            try Data(text.utf8).write(to: file.target, options: .atomic)
        } catch {
            throw .file("cannot write \(path)")
        }
    }

    /// The device or pipe to write to as the body arrives; `nil` for a file. Throws for a pipe without a reader.
    func openSpecial() throws(CommandFailure) -> StreamDescriptor? {
        guard isSpecial else { return nil }
        do throws(StreamDescriptor.Fault) {
            return try StreamDescriptor(path, for: .writing)
        } catch {
            throw failure(error)
        }
    }

    func write(_ data: Data, to special: StreamDescriptor) async throws(CommandFailure) {
        do throws(StreamDescriptor.Fault) {
            try await special.write([UInt8](data))
        } catch {
            throw failure(error)
        }
    }

    private func failure(_ fault: StreamDescriptor.Fault) -> CommandFailure {
        switch fault {
        case .cancelled: .output(.cancelled)
        case .system(EPIPE): .output(.closed)
        case .system(let code): Self.failure(path, code)
        }
    }

    /// The delivery that writes to the temporary name.
    var delivery: Delivery { .file(part) }

    /// Renames the complete file.
    func finish() throws(CommandFailure) {
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
        unlink(part.path)
    }

    private static func failure(_ path: String, _ code: Int32) -> CommandFailure {
        .file("cannot write \(path): \(String(cString: strerror(code)))")
    }
}
