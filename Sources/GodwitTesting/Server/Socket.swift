import GodwitCore
import GodwitLibc
import GodwitSupport
import Synchronization

/// A connection: a socket, or TLS over a socket.
protocol ServerStream: Sendable {
    /// The result of the TLS handshake; `nil` over plain TCP.
    var tls: MockRequest.TLS? { get }
    /// Whether the client and the server agreed on HTTP/2 by ALPN (RFC 7301).
    var agreedOnHTTP2: Bool { get }
    /// Waits for bytes and returns their number; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int
    /// Writes all bytes; `false` if the connection has ended.
    func write(_ data: Data) -> Bool
    /// Waits for the pipe; `false` if the peer closed its side first.
    func wait(for pipe: WakePipe) -> Bool
    /// Sends the protocol's end message, if it has one. Never waits.
    func finish()
    /// Calls ``finish()``, then discards what the peer still sends, up to a second and 64 MiB.
    func linger()
    /// Makes the next close a reset.
    func resetOnClose()
    /// Ends both directions immediately, which wakes blocked readers and writers.
    func interrupt()
}

/// A connected stream socket. One thread reads and writes it, any thread may interrupt it.
final class Socket: ServerStream {
    var tls: MockRequest.TLS? { nil }
    var agreedOnHTTP2: Bool { false }
    private let descriptor: Int32
    /// Prevents a shutdown of a closed descriptor, whose number may belong to another socket.
    private let isOpen = Mutex(true)

    /// Takes ownership of the descriptor.
    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        // An accepted socket inherits the listener's O_NONBLOCK on some systems.
        StreamSocket.prepare(descriptor, isBlocking: true)
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    deinit {
        close()
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var count: Int
        repeat { count = recv(descriptor, buffer.baseAddress, buffer.count, 0) } while count < 0 && errno == EINTR
        return max(0, count)
    }

    /// Waits for a slow reader, unless it has closed its side.
    func write(_ data: Data) -> Bool {
        data.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let part = UnsafeRawBufferPointer(rebasing: rest)
                let count = send(descriptor, part.baseAddress, part.count, StreamSocket.sendFlags | Int32(MSG_DONTWAIT))
                if count > 0 {
                    rest = rest.dropFirst(count)
                } else if errno == EAGAIN || errno == EWOULDBLOCK {
                    guard waitForRoom() else { return false }
                } else if errno != EINTR {
                    return false
                }
            }
            return true
        }
    }

    /// Sends what fits into the system's buffer.
    func offer(_ data: Data) {
        data.withUnsafeBytes { bytes in
            _ = send(descriptor, bytes.baseAddress, bytes.count, StreamSocket.sendFlags | Int32(MSG_DONTWAIT))
        }
    }

    private func waitForRoom() -> Bool {
        var polled = pollfd(fd: descriptor, events: Int16(POLLOUT) | Platform.hangUp, revents: 0)
        while poll(&polled, 1, -1) < 0 && errno == EINTR {}
        return polled.revents & Int16(POLLOUT) != 0
    }

    func wait(for pipe: WakePipe) -> Bool {
        var polled = [
            pollfd(fd: pipe.readEnd, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor, events: Platform.hangUp, revents: 0),
        ]
        while poll(&polled, 2, -1) < 0 && errno == EINTR {}
        return polled[1].revents == 0
    }

    /// Does nothing, because TCP has no end message.
    func finish() {}

    func interrupt() {
        isOpen.withLock { if $0 { shutdown(descriptor, Int32(SHUT_RDWR)) } }
    }

    /// Closing with unread bytes would reset the connection, and the peer could lose the response (RFC 9112 section 9.6).
    func linger() {
        endSending()
        var scratch = [UInt8](repeating: 0, count: 64 << 10)
        for _ in 0..<1024 {
            var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&polled, 1, 1000) > 0, scratch.withUnsafeMutableBytes(read) > 0 else { return }
        }
    }

    /// Ends the sending direction; the peer can still send.
    func endSending() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Waits until the peer closes its side or the socket is interrupted, and reads nothing.
    func waitForHangUp() {
        var polled = pollfd(fd: descriptor, events: Platform.hangUp, revents: 0)
        while poll(&polled, 1, -1) < 0 && errno == EINTR {}
    }

    func resetOnClose() {
        var option = GodwitLibc.linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<GodwitLibc.linger>.size))
    }

    func close() {
        isOpen.withLock { isOpen in
            if isOpen { GodwitLibc.close(descriptor) }
            isOpen = false
        }
    }
}
