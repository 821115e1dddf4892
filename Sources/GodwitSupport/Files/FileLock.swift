import GodwitLibc
import Synchronization

/// The lock of files that several processes of one user change: an empty file of mode 0600 next to them.
///
/// A file of its own, because another user may open, and so lock, a folder or any file that they can read. It has the number
/// of the process that holds the lock, which removes it at the end: whoever takes the lock makes sure that the file still has
/// its name. If the process dies, the kernel releases the lock, and the file stays for the next one.
public struct FileLock: Sendable, Hashable {
    /// Why the lock wasn't taken.
    public enum Fault: Error, Sendable, Hashable {
        /// Another process, or another part of this one, holds it. With the process, if known.
        case held(by: Int32?)
        /// There is a symbolic link in the lock file's place.
        case symbolicLink
        /// What is in the lock file's place isn't a regular file.
        case notAFile
        /// The lock file belongs to another user.
        case foreignOwner
        /// A system call failed with this `errno`.
        case system(Int32)
    }

    /// How long a process waits for another one that only writes.
    public static let usualPatience = Duration.seconds(10)
    static let pause = Duration.milliseconds(10)

    /// The path of the lock file.
    public let path: String

    /// - Parameter path: The path of the lock file, whose folder must exist.
    public init(at path: String) {
        self.path = path
    }

    /// The lock of one file: `NAME.lock` next to it, where a long name is shortened.
    public init(of file: String) {
        self.init(at: CompanionName.path(of: file, ending: ".lock"))
    }

    /// Takes the lock if it is free. Doesn't wait.
    public func take() throws(Fault) -> HeldLock {
        while true {
            let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw errno == ELOOP ? .symbolicLink : .system(errno) }
            do throws(Fault) {
                if try isCurrent(descriptor) { return HeldLock(descriptor, path) }
            } catch {
                GodwitLibc.close(descriptor)
                throw error
            }
            // It was removed after it was opened: the next process would lock another file.
            Self.close(descriptor)
        }
    }

    /// Runs work while this holds the lock. Without the lock, the work doesn't run. Blocks the thread.
    ///
    /// - Parameter patience: How long to wait for another process.
    public func whileHeld<Value, Failure>(
        patience: Duration = usualPatience, _ work: () throws(Failure) -> Value
    ) throws(Failure) -> Result<Value, Fault> {
        let lock: HeldLock
        do throws(Fault) {
            lock = try takeBlocking(patience: patience)
        } catch {
            return .failure(error)
        }
        defer { lock.release() }
        return .success(try work())
    }

    /// Repeats an attempt to take a lock while another process holds it. Blocks no thread. Ends with the last attempt's fault
    /// when the task is canceled.
    ///
    /// - Parameter patience: How long to wait.
    public static func wait(
        patience: Duration, clock: any Clock<Duration>, for attempt: () throws(Fault) -> HeldLock
    ) async throws(Fault) -> HeldLock {
        var waited = Duration.zero
        while true {
            let fault: Fault
            do throws(Fault) {
                return try attempt()
            } catch {
                fault = error
            }
            guard case .held = fault, waited < patience, await sleep(on: clock) else { throw fault }
            waited += pause
        }
    }

    /// Returns whether the task wasn't canceled.
    private static func sleep(on clock: any Clock<Duration>) async -> Bool {
        do {
            try await clock.sleep(for: pause, tolerance: nil)
            return true
        } catch {
            return false
        }
    }

    private func takeBlocking(patience: Duration) throws(Fault) -> HeldLock {
        var waited = Duration.zero
        while true {
            do throws(Fault) {
                return try take()
            } catch {
                guard case .held = error, waited < patience else { throw error }
            }
            usleep(UInt32(Self.pause / .microseconds(1)))
            waited += Self.pause
        }
    }

    /// Takes the lock of an open file. Returns `false` if the file isn't the one at the path anymore.
    private func isCurrent(_ descriptor: Int32) throws(Fault) -> Bool {
        var opened = stat()
        guard fstat(descriptor, &opened) == 0 else { throw .system(errno) }
        guard opened.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
        guard opened.st_uid == geteuid() else { throw .foreignOwner }
        _ = fchmod(descriptor, 0o600)
        guard Self.take(descriptor) else {
            throw errno == EWOULDBLOCK ? .held(by: HeldLock.holder(in: descriptor)) : .system(errno)
        }
        return Self.isNamed(path, descriptor)
    }

    /// Whether an open file has this path.
    public static func isNamed(_ path: String, _ descriptor: Int32) -> Bool {
        var (opened, named) = (stat(), stat())
        return fstat(descriptor, &opened) == 0 && lstat(path, &named) == 0 && named.st_ino == opened.st_ino
            && named.st_dev == opened.st_dev
    }
}

// The lock of any open file.
extension FileLock {
    /// Returns at once. `false` with `errno` if another descriptor has the lock.
    public static func take(_ descriptor: Int32) -> Bool {
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno != EINTR { return false }
        }
        return true
    }

    /// Takes the lock together with others that share it, or shares one that was taken alone. Returns at once. `false` with
    /// `errno` if another descriptor has it alone.
    public static func share(_ descriptor: Int32) -> Bool {
        while flock(descriptor, LOCK_SH | LOCK_NB) != 0 {
            if errno != EINTR { return false }
        }
        return true
    }

    /// Releases the lock and closes the file.
    ///
    /// Closing alone isn't enough: a child process that is just being started has a copy of the descriptor until it runs
    /// its program.
    public static func close(_ descriptor: Int32) {
        _ = flock(descriptor, LOCK_UN)
        GodwitLibc.close(descriptor)
    }
}

extension FileLock.Fault {
    /// The problem in words.
    ///
    /// - Parameters:
    ///   - file: The file that the lock protects.
    ///   - lock: The lock file.
    public func text(for file: String, lock: String) -> String {
        switch self {
        case .held(let holder?): "\(file) is in use by process \(holder)"
        case .held(nil): "\(file) is in use by another process"
        case .symbolicLink: "\(lock) is a symbolic link; remove it"
        case .notAFile: "\(lock) is not a regular file; remove it"
        case .foreignOwner: "\(lock) belongs to another user"
        case .system(let code): "cannot lock \(file): \(String(cString: strerror(code)))"
        }
    }
}

/// A lock that this process holds, until this is released or no reference to it exists.
public final class HeldLock: Sendable {
    /// `nil` once it is released.
    private let descriptor: Mutex<Int32?>
    private let path: String

    fileprivate init(_ descriptor: Int32, _ path: String) {
        self.descriptor = Mutex(descriptor)
        self.path = path
        Self.noteHolder(in: descriptor)
    }

    /// Releases the lock. Does nothing if it is released.
    public func release() {
        guard let descriptor = descriptor.withLock({ $0.take() }) else { return }
        if FileLock.isNamed(path, descriptor) { unlink(path) }
        FileLock.close(descriptor)
    }

    deinit { release() }

    /// Only for the errors of others: the lock doesn't depend on it.
    private static func noteHolder(in descriptor: Int32) {
        guard ftruncate(descriptor, 0) == 0 else { return }
        var text = "\(getpid())\n"
        _ = text.withUTF8 { Descriptor.write(UnsafeRawBufferPointer($0), to: descriptor, at: 0) }
    }

    /// The process whose number a lock file has.
    fileprivate static func holder(in descriptor: Int32) -> Int32? {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 1, bytes[count - 1] == UInt8(ascii: "\n") else { return nil }
        return Int32(String(decoding: bytes[..<(count - 1)], as: UTF8.self)).flatMap { $0 > 0 ? $0 : nil }
    }
}
