import GodwitCore
#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Why a folder can't be used.
package enum FolderFault: Error, Sendable, Hashable, CustomStringConvertible {
    /// The system refuses.
    case system(Int32)
    /// A symbolic link of another user leads there, who could make it lead elsewhere.
    case foreignLink(String)

    package var description: String {
        switch self {
        case .system(let code): String(cString: strerror(code))
        case .foreignLink(let path): "the symbolic link \(path) belongs to another user"
        }
    }
}

/// Resolves the symbolic links of a path, one part after the other.
///
/// A link is followed if this user or root made it; nobody else can then choose where files are written. Systems have
/// links of root's of their own, such as `/var` on Apple's.
enum FolderPath {
    /// As many links as the system follows.
    private static let linkLimit = 40

    /// The path without links, `.` and `..`; folders that are missing are made.
    ///
    /// - Parameters:
    ///   - path: An absolute path.
    ///   - mode: The mode of folders that are made.
    static func resolve(_ path: String, making mode: mode_t) throws(FolderFault) -> String {
        var rest: [Substring] = path.split(separator: "/").reversed()
        var done: [Substring] = []
        var links = 0
        while let part = rest.popLast() {
            if part == "." { continue }
            if part == ".." {
                _ = done.popLast()
                continue
            }
            let next = "/" + (done + [part]).joined(separator: "/")
            guard let target = try step(to: next, making: mode) else {
                done.append(part)
                continue
            }
            links += 1
            guard links <= linkLimit else { throw .system(ELOOP) }
            if target.hasPrefix("/") { done = [] }
            rest += target.split(separator: "/").reversed()
        }
        return "/" + done.joined(separator: "/")
    }

    /// Where a link leads to; nil for a folder, which is made if it is missing.
    private static func step(to path: String, making mode: mode_t) throws(FolderFault) -> String? {
        var status = stat()
        if lstat(path, &status) != 0 {
            switch errno {
            case ENOENT:
                guard mkdir(path, mode) == 0 || errno == EEXIST else { throw .system(errno) }
                guard lstat(path, &status) == 0 else { throw .system(errno) }
            // A sandbox may let a process through a folder, and not look at it.
            case EACCES, EPERM: return nil
            case let code: throw .system(code)
            }
        }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return nil
        case S_IFLNK where status.st_uid == 0 || status.st_uid == geteuid(): return try destination(of: path)
        case S_IFLNK: throw .foreignLink(path)
        default: throw .system(ENOTDIR)
        }
    }

    private static func destination(of link: String) throws(FolderFault) -> String {
        var bytes = [CChar](repeating: 0, count: 4097)
        let count = readlink(link, &bytes, bytes.count)
        guard count > 0 else { throw .system(errno) }
        guard count < bytes.count else { throw .system(ENAMETOOLONG) }
        return String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
