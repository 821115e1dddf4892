import Glibc
package import Godwit
import GodwitSupport
import GodwitTesting
import TestSupport

/// A bare TCP listener on 127.0.0.1, for peers that MockServer is too well-behaved to be.
package final class Listener: Sendable {
    package let url: HTTPURL
    private let descriptor: Int32
    private let state = Watched((accepted: 0, open: Set<Int32>()))

    package struct Failure: Error {
        package let code: Int32
    }

    package init(backlog: Int32 = 128) throws {
        descriptor = StreamSocket.open(AF_INET)
        guard let port = Loopback.bind(descriptor), listen(descriptor, backlog) == 0 else { throw Failure(code: errno) }
        url = try HTTPURL("http://127.0.0.1:\(port)")
    }

    deinit {
        close(descriptor)
    }

    /// A listener that reads one request's head on each connection, and then does this on a thread of its own.
    package static func answering(_ answer: @escaping @Sendable (Connection) -> Void) throws -> Listener {
        let listener = try Listener()
        listener.serve { if $0.readHead() != nil { answer($0) } }
        return listener
    }

    /// A port on which nobody listens, and which no other test is given meanwhile.
    package static func closedPort() throws -> HTTPURL {
        try HTTPURL("http://127.0.0.1:1")
    }

    /// One that takes no connections: its queue is full, and nobody accepts.
    package static func full() throws -> FullListener {
        try FullListener(Listener(backlog: 0))
    }

    /// How many connections were accepted.
    package var connections: Int { state.value.accepted }

    /// Serves each connection on a thread of its own, and closes it afterwards, until the listener is let go of.
    package func serve(_ converse: @escaping @Sendable (Connection) -> Void) {
        let thread = SystemThread { [weak self, descriptor] in
            while true {
                var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                // Looks now and then whether the listener is still wanted.
                let count = poll(&polled, 1, 100)
                guard let self, count >= 0 else { return }
                guard count > 0 else { continue }
                let accepted = accept(descriptor, nil, nil)
                guard accepted >= 0 else { return }
                self.state.update { $0.accepted += 1 }
                SystemThread { converse(Connection(accepted)) }?.detach()
            }
        }
        thread?.detach()
    }

    /// A connection, used by one thread; closed when it is let go of.
    package final class Connection: Sendable {
        package let descriptor: Int32

        package init(_ descriptor: Int32) {
            self.descriptor = descriptor
        }

        /// Connects to a port of 127.0.0.1; nil where that is refused.
        package convenience init?(to port: Int) {
            self.init(StreamSocket.open(AF_INET))
            guard Loopback.connect(descriptor, to: port) == 0 else { return nil }
        }

        deinit {
            close(descriptor)
        }

        /// Waits for bytes; 0 at the end.
        package func receive(into buffer: UnsafeMutableRawBufferPointer) -> Int {
            recv(descriptor, buffer.baseAddress, buffer.count, 0)
        }

        /// Reads so many bytes, or to the end of the connection, and discards them.
        package func skip(_ count: Int) {
            var buffer = [UInt8](repeating: 0, count: 16 << 10)
            var rest = count
            while rest > 0 {
                let count = recv(descriptor, &buffer, min(rest, buffer.count), 0)
                guard count > 0 else { return }
                rest -= count
            }
        }

        /// Waits for one byte; false at the end.
        func receive(_ byte: inout UInt8, peeking: Bool) -> Bool {
            recv(descriptor, &byte, 1, peeking ? Int32(MSG_PEEK) : 0) == 1
        }

        /// The next request's head; nil at the end of the connection.
        package func readHead() -> String? { readText(through: "\r\n\r\n") }

        /// Text with its ending; nil if the connection ends before.
        func readText(through ending: String) -> String? {
            var text = ""
            while !text.hasSuffix(ending) {
                var byte: UInt8 = 0
                guard recv(descriptor, &byte, 1, 0) == 1 else { return nil }
                text.unicodeScalars.append(Unicode.Scalar(byte))
            }
            return text
        }

        @discardableResult
        package func write(_ text: String) -> Bool { write(text.utf8) }

        @discardableResult
        package func write(_ bytes: some Sequence<UInt8>) -> Bool {
            let bytes = Array(bytes)
            return send(descriptor, bytes, bytes.count, StreamSocket.sendFlags) == bytes.count
        }

        /// What is written later is sent without waiting for an acknowledgment.
        package func sendWithoutDelay() {
            var on: Int32 = 1
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        }

        /// Makes the close a reset.
        package func resetOnClose() {
            var option = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        }

        /// Ends the connection; the peer has its end when this returns.
        ///
        /// - Parameter sendingOnly: Whether the peer's bytes may still arrive, so that what was sent isn't lost to a reset.
        package func end(sendingOnly: Bool = false) {
            shutdown(descriptor, Int32(sendingOnly ? SHUT_WR : SHUT_RDWR))
        }

        /// Waits until the peer's system has all that was sent.
        package func waitUntilAcknowledged() {
            var count: Int32 = 0
            while ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0, count > 0 { sched_yield() }
        }

        /// Neither reads nor writes until the peer has closed its side.
        package func waitUntilPeerLeaves() {
            var polled = pollfd(fd: descriptor, events: Int16(0x2000), revents: 0)
            while poll(&polled, 1, -1) < 0 && errno == EINTR {}
        }

        /// Passes bytes on to another connection until this one ends.
        package func pass(to other: Connection) {
            var buffer = [UInt8](repeating: 0, count: 64 << 10)
            while true {
                let count = recv(descriptor, &buffer, buffer.count, 0)
                guard count > 0, send(other.descriptor, buffer, count, StreamSocket.sendFlags) == count else { break }
            }
            shutdown(other.descriptor, Int32(SHUT_WR))
        }
    }
}

/// A listener whose queue of connections is full, so that further ones are left without an answer.
package final class FullListener: Sendable {
    package let url: HTTPURL
    private let listener: Listener
    private let fillers: [Listener.Connection]

    package init(_ listener: Listener) throws {
        self.listener = listener
        url = listener.url
        fillers = (0..<4).map { _ in
            let filler = Listener.Connection(
                StreamSocket.open(AF_INET, isBlocking: false))
            _ = Loopback.connect(filler.descriptor, to: listener.url.port)
            return filler
        }
    }
}
