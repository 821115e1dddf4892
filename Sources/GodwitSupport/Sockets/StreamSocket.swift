import GodwitLibc

/// Stream sockets that child processes don't inherit, and that report a closed connection as an error, not with a signal.
public enum StreamSocket {
    /// Opens a socket; -1 with `errno` on failure.
    public static func open(_ family: Int32, isBlocking: Bool = true) -> Int32 {
        let descriptor = socket(family, type | openFlags, 0)
        if descriptor >= 0 { prepare(descriptor, isBlocking: isBlocking) }
        return descriptor
    }

    /// Prepares a descriptor that was accepted or inherited.
    public static func prepare(_ descriptor: Int32, isBlocking: Bool) {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        let flags = fcntl(descriptor, F_GETFL)
        _ = fcntl(descriptor, F_SETFL, isBlocking ? flags & ~O_NONBLOCK : flags | O_NONBLOCK)
        silence(descriptor)
    }

    /// The result of a connection attempt of a socket that doesn't block: 0, or the `errno`. `ETIMEDOUT` if it takes longer.
    ///
    /// - Parameter result: What `connect` returned.
    public static func outcome(
        ofConnecting descriptor: Int32, _ result: Int32, until deadline: ContinuousClock.Instant
    ) -> Int32 {
        if result == 0 { return 0 }
        guard errno == EINPROGRESS else { return errno }
        guard Descriptor.wait(descriptor, for: Int32(POLLOUT), until: deadline) else { return ETIMEDOUT }
        var (code, size): (Int32, socklen_t) = (0, socklen_t(MemoryLayout<Int32>.size))
        return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size) == 0 ? code : errno
    }
}
