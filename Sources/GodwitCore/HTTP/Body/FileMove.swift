#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Moves a finished file to its name, in one step.
enum FileMove {
    enum Outcome {
        case moved
        /// Something has the name already.
        case exists
        /// The `errno` of the call that failed.
        case failed(Int32)
    }

    /// Takes the place of what has the name.
    static func replace(_ target: String, with source: String) -> Outcome {
        rename(source, target) == 0 ? .moved : .failed(errno)
    }

    /// Never replaces anything, also if another program creates the file at the same time.
    static func move(_ source: String, toFree target: String) -> Outcome {
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

    /// For file systems without hard links: an empty file takes the name first.
    private static func moveWithoutLinks(_ source: String, to target: String) -> Outcome {
        let placeholder = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard placeholder >= 0 else { return errno == EEXIST ? .exists : .failed(errno) }
        close(placeholder)
        return replace(target, with: source)
    }
}
