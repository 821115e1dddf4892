#if os(Linux)
import GodwitCore
package import GodwitLibc
import GodwitSupport
import Synchronization

/// A connected Unix domain socket that reads and writes lines. One thread reads at a time; any thread may write or end it.
package final class LocalSocket: Sendable {
    private static let chunkSize = 64 << 10

    private let descriptor: Int32
    private let incoming: Mutex<LineSplitter>
    /// Held while a line is written, so that lines don't mix.
    private let writing = Mutex(())

    /// Takes ownership of a descriptor.
    ///
    /// - Parameter lineLimit: The maximum length of a received line in bytes.
    package init(_ descriptor: Int32, lineLimit: Int) {
        self.descriptor = descriptor
        incoming = Mutex(LineSplitter(limit: lineLimit, style: .jsonLines))
    }

    deinit {
        close(descriptor)
    }

    /// Connects to a socket whose peer belongs to this user. `nil` with errno on failure.
    package static func connected(to path: String, lineLimit: Int) -> LocalSocket? {
        let descriptor = StreamSocket.open(AF_UNIX)
        guard descriptor >= 0 else { return nil }
        let socket = LocalSocket(descriptor, lineLimit: lineLimit)
        guard LocalAddress.with(path, { connect(descriptor, $0, $1) }) == 0 else { return nil }
        guard socket.isOwnUsers else {
            errno = EACCES
            return nil
        }
        return socket
    }

    /// Whether the peer's process belongs to this user, according to the kernel (SO_PEERCRED).
    package var isOwnUsers: Bool { peer?.user == geteuid() }

    /// The peer's process ID.
    package var peerProcess: pid_t? { peer?.process }

    /// `struct ucred`, which the C library declares only for GNU programs.
    private struct Peer {
        var process: pid_t = 0
        var user: uid_t = 0
        var group: gid_t = 0
    }

    private var peer: Peer? {
        var peer = Peer()
        var length = socklen_t(MemoryLayout<Peer>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 ? peer : nil
    }

    /// Sets the timeouts of reads and writes in seconds; 0 for none.
    package func setPatience(reading: Int, writing: Int) {
        for (option, seconds) in [(SO_RCVTIMEO, reading), (SO_SNDTIMEO, writing)] {
            var time = timeval(tv_sec: seconds, tv_usec: 0)
            setsockopt(descriptor, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    /// Waits for a line; `nil` at the end, or if the connection failed. Throws if it is too long.
    package func line() throws(LineTooLong) -> Data? {
        var chunk = [UInt8](repeating: 0, count: Self.chunkSize)
        while true {
            if let line = try next() { return line }
            let count = recv(descriptor, &chunk, chunk.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            incoming.withLock { $0.append(Data(chunk[..<count])) }
        }
    }

    /// Writes a line; returns `false` if the connection failed.
    package func write(_ line: Data) -> Bool {
        writing.withLock { _ in
            (line + [0x0A]).withUnsafeBytes { Descriptor.send($0, to: descriptor) }
        }
    }

    /// Ends both directions, and all reads and writes in progress.
    package func end() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    private func next() throws(LineTooLong) -> Data? {
        let result = incoming.withLock { splitter in
            Result { () throws(LineTooLong) in try splitter.next() }
        }
        return try result.get()
    }
}
#endif
