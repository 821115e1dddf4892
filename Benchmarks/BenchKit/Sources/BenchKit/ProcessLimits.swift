import Glibc

/// What the kernel allows this process.
public enum ProcessLimits {
    /// Allows as many open files as the process may allow itself.
    public static func raiseOpenFiles() {
        let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        getrlimit(files, &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(files, &limit)
    }
}
