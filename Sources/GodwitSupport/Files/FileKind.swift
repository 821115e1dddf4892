#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// What is at a path that a caller named. Decides how it is read or written.
public enum FileKind: Sendable, Hashable {
    case absent
    case regular
    case folder
    /// Only if links aren't followed.
    case link
    /// A device, pipe or socket. It has no size, and it is written into: replacing it would destroy it.
    case special
    /// The path can't be examined, for example because a name is too long. The `errno`.
    case unknown(Int32)

    public init(at path: String, followsLinks: Bool = true) {
        var status = stat()
        if (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 {
            self.init(status)
        } else {
            self = errno == ENOENT ? .absent : .unknown(errno)
        }
    }

    private init(_ status: stat) {
        self =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .folder
            case S_IFLNK: .link
            default: .special
            }
    }
}

/// The file that a path leads to, symbolic links followed.
public struct FileTarget: Sendable, Hashable {
    private static let mostLinks = 40

    public let kind: FileKind
    /// Where the file is, or will be: a link at the end of the caller's path may lead to nothing yet.
    public let path: String

    public init(_ path: String) {
        kind = FileKind(at: path)
        self.path =
            switch kind {
            // The link of a descriptor, such as /dev/fd/3, has no other name to be opened by.
            case .special, .folder: path
            case .absent, .regular, .link, .unknown: Self.end(ofLinksAt: path)
            }
    }

    /// Folders that are links are left to the system. A circle of links stays a link.
    private static func end(ofLinksAt path: String) -> String {
        var end = path
        for _ in 0..<mostLinks {
            guard let target = linkTarget(of: end) else { return end }
            let folder = end.lastIndex(of: "/").map { String(end[...$0]) } ?? ""
            end = target.hasPrefix("/") ? target : folder + target
        }
        return path
    }

    private static func linkTarget(of path: String) -> String? {
        var text = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &text, text.count)
        guard count > 0 else { return nil }
        return String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
