import GodwitCore
import GodwitLibc
import GodwitSupport

/// Owns a descriptor: the listening socket, a connection, or an end of a pipe.
final class LoopbackSocket: Sendable {
    let descriptor: Int32

    /// Takes ownership of the descriptor.
    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        StreamSocket.prepare(descriptor, isBlocking: false)
    }

    deinit {
        close(descriptor)
    }

    /// Listens on a free port of 127.0.0.1; `nil` if there is none.
    static func listening() -> (socket: LoopbackSocket, port: Int)? {
        let descriptor = StreamSocket.open(AF_INET)
        guard descriptor >= 0 else { return nil }
        let listener = LoopbackSocket(descriptor)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 64) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        return isBound ? (listener, Int(UInt16(bigEndian: address.sin_port))) : nil
    }

    /// The two ends of a pipe: reading, writing.
    static func pipe() -> (LoopbackSocket, LoopbackSocket)? {
        var ends: [Int32] = [0, 0]
        guard GodwitLibc.pipe(&ends) == 0 else { return nil }
        return (LoopbackSocket(ends[0]), LoopbackSocket(ends[1]))
    }

    /// Accepts a pending connection, if there is one.
    func accept() -> LoopbackSocket? {
        let accepted = GodwitLibc.accept(descriptor, nil, nil)
        return accepted >= 0 ? LoopbackSocket(accepted) : nil
    }

    /// The bytes received so far: empty at the end, `nil` if none have arrived yet.
    func read() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count < 0, errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR { return nil }
        return Array(buffer.prefix(max(0, count)))
    }

    /// Writes bytes that fit the system's buffer, and ends the connection's output.
    func finish(_ bytes: [UInt8]) {
        _ = send(descriptor, bytes, bytes.count, StreamSocket.sendFlags | Int32(MSG_DONTWAIT))
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Makes the other end of the pipe readable.
    func wake() {
        var byte: UInt8 = 1
        _ = GodwitLibc.write(descriptor, &byte, 1)
    }
}
