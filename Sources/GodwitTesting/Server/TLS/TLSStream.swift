#if os(Linux)
import GodwitCore
import GodwitLibc
import GodwitTLS
import Synchronization

/// The server's side of TLS over a socket.
///
/// TLS reads and writes memory, so no lock is held while the socket blocks: one thread reads a WebSocket's connection while
/// another writes it.
final class TLSStream: ServerStream {
    private final class Memory: TLSCarrier {
        /// Bytes from the peer, and bytes for it.
        var input: [UInt8] = []
        var output = Data()

        func receive(into buffer: UnsafeMutableRawBufferPointer) -> Int {
            let count = min(buffer.count, input.count)
            guard count > 0 else { return -Int(EAGAIN) }
            buffer.copyBytes(from: input[..<count])
            input.removeFirst(count)
            return count
        }

        func send(_ bytes: UnsafeRawBufferPointer) -> Int {
            output.append(contentsOf: bytes)
            return bytes.count
        }
    }

    private struct State {
        let memory = Memory()
        let session: TLSSession

        init(_ context: TLSContext) throws(NetworkError) {
            session = try TLSSession(accepting: context, over: memory)
        }
    }

    private let socket: Socket
    private let state: Mutex<State>
    /// Held while records are made and sent, which keeps them in order.
    private let writing = Mutex(())
    private let handshakeResult = Mutex<MockRequest.TLS?>(nil)

    init(_ context: TLSContext, over socket: Socket) throws(NetworkError) {
        self.socket = socket
        state = Mutex(try State(context))
    }

    var agreedOnHTTP2: Bool { state.withLock { $0.session.negotiatedProtocol == "h2" } }

    var tls: MockRequest.TLS? { handshakeResult.withLock { $0 } }

    /// Completes the handshake, or returns why it failed.
    func handshake() -> Result<Void, HandshakeFailure> {
        while true {
            let step = state.withLock { $0.session.handshake() }
            let isSent = flush()
            switch step {
            case .done:
                let result = state.withLock { state in
                    MockRequest.TLS(
                        version: MockServer.TLS.Version(rawValue: state.session.versionName) ?? .v1_2,
                        clientCertificate: state.session.peerCertificate)
                }
                handshakeResult.withLock { $0 = result }
                return .success(())
            case .wantsRead, .wantsWrite:
                guard isSent, receive() else { return .failure(HandshakeFailure(reason: "the client left")) }
            case .ended, .failed:
                // Closing with unread bytes would reset the connection, and the peer could lose the alert.
                socket.linger()
                return .failure(HandshakeFailure(reason: state.withLock { $0.session.reason }))
            }
        }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        // A pointer can't be passed to what the lock guards.
        let start = UInt(bitPattern: buffer.baseAddress)
        while true {
            let step = state.withLock { [count = buffer.count] state in
                state.session.read(
                    into: UnsafeMutableRawBufferPointer(
                        start: UnsafeMutableRawPointer(bitPattern: start), count: count))
            }
            // OpenSSL answers some messages itself, such as key updates.
            _ = flush()
            switch step {
            case .done(let count): return count
            case .wantsRead, .wantsWrite: if !receive() { return 0 }
            case .ended, .failed: return 0
            }
        }
    }

    func write(_ data: Data) -> Bool {
        var rest = data[...]
        while !rest.isEmpty {
            // One record at a time limits the memory for encrypted bytes.
            let piece = Data(rest.prefix(16 << 10))
            rest = rest.dropFirst(piece.count)
            let isWritten = writing.withLock { _ in
                let step = state.withLock { state in piece.withUnsafeBytes { state.session.write($0) } }
                return step == .done(piece.count) && socket.write(takeOutput())
            }
            guard isWritten else { return false }
        }
        return true
    }

    func wait(for pipe: WakePipe) -> Bool { socket.wait(for: pipe) }

    func finish() {
        writing.withLock { _ in
            state.withLock { $0.session.sendCloseNotify() }
            socket.offer(takeOutput())
        }
    }

    func linger() {
        finish()
        socket.linger()
    }

    func resetOnClose() { socket.resetOnClose() }

    func interrupt() { socket.interrupt() }

    /// Waits for bytes from the peer; false once there will be none.
    private func receive() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 17 << 10)
        let count = buffer.withUnsafeMutableBytes { socket.read(into: $0) }
        state.withLock { $0.memory.input += buffer[..<count] }
        return count > 0
    }

    /// Sends what OpenSSL wrote; false once the connection is gone.
    private func flush() -> Bool {
        guard state.withLock({ !$0.memory.output.isEmpty }) else { return true }
        return writing.withLock { _ in socket.write(takeOutput()) }
    }

    private func takeOutput() -> Data {
        state.withLock { state in
            defer { state.memory.output = Data() }
            return state.memory.output
        }
    }
}
#endif
