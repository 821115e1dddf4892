import GodwitLibc
import GodwitSupport
import GodwitTesting
import TestSupport

/// A connection to a port of 127.0.0.1 that sends nothing.
final class SilentConnection: Sendable {
    struct CannotConnect: Error {}

    private let descriptor: Int32

    init(to port: Int) throws {
        descriptor = StreamSocket.open(AF_INET)
        guard Loopback.connect(descriptor, to: port) == 0 else { throw CannotConnect() }
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
