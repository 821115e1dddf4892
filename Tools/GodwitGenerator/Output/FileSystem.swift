import GodwitLibc
import GodwitSupport

/// The calls of the operating system that an output needs, with errors that name the path and the reason.
///
/// POSIX, and not FileManager: its errors don't say why on Linux, and it can neither rename over a file nor remove a folder
/// only if it is empty.
enum FileSystem {
    enum Kind: Sendable, Hashable {
        case file, folder, link, other
    }

    /// What is at a path, without following a symbolic link at its end; `nil` if nothing is.
    static func kind(of path: String) throws(GenerationError) -> Kind? {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            // Something on the way isn't a folder: whoever makes the folders finds out.
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw failure("can't look at it", path)
        }
        return switch status.st_mode & S_IFMT {
        case S_IFREG: .file
        case S_IFDIR: .folder
        case S_IFLNK: .link
        default: .other
        }
    }

    /// Throws `.file` if a path doesn't lead to a folder, symbolic links followed.
    static func requireFolder(_ path: String) throws(GenerationError) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw failure("can't look at it", path) }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw GenerationError(.file, "this isn't a folder", at: SourcePlace(file: path))
        }
    }

    static func read(_ path: String) throws(GenerationError) -> Data {
        do {
            return try Data(contentsOf: URL(filePath: path))
        } catch {
            throw GenerationError(.file, "can't read it: \(error)", at: SourcePlace(file: path))
        }
    }

    /// Replaces a file as a whole. It can be generated again, so it needn't be on the disk at once.
    static func write(_ text: String, to path: String) throws(GenerationError) {
        let draft = FileDraft(of: path, mode: 0o666, isSynchronized: false)
        if let fault = Array(text.utf8).withUnsafeBytes(draft.replace) {
            throw failure("can't write it", path, fault.code)
        }
    }

    static func remove(_ path: String) throws(GenerationError) {
        guard unlink(path) == 0 else { throw failure("can't delete it", path) }
    }

    /// Removes a folder, and returns whether that was possible: one that isn't empty stays.
    static func removeIfEmpty(_ folder: String) -> Bool { rmdir(folder) == 0 }

    static func makeFolder(_ path: String) throws(GenerationError) {
        guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw failure("can't make the folder", path) }
    }

    /// Makes a folder and those that contain it, symbolic links followed.
    static func makeFolders(_ path: String) throws(GenerationError) {
        var made = ""
        for component in path.split(separator: "/", omittingEmptySubsequences: false) {
            made += component
            if !component.isEmpty { try makeFolder(made) }
            made += "/"
        }
        try requireFolder(path.isEmpty ? "." : path)
    }

    private static func failure(_ what: String, _ path: String, _ code: Int32 = errno) -> GenerationError {
        GenerationError(.file, "\(what): \(String(cString: strerror(code)))", at: SourcePlace(file: path))
    }
}
