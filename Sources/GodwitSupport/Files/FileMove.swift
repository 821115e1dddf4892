import GodwitLibc

/// Moves a finished file to its final name, atomically.
public enum FileMove {
    public enum Outcome: Sendable {
        case moved
        /// A file with that name exists.
        case exists
        /// The `errno` of the call that failed.
        case failed(Int32)
    }

    /// Moves the file, replacing a file or link at the target, but never a device, pipe or socket.
    public static func replace(_ target: String, with source: String) -> Outcome {
        // The system lets a privileged process replace /dev/null.
        if FileKind(at: target, followsLinks: false) == .special { return .failed(EOPNOTSUPP) }
        return rename(source, target) == 0 ? .moved : .failed(errno)
    }

    /// Moves the file without ever replacing another, even one that is created at the same time.
    public static func move(_ source: String, toFree target: String) -> Outcome {
        if link(source, target) == 0 {
            unlink(source)
            return .moved
        }
        switch errno {
        case EEXIST: return .exists
        case EPERM, EOPNOTSUPP, EMLINK, ENOSYS: return moveWithoutLinks(source, to: target)
        case let code: return .failed(code)
        }
    }

    /// Fallback for file systems without hard links: reserves the name with an empty file first.
    private static func moveWithoutLinks(_ source: String, to target: String) -> Outcome {
        let placeholder = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard placeholder >= 0 else { return errno == EEXIST ? .exists : .failed(errno) }
        close(placeholder)
        return replace(target, with: source)
    }
}
