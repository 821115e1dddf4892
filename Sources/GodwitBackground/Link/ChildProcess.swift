#if os(Linux)
import GodwitCore
package import GodwitLibc

/// Starts a program that inherits nothing from this process: no open file except /dev/null as standard streams, no
/// blocked or ignored signal.
package struct ChildProcess {
    /// The program and its arguments.
    package var words: [String]
    package var variables: [String: String]
    /// Passed as descriptor 3, if set.
    package var descriptor: Int32?
    /// Whether it leads a new session, which outlives its parent's.
    package var leadsSession = false

    package init(_ words: [String], variables: [String: String]) {
        self.words = words
        self.variables = variables
    }

    private typealias CloseFrom = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32

    /// Closes all descriptors from one on, also those that another thread is opening. Only in glibc, from 2.34; elsewhere,
    /// it is up to who opens a file to keep it from child processes.
    private static let closeFrom = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np")
        .map { unsafeBitCast($0, to: CloseFrom.self) }

    /// Starts the program; returns its process ID, or `nil` with errno.
    package func start() -> pid_t? {
        guard let program = words.first else { return nil }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for stream in Int32(0)...2 {
            posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", stream == 0 ? O_RDONLY : O_WRONLY, 0)
        }
        if let descriptor { posix_spawn_file_actions_adddup2(&actions, descriptor, 3) }
        _ = Self.closeFrom?(&actions, descriptor == nil ? 3 : 4)
        var attributes = attributes
        defer { posix_spawnattr_destroy(&attributes) }
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        var environment: [UnsafeMutablePointer<CChar>?] = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + environment { free(text) } }
        var process = pid_t()
        let code = posix_spawn(&process, program, &actions, &attributes, &arguments, &environment)
        guard code == 0 else {
            errno = code
            return nil
        }
        return process
    }

    private var attributes: posix_spawnattr_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        // POSIX_SPAWN_SETSIGMASK, _SETSIGDEF and _SETSID, which C libraries declare in different ways.
        posix_spawnattr_setflags(&attributes, 0x08 | 0x04 | (leadsSession ? 0x80 : 0))
        return attributes
    }

    /// Waits for the end of a child process; returns its exit code, or the negative number of the signal that killed it.
    @discardableResult
    package static func wait(for process: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
    }

    /// Sets `FD_CLOEXEC` on all descriptors from a number on, so that child processes don't inherit them.
    ///
    /// They stay open, as system libraries may use some of them.
    package static func keepDescriptors(from first: Int32) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        for number in names.compactMap({ Int32($0) }) where number >= first {
            _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        }
    }
}
#endif
