import GodwitCore
import GodwitLibc
import GodwitSupport
import TestSupport
import Testing

@Suite("A9 the lock of files that several processes share", .timeLimit(.minutes(15)))
struct FileLockTests {
    private let folder: TemporaryFolder

    init() throws { folder = TemporaryFolder() }

    private var lock: FileLock { FileLock(of: path("tokens")) }

    private func path(_ name: String) -> String { folder.url.appending(path: name).path }

    private func fault(_ lock: FileLock) -> FileLock.Fault? {
        do throws(FileLock.Fault) { _ = try lock.take() } catch { return error }
        return nil
    }

    @Test("A9 a second holder is refused, also in the same process, and the error names the first")
    func exclusive() throws {
        let held = try lock.take()
        #expect(fault(lock) == .held(by: getpid()))
        #expect(try folder.names == ["tokens.lock"])
        held.release()
        #expect(fault(lock) == nil)
        #expect(
            FileLock.Fault.held(by: 7).text(for: "tokens", lock: "tokens.lock") == "tokens is in use by process 7")
    }

    @Test("A9 the lock file has mode 0600, and is gone when the lock is released")
    func mode() throws {
        let held = try lock.take()
        var status = stat()
        #expect(stat(lock.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        held.release()
        held.release()
        #expect(try folder.names == [])
    }

    @Test("A9 a lock file that a killed process left is taken")
    func left() throws {
        _ = try folder.file("tokens.lock", Data("4194304\n".utf8))
        let held = try lock.take()
        #expect(fault(lock) == .held(by: getpid()))
        held.release()
    }

    @Test("A9 if the lock file is removed while it is held, the new one isn't removed with the old")
    func removed() throws {
        let first = try lock.take()
        unlink(lock.path)
        let second = try lock.take()
        first.release()
        #expect(fault(lock) == .held(by: getpid()))
        second.release()
    }

    @Test("A9 a symbolic link in the lock's place is refused, and its target unchanged")
    func link() throws {
        let target = try folder.file("target", Data("text".utf8))
        symlink(target.path, lock.path)
        #expect(fault(lock) == .symbolicLink)
        #expect(try folder.read("target") == "text")
    }

    @Test("A9 a folder or a pipe in the lock's place is refused", arguments: [false, true])
    func notAFile(isPipe: Bool) throws {
        if isPipe { mkfifo(lock.path, 0o600) } else { mkdir(lock.path, 0o700) }
        #expect(fault(lock) == (isPipe ? .notAFile : .system(EISDIR)))
    }

    @Test("A9 a lock file of another user is refused", .enabled(if: geteuid() == 0, "needs root to make one"))
    func foreignOwner() throws {
        _ = try folder.file("tokens.lock", Data())
        try #require(chown(lock.path, 65_534, 65_534) == 0)
        #expect(fault(lock) == .foreignOwner)
    }

    @Test("A9 another user's lock of the folder stops no one")
    func folderLock() throws {
        let descriptor = open(folder.url.path, O_RDONLY | O_CLOEXEC)
        defer { FileLock.close(descriptor) }
        #expect(FileLock.take(descriptor))
        #expect(fault(lock) == nil)
    }

    @Test("A9 without the lock, the work doesn't run")
    func noWork() throws {
        let held = try lock.take()
        var ran = false
        let outcome = lock.whileHeld(patience: .zero) { ran = true }
        #expect(!ran)
        #expect(throws: FileLock.Fault.held(by: getpid())) { try outcome.get() }
        held.release()
        try lock.whileHeld(patience: .zero) { ran = true }.get()
        #expect(ran)
    }

    #if canImport(Glibc)
    @Test("A9 a child process doesn't inherit the lock, and a killed one releases it")
    func processes() async throws {
        let held = try lock.take()
        let child = try ChildProgram(["/bin/sleep", "1000"])
        held.release()
        #expect(fault(lock) == nil)
        child.signal(SIGKILL)
        _ = await child.end()
        let flock = "/usr/bin/flock"
        guard FileManager.default.isExecutableFile(atPath: flock) else { return }
        let pipe = try ChildProgram.Pipe()
        let holder = try ChildProgram(
            [flock, "--no-fork", lock.path, "/bin/sh", "-c", "echo; exec sleep 1000"],
            ChildProgram.Streams(output: pipe.writing))
        await holder.waiting { [reading = pipe.reading] in
            var byte: UInt8 = 0
            _ = read(reading, &byte, 1)
        }
        #expect(fault(lock) == .held(by: nil))
        holder.signal(SIGKILL)
        _ = await holder.end()
        close(pipe.reading)
    }
    #endif
}
