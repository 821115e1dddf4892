import COpenSSL
import Glibc
import Godwit
import GodwitTLS
import TestSupport

// Whose certificate it is.
extension FuzzTarget {
    /// The first line is the host. Each other one is a name of the certificate: its first byte is the kind (`D` for a DNS name, `I`
    /// for an address, `C` for a common name), the rest its bytes.
    static var certificateNames: FuzzTarget {
        FuzzTarget.bytes(
            "certificate-names",
            words: ["*.", "\nD", "\nD*.", "\nC", "\nI\u{7F}\0\0\u{1}", "\0", "xn--", "www.", ".", "[::1]", "127.0.0.1"]
        ) { data in
            let lines = data.split(separator: 0x0A, omittingEmptySubsequences: false)
            // A connection has the host of a URL.
            guard let first = lines.first, let url = try? HTTPURL("https://\(String(decoding: first, as: UTF8.self))/")
            else { return }
            let names = lines.dropFirst().prefix(64).compactMap { line in
                line.first.map { CertificateName(kind: $0, bytes: Array(line.dropFirst())) }
            }
            let isAccepted = CertificateCheck.accepts(names, for: url.host)
            let host = ReferenceHost(url.host)
            if isAccepted, !names.contains(where: host.isNamed(by:)) {
                fail("certificate-names: \(url.host) accepts a certificate for \(names)")
            }
            if !isAccepted, names.contains(where: host.isWritten(as:)) {
                fail("certificate-names: \(url.host) refuses a certificate that names it: \(names)")
            }
        }
    }
}

private struct CertificateName: CustomStringConvertible {
    let kind: UInt8
    let bytes: [UInt8]

    var description: String { "\(UnicodeScalar(kind)) \(String(decoding: bytes, as: UTF8.self).debugDescription)" }
}

/// Whether a name is a host's (RFC 9525 section 6), decided without OpenSSL.
private struct ReferenceHost {
    private let name: [UInt8]
    private let address: [UInt8]?

    init(_ host: String) {
        let bare = host.hasPrefix("[") ? String(host.dropFirst().prefix { $0 != "%" && $0 != "]" }) : host
        var address = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, bare, &address) == 1 {
            self.address = Array(address.prefix(4))
        } else {
            self.address = inet_pton(AF_INET6, bare, &address) == 1 ? address : nil
        }
        name = Array((bare.hasSuffix(".") ? String(bare.dropLast()) : bare).utf8)
    }

    /// Whether it is the host's, perhaps with `*` for the first of three labels or more.
    func isNamed(by other: CertificateName) -> Bool {
        if isWritten(as: other) { return true }
        guard address == nil, other.kind == UInt8(ascii: "D"), other.bytes.starts(with: "*.".utf8) else { return false }
        let rest = Self.lowercased(other.bytes.dropFirst())
        let first = name.dropLast(rest.count)
        return rest.filter { $0 == UInt8(ascii: ".") }.count > 1 && !first.isEmpty
            && !first.contains(UInt8(ascii: ".")) && name.suffix(rest.count).elementsEqual(rest)
    }

    func isWritten(as other: CertificateName) -> Bool {
        if let address { return other.kind == UInt8(ascii: "I") && other.bytes == address }
        return other.kind == UInt8(ascii: "D") && Self.lowercased(other.bytes[...]) == name
    }

    private static func lowercased(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    }
}

/// Certificates that are trusted for whatever they name.
private enum CertificateCheck {
    nonisolated(unsafe) private static let context = SSL_CTX_new(TLS_client_method())
    nonisolated(unsafe) private static let key = {
        let maker = EVP_PKEY_CTX_new_id(EVP_PKEY_ED25519, nil)
        var key: OpaquePointer?
        guard EVP_PKEY_keygen_init(maker) == 1, EVP_PKEY_keygen(maker, &key) == 1 else { fail("no key") }
        return key
    }()

    /// Whether a chain of a certificate with these names is valid on a connection to the host.
    static func accepts(_ names: [CertificateName], for host: String) -> Bool {
        let (ssl, certificate) = (SSL_new(context), makeCertificate(names))
        let (store, validation) = (X509_STORE_new(), X509_STORE_CTX_new())
        defer {
            X509_STORE_CTX_free(validation)
            X509_STORE_free(store)
            X509_free(certificate)
            SSL_free(ssl)
        }
        guard let ssl else { fail("no connection") }
        do { _ = try TLSHost(host).apply(to: ssl) } catch { return false }
        X509_STORE_add_cert(store, certificate)
        guard X509_STORE_CTX_init(validation, store, certificate, nil) == 1,
            X509_VERIFY_PARAM_set1(X509_STORE_CTX_get0_param(validation), SSL_get0_param(ssl)) == 1
        else { fail("no validation") }
        X509_STORE_CTX_set_flags(validation, UInt(X509_V_FLAG_PARTIAL_CHAIN))
        if X509_verify_cert(validation) == 1 { return true }
        let error = X509_STORE_CTX_get_error(validation)
        guard [X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH].contains(error) else {
            fail("certificate-names: the certificate is refused for another reason, \(error)")
        }
        return false
    }

    private static func makeCertificate(_ names: [CertificateName]) -> OpaquePointer? {
        let certificate = X509_new()
        X509_set_version(certificate, 2)
        ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1)
        X509_gmtime_adj(X509_getm_notBefore(certificate), -3600)
        X509_gmtime_adj(X509_getm_notAfter(certificate), 86_400)
        X509_set_pubkey(certificate, key)
        let subject = X509_NAME_new()
        let alternatives = OPENSSL_sk_new_null()
        for name in names {
            switch name.kind {
            case UInt8(ascii: "C"):
                X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, name.bytes, Int32(name.bytes.count), -1, 0)
            case UInt8(ascii: "D"): add(name.bytes, GEN_DNS, V_ASN1_IA5STRING, to: alternatives)
            case UInt8(ascii: "I"): add(name.bytes, GEN_IPADD, V_ASN1_OCTET_STRING, to: alternatives)
            default: break
            }
        }
        ERR_clear_error()
        X509_set_subject_name(certificate, subject)
        X509_set_issuer_name(certificate, subject)
        if OPENSSL_sk_num(alternatives) > 0 {
            X509_add1_ext_i2d(certificate, NID_subject_alt_name, UnsafeMutableRawPointer(alternatives), 0, 0)
        }
        X509_NAME_free(subject)
        GENERAL_NAMES_free(alternatives)
        guard X509_sign(certificate, key, nil) > 0 else { fail("certificate-names: not signed") }
        return certificate
    }

    private static func add(_ bytes: [UInt8], _ kind: Int32, _ type: Int32, to names: OpaquePointer?) {
        let (name, text) = (GENERAL_NAME_new(), ASN1_STRING_type_new(type))
        ASN1_STRING_set(text, bytes, Int32(bytes.count))
        GENERAL_NAME_set0_value(name, kind, text)
        OPENSSL_sk_push(names, name)
    }
}
