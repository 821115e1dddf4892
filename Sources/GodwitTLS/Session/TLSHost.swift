#if os(Linux)
import COpenSSL

/// The host that a certificate has to be for.
package struct TLSHost {
    /// As the caller wrote it, for errors.
    let written: String
    /// Without brackets, zone, and trailing dot.
    private let name: String

    package init(_ host: String) {
        written = host
        var name = host[...]
        if name.hasPrefix("["), name.hasSuffix("]") { name = name.dropFirst().dropLast() }
        // The zone of an IPv6 address names an interface of this machine (RFC 6874).
        if name.contains(":"), let percent = name.firstIndex(of: "%") { name = name[..<percent] }
        if name.hasSuffix(".") { name = name.dropLast() }
        self.name = String(name)
    }

    /// Makes a connection ask for this host, and verify that the certificate is for it. Returns the name that was asked for, `nil`
    /// for an address; throws if OpenSSL refuses it.
    package func apply(to ssl: OpaquePointer) throws(TLSHostRefused) -> String? {
        switch require(by: SSL_get0_param(ssl)) {
        case .address: return nil
        case .name where ask(ssl): return name
        case .name, nil: throw TLSHostRefused()
        }
    }

    /// What a certificate is verified to be for.
    package enum Requirement { case address, name }

    /// Makes a validation verify that the certificate is for this host. Returns `nil` if OpenSSL refuses it.
    package func require(by parameters: OpaquePointer?) -> Requirement? {
        if X509_VERIFY_PARAM_set1_ip_asc(parameters, name) == 1 { return .address }
        ERR_clear_error()
        // A common name doesn't count as a host's, even in a certificate without other names (RFC 9110 section 4.3.4).
        let flags = X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT
        X509_VERIFY_PARAM_set_hostflags(parameters, UInt32(flags))
        guard !name.isEmpty, X509_VERIFY_PARAM_set1_host(parameters, name, name.utf8.count) == 1 else { return nil }
        return .name
    }

    /// Names the host in the handshake (RFC 6066 section 3).
    private func ask(_ ssl: OpaquePointer) -> Bool {
        name.withCString {
            let pointer = UnsafeMutableRawPointer(mutating: $0)
            return SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, Int(TLSEXT_NAMETYPE_host_name), pointer) == 1
        }
    }
}

/// A host that can't be in a handshake, such as a name of more than 255 bytes.
package struct TLSHostRefused: Error {}
#endif
