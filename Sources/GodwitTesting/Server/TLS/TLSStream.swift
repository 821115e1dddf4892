#if canImport(COpenSSL)
import COpenSSL
import GodwitCore
import Synchronization

/// The server's side of TLS over a socket.
///
/// OpenSSL reads and writes memory, so no lock is held while the socket blocks: one thread reads a WebSocket's connection
/// while another writes it.
final class TLSStream: ServerStream {
    /// OpenSSL's state, used only under its lock.
    private struct Session: Sendable {
        private let objects: (ssl: OpenSSLObject, input: OpenSSLObject, output: OpenSSLObject)

        init(ssl: OpaquePointer, input: OpaquePointer, output: OpaquePointer) {
            objects = (
                OpenSSLObject(pointer: ssl), OpenSSLObject(pointer: input), OpenSSLObject(pointer: output)
            )
        }

        var ssl: OpaquePointer { objects.ssl.pointer }
        /// Bytes from the peer, and bytes for it. `ssl` owns both.
        var input: OpaquePointer { objects.input.pointer }
        var output: OpaquePointer { objects.output.pointer }
    }

    /// The result of a call to OpenSSL.
    private enum Step {
        case done(Int)
        /// It needs more bytes from the peer.
        case wantsInput
        /// The peer sent `close_notify`.
        case ended
        case failed(String)
    }

    private let socket: Socket
    private let session: Mutex<Session>
    /// Held while records are made and sent, which keeps them in order.
    private let writing = Mutex(())
    private let handshakeResult = Mutex<MockRequest.TLS?>(nil)

    /// Nil if no memory is left.
    init?(_ context: OpaquePointer, over socket: Socket) {
        guard let ssl = SSL_new(context) else { return nil }
        guard let input = BIO_new(BIO_s_mem()), let output = BIO_new(BIO_s_mem()) else {
            SSL_free(ssl)
            return nil
        }
        SSL_set_bio(ssl, input, output)
        SSL_set_accept_state(ssl)
        self.socket = socket
        session = Mutex(Session(ssl: ssl, input: input, output: output))
    }

    deinit {
        session.withLock { SSL_free($0.ssl) }
    }

    var agreedOnHTTP2: Bool {
        session.withLock { session in
            var name: UnsafePointer<UInt8>?
            var count: UInt32 = 0
            SSL_get0_alpn_selected(session.ssl, &name, &count)
            return UnsafeBufferPointer(start: name, count: Int(count)).elementsEqual("h2".utf8)
        }
    }

    var tls: MockRequest.TLS? { handshakeResult.withLock { $0 } }

    /// Completes the handshake, or returns why it failed.
    func handshake() -> Result<Void, HandshakeFailure> {
        while true {
            let step = step { SSL_accept($0.ssl) }
            let isSent = flush()
            switch step {
            case .done:
                let result = session.withLock { Self.result($0) }
                handshakeResult.withLock { $0 = result }
                return .success(())
            case .wantsInput:
                guard isSent, receive() else { return .failure(HandshakeFailure(reason: "the client left")) }
            case .ended:
                return .failure(HandshakeFailure(reason: "the client left"))
            case .failed(let reason):
                // Closing with unread bytes would reset the connection, and the peer could lose the alert.
                socket.linger()
                return .failure(HandshakeFailure(reason: reason))
            }
        }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        while true {
            nonisolated(unsafe) let target = buffer
            let step = step { SSL_read($0.ssl, target.baseAddress, Int32(clamping: target.count)) }
            // OpenSSL answers some messages itself, such as key updates.
            _ = flush()
            switch step {
            case .done(let count): return count
            case .wantsInput: if !receive() { return 0 }
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
                let step = step { session in
                    piece.withUnsafeBytes { SSL_write(session.ssl, $0.baseAddress, Int32($0.count)) }
                }
                guard case .done(piece.count) = step else { return false }
                return socket.write(takeOutput())
            }
            guard isWritten else { return false }
        }
        return true
    }

    func wait(for pipe: WakePipe) -> Bool { socket.wait(for: pipe) }

    func finish() {
        writing.withLock { _ in
            _ = step { SSL_shutdown($0.ssl) }
            socket.offer(takeOutput())
        }
    }

    func linger() {
        finish()
        socket.linger()
    }

    func resetOnClose() { socket.resetOnClose() }

    func interrupt() { socket.interrupt() }

    // MARK: Steps

    private func step(_ run: (Session) -> Int32) -> Step {
        session.withLock { session in
            ERR_clear_error()
            let count = run(session)
            if count > 0 { return .done(Int(count)) }
            switch SSL_get_error(session.ssl, count) {
            case SSL_ERROR_WANT_READ: return .wantsInput
            case SSL_ERROR_ZERO_RETURN: return .ended
            default: return .failed(TLSReason.take())
            }
        }
    }

    /// Waits for bytes from the peer; false once there will be none.
    private func receive() -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 17 << 10, alignment: 1) { buffer in
            let count = socket.read(into: buffer)
            guard count > 0 else { return false }
            nonisolated(unsafe) let bytes = buffer.baseAddress
            return session.withLock { BIO_write($0.input, bytes, Int32(count)) == Int32(count) }
        }
    }

    /// Sends what OpenSSL wrote; false once the connection is gone.
    private func flush() -> Bool {
        guard session.withLock({ BIO_ctrl_pending($0.output) }) > 0 else { return true }
        return writing.withLock { _ in socket.write(takeOutput()) }
    }

    private func takeOutput() -> Data {
        session.withLock { session in
            var bytes = [UInt8](repeating: 0, count: BIO_ctrl_pending(session.output))
            guard !bytes.isEmpty else { return Data() }
            let count = BIO_read(session.output, &bytes, Int32(clamping: bytes.count))
            return Data(bytes.prefix(Int(max(0, count))))
        }
    }

    private static func result(_ session: Session) -> MockRequest.TLS {
        let version: MockServer.TLS.Version = SSL_version(session.ssl) == TLS1_3_VERSION ? .v1_3 : .v1_2
        guard let certificate = SSL_get1_peer_certificate(session.ssl) else {
            return MockRequest.TLS(version: version, clientCertificate: nil)
        }
        defer { X509_free(certificate) }
        var bytes = [UInt8](repeating: 0, count: Int(max(0, i2d_X509(certificate, nil))))
        let isWritten = bytes.withUnsafeMutableBufferPointer { buffer in
            var end = buffer.baseAddress
            return i2d_X509(certificate, &end) > 0
        }
        return MockRequest.TLS(version: version, clientCertificate: isWritten ? Data(bytes) : nil)
    }
}
#endif
