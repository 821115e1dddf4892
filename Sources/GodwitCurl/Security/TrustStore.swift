#if os(Linux)
import CGodwitCurl
import GodwitCore
import GodwitSockets

/// The certificates of one PEM text, parsed.
final class CertificateList: Sendable {
    // An address, as pointers are not Sendable. The memory never changes.
    private let address: UInt

    fileprivate var pointer: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: address) }

    /// Parses the text; nil if an entry is malformed.
    init?(pem: Data) {
        let list = pem.withUnsafeBytes { godwit_certificates_read($0.baseAddress, $0.count) }
        guard let list else { return nil }
        address = UInt(bitPattern: list)
    }

    deinit {
        godwit_certificates_free(pointer)
    }
}

/// Trusted certificates that connections share (OpenSSL's X509_STORE).
final class TrustStore: Sendable {
    // An address, as pointers are not Sendable. OpenSSL counts the store's users and locks changes.
    private let address: UInt

    /// The X509_STORE.
    var pointer: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: address) }

    /// Makes a store of all the lists; nil if one holds no certificate, or memory ran out.
    ///
    /// - Parameter folder: A folder with certificates named by hashes, used if no list has the issuer.
    init?(_ lists: [CertificateList], folder: String?) {
        guard let store = godwit_store_new(folder) else { return nil }
        for list in lists where godwit_store_add(store, list.pointer) == 0 {
            godwit_store_free(store)
            return nil
        }
        address = UInt(bitPattern: store)
    }

    deinit {
        godwit_store_free(pointer)
    }
}

/// The certificate that libcurl loads instead of the system's bundle (decision 026). It identifies no server, as its key is gone.
final class TrustMarker: Sendable {
    /// The process's marker; nil if OpenSSL could not make it.
    static let shared = TrustMarker()

    // An address, as pointers are not Sendable. The memory never changes.
    private let address: UInt

    var pointer: UnsafeMutablePointer<godwit_marker>? { UnsafeMutablePointer(bitPattern: address) }

    private init?() {
        let marker = UnsafeMutablePointer<godwit_marker>.allocate(capacity: 1)
        guard godwit_marker_make(marker) != 0 else {
            marker.deallocate()
            return nil
        }
        address = UInt(bitPattern: marker)
    }
}
#endif
