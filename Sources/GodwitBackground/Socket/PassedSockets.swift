#if os(Linux)
/// The sockets that whoever started this process has passed to it, as systemd does (sd_listen_fds(3)).
package enum PassedSockets {
    /// The variables that speak of them; no other program may inherit them.
    package static let variables = ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"]
    /// The first descriptor that is passed.
    private static let first: Int32 = 3
    private static let limit: Int32 = 16

    /// The descriptors; empty if none are passed, or they are meant for another process.
    ///
    /// - Parameters:
    ///   - variables: The process's environment variables.
    ///   - process: Its number.
    package static func descriptors(_ variables: [String: String], process: Int32) -> [Int32] {
        guard variables["LISTEN_PID"].flatMap({ Int32($0) }) == process,
            let count = variables["LISTEN_FDS"].flatMap({ Int32($0) }), (1...limit).contains(count)
        else { return [] }
        return Array(first..<first + count)
    }
}
#endif
