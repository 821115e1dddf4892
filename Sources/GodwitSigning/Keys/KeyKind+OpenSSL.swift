#if canImport(COpenSSL) && !canImport(CryptoKit)
import COpenSSL
import GodwitCore

extension KeyKind {
    /// `nil` for a key that no algorithm here uses.
    init?(_ key: OpaquePointer) {
        switch EVP_PKEY_get_base_id(key) {
        case EVP_PKEY_ED25519: self = .ed25519
        case EVP_PKEY_RSA: self = .rsa(bits: Int(EVP_PKEY_get_bits(key)), isForPSS: false)
        case EVP_PKEY_RSA_PSS: self = .rsa(bits: Int(EVP_PKEY_get_bits(key)), isForPSS: true)
        case EVP_PKEY_EC:
            var (name, length) = ([CChar](repeating: 0, count: 64), 0)
            guard EVP_PKEY_get_group_name(key, &name, name.count, &length) == 1,
                name.prefix(length).map({ UInt8(bitPattern: $0) }).elementsEqual("prime256v1".utf8)
            else { return nil }
            self = .p256
        default: return nil
        }
    }
}

/// Bytes that OpenSSL reads or writes.
final class OpenSSLMemory {
    let bio: OpaquePointer

    init?(_ bytes: some Collection<UInt8> = []) {
        guard let bio = BIO_new(BIO_s_mem()) else { return nil }
        self.bio = bio
        let bytes = Array(bytes)
        guard bytes.isEmpty || BIO_write(bio, bytes, Int32(clamping: bytes.count)) == Int32(clamping: bytes.count)
        else { return nil }
    }

    deinit { BIO_free(bio) }

    /// Everything that was written.
    var bytes: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: BIO_ctrl_pending(bio))
        let count = BIO_read(bio, &bytes, Int32(clamping: bytes.count))
        return Array(bytes.prefix(Int(max(0, count))))
    }
}
#endif
