import GodwitLibc

/// What is at a path that a caller named. Decides how it is read or written.
public enum FileKind: Sendable, Hashable {
    /// Nothing, or nothing that can be examined.
    case absent
    case regular
    case folder
    /// Only if links aren't followed.
    case link
    /// A device, pipe or socket. It is written into: replacing it would destroy it.
    case special
    /// The file system can't have such a name.
    case tooLong

    public init(at path: String, followsLinks: Bool = true) {
        var status = stat()
        guard (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else {
            self = errno == ENAMETOOLONG ? .tooLong : .absent
            return
        }
        self =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .folder
            case S_IFLNK: .link
            default: .special
            }
    }
}
