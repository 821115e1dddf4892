import Glibc

/// The kernel's limits for this process.
public enum ProcessLimits {
    /// Raises the limit of open files to the hard limit.
    public static func raiseOpenFiles() {
        let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        getrlimit(files, &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(files, &limit)
    }
}
