#if os(Linux)
import GodwitLibc
import GodwitSupport

/// A listening Unix domain socket for programs of this user.
package final class LocalListener: Sendable {
    private let descriptor: Int32
    /// A pipe that becomes readable when the listener ends.
    private let ending: (reading: Int32, writing: Int32)
    /// Whether this process made the socket. systemd keeps using a socket that it passed.
    private let isOwn: Bool

    /// Makes the socket with mode 0600, replacing a leftover one. `nil` with errno on failure.
    package init?(path: String) {
        descriptor = StreamSocket.open(AF_UNIX)
        ending = Self.makePipe()
        isOwn = true
        guard descriptor >= 0, ending.reading >= 0 else { return nil }
        unlink(path)
        // Before it has a name, so that the socket is never accessible to others.
        fchmod(descriptor, 0o600)
        guard LocalAddress.with(path, { bind(descriptor, $0, $1) }) == 0, chmod(path, 0o600) == 0,
            listen(descriptor, 128) == 0
        else { return nil }
    }

    /// Uses a socket that the parent process passed (`LISTEN_FDS`). `nil` if it isn't a listening Unix domain socket.
    package init?(passed descriptor: Int32) {
        self.descriptor = descriptor
        ending = Self.makePipe()
        isOwn = false
        func option(_ name: Int32) -> Int32? {
            var (value, length) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
            return getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
        }
        guard ending.reading >= 0, option(SO_DOMAIN) == AF_UNIX, option(SO_TYPE) == StreamSocket.type,
            option(SO_ACCEPTCONN) == 1
        else { return nil }
        StreamSocket.prepare(descriptor, isBlocking: true)
    }

    deinit {
        for end in [descriptor, ending.reading, ending.writing] where end >= 0 { close(end) }
    }

    /// Waits for a connection; `nil` after ``end()``. Doesn't check the peer's user.
    package func accepted(lineLimit: Int) -> LocalSocket? {
        while true {
            var events = [descriptor, ending.reading].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            if poll(&events, 2, -1) < 0, errno != EINTR { return nil }
            if events[1].revents != 0 { return nil }
            guard events[0].revents != 0 else { continue }
            let peer = accept(descriptor, nil, nil)
            if peer >= 0 {
                StreamSocket.prepare(peer, isBlocking: true)
                return LocalSocket(peer, lineLimit: lineLimit)
            }
            switch errno {
            case EINTR, ECONNABORTED: continue
            // Out of descriptors or memory: retry later.
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: usleep(100_000)
            default: return nil
            }
        }
    }

    /// Ends ``accepted(lineLimit:)``. New connections are refused, or wait for the process that systemd starts next.
    package func end() {
        _ = write(ending.writing, [0], 1)
        if isOwn { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }

    private static func makePipe() -> (Int32, Int32) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return (-1, -1) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }
}

/// The sockets that the parent process passed, as systemd does (sd_listen_fds(3)).
package enum PassedSockets {
    /// The variables that describe them, which child processes must not inherit.
    package static let variables = ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"]
    /// The first passed descriptor.
    private static let first: Int32 = 3
    private static let limit: Int32 = 16

    /// The descriptors; empty if none were passed to this process.
    ///
    /// - Parameters:
    ///   - variables: The process's environment variables.
    ///   - process: The process ID.
    package static func descriptors(_ variables: [String: String], process: Int32) -> [Int32] {
        guard variables["LISTEN_PID"].flatMap({ Int32($0) }) == process,
            let count = variables["LISTEN_FDS"].flatMap({ Int32($0) }), (1...limit).contains(count)
        else { return [] }
        return Array(first..<first + count)
    }
}
#endif
