#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif
import GodwitCore
import Synchronization

/// The bytes of one connection in both directions: a socket, or TLS over one.
protocol ServerStream: Sendable {
    /// The TLS handshake that the connection began with; nil over plain TCP.
    var tls: MockRequest.TLS? { get }
    /// Waits for bytes; 0 once there will be none.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int
    /// Whether the system took all bytes; false once the connection is gone.
    func write(_ data: Data) -> Bool
    /// Waits until the wake pipe has something (true) or the peer has closed its side (false).
    func wait(for pipe: WakePipe) -> Bool
    /// Tells the peer that nothing follows, if the protocol has a message for that. Never waits.
    func finish()
    /// Finishes, then discards what the peer still sends, up to a second and 64 MiB.
    func linger()
    /// Makes the coming close a reset.
    func resetOnClose()
    /// Ends both directions at once, which wakes whoever reads or writes.
    func interrupt()
}

/// A connected stream socket, read and written by one thread, and ended by any.
final class Socket: ServerStream {
    var tls: MockRequest.TLS? { nil }
    private let descriptor: Int32
    /// Guards against ending a descriptor that was closed, and whose number another socket has by now.
    private let isOpen = Mutex(true)

    /// Takes the descriptor over.
    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        Platform.prepare(descriptor)
        // An accepted socket inherits the listener's O_NONBLOCK on some systems.
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
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

    /// A peer that reads slowly is waited for, unless it has closed its side.
    func write(_ data: Data) -> Bool {
        data.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let part = UnsafeRawBufferPointer(rebasing: rest)
                let count = send(descriptor, part.baseAddress, part.count, Platform.sendFlags | Int32(MSG_DONTWAIT))
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

    /// Sends what the system takes without waiting.
    func offer(_ data: Data) {
        data.withUnsafeBytes { bytes in
            _ = send(descriptor, bytes.baseAddress, bytes.count, Platform.sendFlags | Int32(MSG_DONTWAIT))
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

    /// Nothing: TCP says it by closing.
    func finish() {}

    func interrupt() {
        isOpen.withLock { if $0 { shutdown(descriptor, Int32(SHUT_RDWR)) } }
    }

    /// Closing with unread bytes would reset the connection, and the peer could lose the answer (RFC 9112 section 9.6).
    func linger() {
        shutdown(descriptor, Int32(SHUT_WR))
        var scratch = [UInt8](repeating: 0, count: 64 << 10)
        for _ in 0..<1024 {
            var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&polled, 1, 1000) > 0, scratch.withUnsafeMutableBytes(read) > 0 else { return }
        }
    }

    func resetOnClose() {
        var option = linger_t(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger_t>.size))
    }

    func close() {
        isOpen.withLock { isOpen in
            if isOpen { closeDescriptor(descriptor) }
            isOpen = false
        }
    }
}

// The C names that the methods above would hide.
private typealias linger_t = linger
private let closeDescriptor: @Sendable (Int32) -> Void = { _ = close($0) }
