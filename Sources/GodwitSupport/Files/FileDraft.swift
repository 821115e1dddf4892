#if canImport(Darwin)
public import Darwin
#elseif canImport(Musl)
public import Musl
#else
public import Glibc
#endif

/// The new contents of a file, written beside it and then renamed over it, so that a reader finds either the old ones or
/// the new ones whole.
public struct FileDraft: Sendable {
    public enum Step: Sendable {
        case create, write, rename
    }

    /// The step that failed, and its `errno`. The draft is removed, and the file is what it was.
    public struct Failure: Error {
        public let step: Step
        public let code: Int32
    }

    private let target: String
    private let path: String
    private let mode: mode_t
    private let isSynchronized: Bool

    /// - Parameters:
    ///   - target: The file to replace.
    ///   - path: Where to write, in the same folder and absent. A random name by default.
    ///   - mode: The permissions, which the process's umask limits.
    ///   - isSynchronized: Whether the contents reach the disk before the name changes, so that a crash of the system
    ///     leaves no empty file. Not needed for what can be made again.
    public init(of target: String, at path: String? = nil, mode: mode_t, isSynchronized: Bool) {
        self.target = target
        self.path = path ?? "\(target).\(String(UInt64.random(in: .min ... .max), radix: 36)).tmp"
        self.mode = mode
        self.isSynchronized = isSynchronized
    }

    /// Replaces the file.
    public func replace(with bytes: UnsafeRawBufferPointer) throws(Failure) {
        close(try replaceKeepingOpen(with: bytes))
    }

    /// Replaces the file, and returns the descriptor for writing to it, which the caller closes.
    public func replaceKeepingOpen(with bytes: UnsafeRawBufferPointer) throws(Failure) -> Int32 {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw Failure(step: .create, code: errno) }
        guard Descriptor.write(bytes, to: descriptor), !isSynchronized || fsync(descriptor) == 0 else {
            throw abandon(descriptor, .write)
        }
        guard rename(path, target) == 0 else { throw abandon(descriptor, .rename) }
        return descriptor
    }

    private func abandon(_ descriptor: Int32, _ step: Step) -> Failure {
        let failure = Failure(step: step, code: errno)
        close(descriptor)
        unlink(path)
        return failure
    }
}
