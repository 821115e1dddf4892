import GodwitCore
import GodwitLibc
import GodwitSupport
import GodwitTesting
import TestSupport

/// A socket that sends and receives bytes as they are, so that tests see what is on the wire.
///
/// What blocks runs on threads of its own, and never on those that the server's handlers need.
final class RawClient: Sendable {
    private let descriptor: Int32

    /// Connects to a server on 127.0.0.1.
    init(_ url: HTTPURL, receiveBuffer: Int32? = nil) throws {
        descriptor = StreamSocket.open(AF_INET)
        if var size = receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        guard Loopback.connect(descriptor, to: url.port) == 0 else { throw SystemError(code: errno) }
    }

    /// Connects to a server on ::1.
    init(ipv6 url: HTTPURL) throws {
        descriptor = StreamSocket.open(AF_INET6)
        var name = sockaddr_in6()
        name.sin6_family = sa_family_t(AF_INET6)
        name.sin6_port = UInt16(url.port).bigEndian
        name.sin6_addr = in6addr_loopback
        try Self.connect(descriptor, &name)
    }

    /// Connects to a unix-domain socket.
    init(path: String) throws {
        descriptor = StreamSocket.open(AF_UNIX)
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8) }
        try Self.connect(descriptor, &name)
    }

    deinit {
        close(descriptor)
    }

    /// What a reading came to.
    struct Received: Sendable {
        var text = ""
        /// Nil while the connection is open, 0 when the peer closed it, else the error.
        var ending: Int32?
    }

    struct SystemError: Error {
        let code: Int32
    }

    /// Sends all of it, and returns the error that stopped it or 0.
    @discardableResult
    func send(_ text: String) async -> Int32 {
        await send(Data(text.utf8))
    }

    @discardableResult
    func send(_ data: Data) async -> Int32 {
        await offPool { [self] in sendAll(data) }
    }

    /// Reads until the text ends with this, or the connection ends.
    func read(until end: String) async -> Received {
        await offPool { [self] in receive { $0.hasSuffix(end) } }
    }

    /// Reads at least so many bytes, or until the connection ends.
    func read(atLeast count: Int) async -> Received {
        await offPool { [self] in receive { $0.utf8.count >= count } }
    }

    /// Reads until the connection ends.
    func readToEnd() async -> Received {
        await offPool { [self] in receive { _ in false } }
    }

    /// Sends a request and reads until its answer ends with this.
    func exchange(_ request: String, until end: String) async -> String {
        await send(request)
        return await read(until: end).text
    }

    /// Ends the connection in both directions.
    func hangUp() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    private func sendAll(_ data: Data) -> Int32 {
        data.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let part = UnsafeRawBufferPointer(rebasing: rest)
                let count = Self.send(descriptor, part)
                guard count > 0 else { return errno }
                rest = rest.dropFirst(count)
            }
            return 0
        }
    }

    private func receive(until isDone: (String) -> Bool) -> Received {
        var received = Received()
        var scratch = [UInt8](repeating: 0, count: 64 << 10)
        while !isDone(received.text) {
            let count = recv(descriptor, &scratch, scratch.count, 0)
            guard count > 0 else {
                received.ending = count == 0 ? 0 : errno
                break
            }
            received.text += String(decoding: scratch[..<count], as: UTF8.self)
        }
        return received
    }

    private static func send(_ descriptor: Int32, _ part: UnsafeRawBufferPointer) -> Int {
        GodwitLibc.send(descriptor, part.baseAddress, part.count, StreamSocket.sendFlags)
    }

    private static func connect<Name>(_ descriptor: Int32, _ name: inout Name) throws {
        let code = withUnsafeBytes(of: &name) { bytes -> Int32 in
            guard let start = bytes.baseAddress else { return -1 }
            return GodwitLibc.connect(
                descriptor, start.assumingMemoryBound(to: sockaddr.self), socklen_t(MemoryLayout<Name>.size))
        }
        guard code == 0 else { throw SystemError(code: errno) }
    }
}

/// Runs what blocks on a thread of its own.
func offPool<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withUnsafeContinuation { continuation in
        let thread = SystemThread { continuation.resume(returning: work()) }
        if let thread { thread.detach() } else { continuation.resume(returning: work()) }
    }
}
