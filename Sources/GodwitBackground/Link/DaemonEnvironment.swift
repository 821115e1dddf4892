#if os(Linux)
import GodwitCore

/// The environment of the transferring process: the same whoever starts it.
///
/// Proxies, library paths, certificate files, language and secrets of the program that happens to start it first would
/// else hold for the jobs of all others. What it has to know stands in its configuration, and with each job.
package enum DaemonEnvironment {
    /// Where system programs are.
    private static let path = "/usr/local/bin:/usr/bin:/bin"

    /// The variables that it has, made of those of the process that starts it.
    package static func variables(of starter: [String: String]) -> [String: String] {
        var own = ["PATH": path]
        // Who the user is, the system knows better than a program that changes HOME for its own ends.
        own["HOME"] = TransferPlaces.homeOfUser ?? starter["HOME"]
        for name in ["USER", "LOGNAME"] { own[name] = starter[name] }
        return own
    }
}
#endif
