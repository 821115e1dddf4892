#if os(Linux)
import COpenSSL
import Glibc
import Godwit
import PeerSupport

@testable import GodwitTLS
@testable import GodwitTesting

/// The server's side of TLS on a thread of its own, record by record, and with ends that `MockServer` is too well-behaved for.
final class TLSPeer {
    /// A certificate for 127.0.0.1, and a server's context for it.
    final class Identity: Sendable {
        /// The authority, in PEM.
        let authority: String
        fileprivate let context: TLSContext

        init() throws {
            let issuer = try IssuedCertificate("Authority of cuts", .authority, by: nil)
            authority = try issuer.pem()
            let certificate = try IssuedCertificate("Cuts", .server(names: "IP:127.0.0.1"), by: issuer)
            context = try TLSContext(
                serving: try TLSIdentity(IssuedCertificate.shown([certificate])), protocols: [], isTLS12: false,
                clientsOf: nil, isRequired: false)
        }
    }

    private let ssl: OpaquePointer

    /// Shakes hands; `nil` if that fails.
    init?(_ identity: Identity, over connection: PeerSupport.Listener.Connection) {
        // OpenSSL writes to a socket that the client may have closed.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        guard let ssl = SSL_new(identity.context.pointer) else { return nil }
        self.ssl = ssl
        guard SSL_set_fd(ssl, connection.descriptor) == 1, SSL_accept(ssl) == 1 else { return nil }
    }

    deinit {
        SSL_free(ssl)
    }

    /// The head of a request; `nil` at the end of the connection.
    func readHead() -> String? {
        var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
        while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            let count = SSL_read(ssl, &buffer, Int32(buffer.count))
            guard count > 0 else { return nil }
            bytes += buffer[..<Int(count)]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Writes one record.
    func write(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.withUnsafeBytes { SSL_write(ssl, $0.baseAddress, Int32($0.count)) } == Int32(bytes.count)
    }

    func sendCloseNotify() { SSL_shutdown(ssl) }

    /// Sends the fatal alert `bad_record_mac`: OpenSSL finds a record that isn't the client's.
    func sendAlert() {
        guard let input = BIO_new(BIO_s_mem()) else { return }
        let record: [UInt8] = [23, 3, 3, 0, 32] + Array(repeating: 0x2A, count: 32)
        BIO_write(input, record, Int32(record.count))
        SSL_set0_rbio(ssl, input)
        var byte: UInt8 = 0
        SSL_read(ssl, &byte, 1)
    }
}
#endif
