#if os(Linux)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif
import CGodwitCurl
import GodwitCore
import GodwitSockets

/// A client certificate and its key, in the form that libcurl reads.
final class Identity {
    private let certificate: StableBytes
    private let key: StableBytes?
    private let password: String

    init(_ entry: LoadedRules.Identity) {
        certificate = StableBytes(entry.certificate)
        key = entry.key.map { StableBytes($0) }
        password = entry.password
    }

    /// Replaces the previous certificate in libcurl.
    static func change(from previous: Identity?, to next: Identity?, on easy: UnsafeMutableRawPointer) -> Bool {
        guard previous !== next else { return true }
        let type = next.map { $0.key == nil ? "P12" : "PEM" }
        return StableBytes.set(CURLOPT_SSLCERT_BLOB, to: next?.certificate, on: easy)
            && StableBytes.set(CURLOPT_SSLKEY_BLOB, to: next?.key, on: easy)
            && godwit_set_string(easy, CURLOPT_SSLCERTTYPE, type) == CURLE_OK
            // Never nil for a certificate: libcurl reads the length of a missing password if the key is encrypted.
            && godwit_set_string(easy, CURLOPT_KEYPASSWD, next?.password) == CURLE_OK
    }
}

/// Bytes with a fixed address, for libcurl to point to. Wiped at the end, as they may be a key.
final class StableBytes {
    private let bytes: UnsafeMutableRawBufferPointer

    init(_ data: Data) {
        bytes = .allocate(byteCount: data.count, alignment: 1)
        bytes.copyBytes(from: data)
    }

    deinit {
        if let start = bytes.baseAddress { explicit_bzero(start, bytes.count) }
        bytes.deallocate()
    }

    /// Sets an option to these bytes; nil resets it.
    static func set(_ option: CURLoption, to content: StableBytes?, on easy: UnsafeMutableRawPointer) -> Bool {
        godwit_set_blob(easy, option, content?.bytes.baseAddress, content?.bytes.count ?? 0) == CURLE_OK
    }
}
#endif
