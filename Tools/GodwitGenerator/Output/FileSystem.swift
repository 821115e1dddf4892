#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

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

    /// Replaces a file as a whole, by a temporary file in the same folder.
    static func write(_ text: String, to path: String) throws(GenerationError) {
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        let draft = "\(folder)/.godwit-\(String(UInt64.random(in: .min ... .max), radix: 36)).tmp"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw failure("can't write it", path) }
        var fault = fill(descriptor, with: text) ? 0 : errno
        if close(descriptor) != 0, fault == 0 { fault = errno }
        if fault == 0, rename(draft, path) != 0 { fault = errno }
        guard fault == 0 else {
            unlink(draft)
            throw failure("can't write it", path, fault)
        }
    }

    private static func fill(_ descriptor: Int32, with text: String) -> Bool {
        Array(text.utf8).withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let chunk = UnsafeRawBufferPointer(rebasing: rest)
                let count = systemWrite(descriptor, chunk.baseAddress, chunk.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
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

// Separate, because the type's method hides the C function.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
