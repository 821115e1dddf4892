#if os(Linux)
#if canImport(Musl)
package import Musl
#else
package import Glibc
#endif
import GodwitCore
import Synchronization

/// A connected unix-domain socket: lines in, lines out. One thread reads at a time; any may write, or end it.
package final class LocalSocket: Sendable {
    private static let chunkSize = 64 << 10

    private let descriptor: Int32
    private let incoming: Mutex<LineSplitter>
    /// Lines are not mixed.
    private let writing = Mutex(())

    /// Takes a descriptor over.
    ///
    /// - Parameter lineLimit: The most bytes of a line that is read.
    package init(_ descriptor: Int32, lineLimit: Int) {
        self.descriptor = descriptor
        incoming = Mutex(LineSplitter(limit: lineLimit, style: .jsonLines))
    }

    deinit {
        close(descriptor)
    }

    /// Connects to a socket, of which the peer has to be this user's. Nil with errno where that fails.
    package static func connected(to path: String, lineLimit: Int) -> LocalSocket? {
        let descriptor = LocalAddress.makeSocket()
        guard descriptor >= 0 else { return nil }
        let socket = LocalSocket(descriptor, lineLimit: lineLimit)
        guard LocalAddress.with(path, { connect(descriptor, $0, $1) }) == 0 else { return nil }
        guard socket.isOwnUsers else {
            errno = EACCES
            return nil
        }
        return socket
    }

    /// Whether the process at the other end belongs to the user of this one. The kernel says so (SO_PEERCRED).
    package var isOwnUsers: Bool { peer?.user == geteuid() }

    /// The process at the other end.
    package var peerProcess: pid_t? { peer?.process }

    /// `struct ucred`, which the C library shows to GNU programs only.
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

    /// After so long a reading or writing that gets nowhere fails.
    package func setPatience(reading: Int, writing: Int) {
        for (option, seconds) in [(SO_RCVTIMEO, reading), (SO_SNDTIMEO, writing)] {
            var time = timeval(tv_sec: seconds, tv_usec: 0)
            setsockopt(descriptor, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    /// Waits for a line; nil at the end, or where the connection broke. Throws where it is too long.
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

    /// Writes a line; false where the connection is gone.
    package func write(_ line: Data) -> Bool {
        writing.withLock { _ in
            (line + [0x0A]).withUnsafeBytes { bytes in
                var rest = bytes[...]
                while !rest.isEmpty {
                    let part = UnsafeRawBufferPointer(rebasing: rest)
                    let count = send(descriptor, part.baseAddress, part.count, Int32(MSG_NOSIGNAL))
                    if count < 0, errno == EINTR { continue }
                    guard count > 0 else { return false }
                    rest = rest.dropFirst(count)
                }
                return true
            }
        }
    }

    /// Ends both directions: whoever reads or writes is let go.
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
