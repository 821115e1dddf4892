#if os(Linux)
import Glibc
import GodwitSupport
import GodwitTLS
import TestSupport

/// A blocking socket on loopback, as what TLS runs over.
final class SocketCarrier: TLSCarrier {
    private let descriptor: Int32
    /// The most bytes that one call moves.
    var mostBytes = Int.max
    /// Whether every other call has nothing yet.
    var stutters = false
    /// What every call fails with; 0 for none.
    var failure: Int32 = 0
    private var calls = 0
    private(set) var sentCount = 0

    init(port: Int) {
        descriptor = StreamSocket.open(AF_INET)
        _ = Loopback.connect(descriptor, to: port)
    }

    deinit {
        close(descriptor)
    }

    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        if let fault { return fault }
        let count = recv(descriptor, buffer.baseAddress, min(buffer.count, mostBytes), 0)
        return count >= 0 ? count : -Int(errno)
    }

    func send(_ bytes: UnsafeRawBufferPointer) -> Int {
        if let fault { return fault }
        let count = Glibc.send(descriptor, bytes.baseAddress, min(bytes.count, mostBytes), StreamSocket.sendFlags)
        if count > 0 { sentCount += count }
        return count >= 0 ? count : -Int(errno)
    }

    private var fault: Int? {
        if failure != 0 { return -Int(failure) }
        calls += 1
        return stutters && calls % 2 == 1 ? -Int(EAGAIN) : nil
    }
}
#endif
