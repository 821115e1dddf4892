import GodwitCore
import GodwitLibc

/// Why a folder can't be used.
package enum FolderFault: Error, Sendable, Hashable, CustomStringConvertible {
    /// The system denied the operation.
    case system(Int32)
    /// A symbolic link in the path belongs to another user, who could redirect it.
    case foreignLink(String)

    package var description: String {
        switch self {
        case .system(let code): String(cString: strerror(code))
        case .foreignLink(let path): "the symbolic link \(path) belongs to another user"
        }
    }
}

/// Resolves the symbolic links of a path, component by component.
///
/// Follows a link only if this user or root created it, so that no other user can choose where files are written. Root
/// has legitimate links, such as `/var` on Apple platforms.
enum FolderPath {
    /// Maximum links, the same as the system's limit.
    private static let linkLimit = 40

    /// The path without links, `.` and `..`. Missing folders are created.
    ///
    /// - Parameters:
    ///   - path: An absolute path.
    ///   - mode: The mode of created folders.
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

    /// The target of a link; `nil` for a folder, which is created if missing.
    private static func step(to path: String, making mode: mode_t) throws(FolderFault) -> String? {
        var status = stat()
        if lstat(path, &status) != 0 {
            switch errno {
            case ENOENT:
                guard mkdir(path, mode) == 0 || errno == EEXIST else { throw .system(errno) }
                guard lstat(path, &status) == 0 else { throw .system(errno) }
            // A sandbox may allow traversing a folder but not inspecting it.
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
