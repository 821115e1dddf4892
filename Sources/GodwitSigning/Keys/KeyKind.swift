import GodwitCore

/// What a private or public key is for.
enum KeyKind: Sendable, Hashable {
    case ed25519, p256, rsa
    /// RSA for PSS only (RFC 4055 section 3.1).
    case rsaPSS
    /// RSA with less than 2048 bits.
    case shortRSA

    /// The algorithms, the default first.
    var algorithms: [SignatureAlgorithm] {
        switch self {
        case .ed25519: [.ed25519]
        case .p256: [.ecdsaP256SHA256]
        case .rsa: [.rsaPSSSHA512, .rsaPKCS1SHA256]
        case .rsaPSS: [.rsaPSSSHA512]
        case .shortRSA: []
        }
    }

    /// The kind of an RSA key.
    static func rsa(bits: Int, isForPSS: Bool) -> KeyKind {
        if bits < 2048 { return .shortRSA }
        return isForPSS ? .rsaPSS : .rsa
    }
}
