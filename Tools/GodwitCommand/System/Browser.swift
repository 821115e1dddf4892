#if !canImport(Darwin)
import Godwit
import GodwitLibc

/// The desktop's browser.
enum Browser {
    /// Opens a page with the desktop's opener. Returns whether the opener could be started.
    static func open(_ page: HTTPURL) -> Bool {
        start(["xdg-open", page.absoluteString])
    }

    private static func start(_ line: [String]) -> Bool {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        var process = pid_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        // The browser must not write to this program's output.
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        // Task threads block signals, and this process ignores some. A browser would inherit both.
        var none = sigset_t()
        var ignored = sigset_t()
        sigemptyset(&none)
        sigemptyset(&ignored)
        for signal in [SIGINT, SIGTERM, SIGPIPE] { sigaddset(&ignored, signal) }
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &ignored)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
        var words: [UnsafeMutablePointer<CChar>?] = line.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        return posix_spawnp(&process, line[0], &actions, &attributes, &words, environ) == 0
    }
}
#endif
