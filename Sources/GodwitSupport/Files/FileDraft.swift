import GodwitLibc

/// The new contents of a file, written next to it and then renamed over it, so that a reader finds either the old ones or
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
    private let mode: UInt16
    private let isSynchronized: Bool

    /// - Parameters:
    ///   - target: The file to replace.
    ///   - path: Where to write, in the same folder and absent. A random name by default.
    ///   - mode: The permissions, which the process's umask limits.
    ///   - isSynchronized: Whether the contents reach the disk before the name changes, so that a crash of the system
    ///     leaves no empty file. Not needed for what can be made again.
    public init(of target: String, at path: String? = nil, mode: UInt16, isSynchronized: Bool) {
        self.target = target
        self.path = path ?? CompanionName.draft(of: target)
        self.mode = mode
        self.isSynchronized = isSynchronized
    }

    /// Replaces the file. Returns what failed.
    public func replace(with bytes: UnsafeRawBufferPointer) -> Failure? {
        switch written(bytes) {
        case .failure(let failure): return failure
        case .success(let descriptor):
            // Some file systems tell only now that writing failed.
            guard close(descriptor) == 0 else { return abandoned(at: .write) }
            return renamed()
        }
    }

    /// Replaces the file, and returns the descriptor for reading and writing it, which the caller closes.
    public func replaceKeepingOpen(with bytes: UnsafeRawBufferPointer) -> Result<Int32, Failure> {
        written(bytes).flatMap { descriptor in
            if let failure = renamed(closing: descriptor) { .failure(failure) } else { .success(descriptor) }
        }
    }

    private func renamed(closing descriptor: Int32? = nil) -> Failure? {
        guard case .failed(let code) = FileMove.replace(target, with: path) else { return nil }
        errno = code
        return abandoned(at: .rename, closing: descriptor)
    }

    private func written(_ bytes: UnsafeRawBufferPointer) -> Result<Int32, Failure> {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(mode))
        guard descriptor >= 0 else { return .failure(Failure(step: .create, code: errno)) }
        guard Descriptor.write(bytes, to: descriptor), !isSynchronized || fsync(descriptor) == 0 else {
            return .failure(abandoned(at: .write, closing: descriptor))
        }
        return .success(descriptor)
    }

    private func abandoned(at step: Step, closing descriptor: Int32? = nil) -> Failure {
        let failure = Failure(step: step, code: errno)
        if let descriptor { close(descriptor) }
        unlink(path)
        return failure
    }
}
