#if os(Linux)
import COpenSSL

/// OpenSSL, prepared once per process.
package enum TLSLibrary {
    private static let preparation: Void = {
        _ = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil)
    }()

    /// Keeps OpenSSL from freeing everything when the process exits, while event loops may use it. Only the first initialization
    /// decides, so this comes before any use.
    package static func prepare() { preparation }
}
#endif
