import Foundation
import GodwitLibc
import GodwitSupport
package import GodwitTesting

/// A port of 127.0.0.1 that stays this test's while its server is stopped: connections are refused, no other test's server is given
/// it, and a server that asks for it by number gets it.
///
/// Darwin doesn't let a second socket have the address of a first. There the port is one that was free.
package final class HeldPort: Sendable {
    package let number: UInt16
    private let descriptor: Int32

    package init() throws {
        descriptor = StreamSocket.open(AF_INET)
        var isShared: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isShared, socklen_t(MemoryLayout<Int32>.size))
        guard let port = Loopback.bind(descriptor) else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EADDRINUSE)
        }
        number = port
        #if !os(Linux)
        close(descriptor)
        #endif
    }

    deinit {
        #if os(Linux)
        close(descriptor)
        #endif
    }
}

extension MockServer.Options {
    /// A server on this port.
    package static func at(_ port: HeldPort) -> Self {
        var options = Self()
        options.address = .ipv4(port: port.number)
        return options
    }
}
