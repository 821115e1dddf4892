import GodwitLibc
import GodwitSupport
import GodwitTesting

/// A connection to a port of 127.0.0.1 that sends nothing.
final class SilentConnection: Sendable {
    struct CannotConnect: Error {}

    private let descriptor: Int32

    init(to port: Int) throws {
        descriptor = StreamSocket.open(AF_INET)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw CannotConnect() }
    }

    /// Whether the other side ends the connection within five seconds.
    var isClosedSoon: Bool {
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&polled, 1, 5000) > 0 else { return false }
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, 0) <= 0
    }

    deinit {
        close(descriptor)
    }
}
