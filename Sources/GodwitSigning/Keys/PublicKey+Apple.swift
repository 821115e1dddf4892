#if canImport(CryptoKit)
import CryptoKit
import GodwitCore
import Security

/// A public key: SubjectPublicKeyInfo in DER (RFC 5280 section 4.1).
struct PublicKey: Sendable, Hashable {
    private static let ed25519Prefix: [UInt8] = [
        0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00,
    ]

    let kind: KeyKind
    private let der: [UInt8]

    /// `nil` if the text isn't a key that an algorithm here uses.
    init?(pem: String) {
        guard let block = PEMBlock(pem), block.label == "PUBLIC KEY" else { return nil }
        if block.der.count == 44, block.der.starts(with: Self.ed25519Prefix) {
            self.init(.ed25519, block.der)
        } else if let rsa = RSAKeyInfo(publicKey: block.der) {
            guard let key = RSAKeyInfo.key(rsa.pkcs1, isPrivate: false) else { return nil }
            self.init(.rsa(bits: SecKeyGetBlockSize(key) * 8, isForPSS: rsa.isForPSS), block.der)
        } else {
            guard let key = try? P256.Signing.PublicKey(derRepresentation: Data(block.der)) else { return nil }
            self.init(key)
        }
    }

    private init(_ kind: KeyKind, _ der: [UInt8]) {
        self.kind = kind
        self.der = der
    }

    init(_ key: P256.Signing.PublicKey) {
        kind = .p256
        der = Array(key.derRepresentation)
    }

    init(_ key: Curve25519.Signing.PublicKey) {
        kind = .ed25519
        der = Self.ed25519Prefix + Array(key.rawRepresentation)
    }

    init?(_ key: SecKey, isForPSS: Bool) {
        guard let pkcs1 = SecKeyCopyExternalRepresentation(key, nil) else { return nil }
        kind = .rsa(bits: SecKeyGetBlockSize(key) * 8, isForPSS: isForPSS)
        der = RSAKeyInfo.publicKey(Array(pkcs1 as Data))
    }

    var pem: String { PEMBlock(label: "PUBLIC KEY", der: der).text }

    /// The coordinates of a P-256 key, 64 bytes.
    var p256Point: [UInt8]? {
        guard kind == .p256 else { return nil }
        return (try? P256.Signing.PublicKey(derRepresentation: Data(der))).map { Array($0.rawRepresentation) }
    }

    func isValid(_ signature: Data, of message: Data, _ algorithm: SignatureAlgorithm) -> Bool {
        guard kind.algorithms.contains(algorithm) else { return false }
        switch algorithm {
        case .ed25519:
            let key = try? Curve25519.Signing.PublicKey(rawRepresentation: Data(der.suffix(32)))
            return key?.isValidSignature(signature, for: message) ?? false
        case .ecdsaP256SHA256:
            guard let key = try? P256.Signing.PublicKey(derRepresentation: Data(der)),
                let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
            else { return false }
            return key.isValidSignature(signature, for: message)
        default:
            guard let rsa = RSAKeyInfo(publicKey: der), let key = RSAKeyInfo.key(rsa.pkcs1, isPrivate: false) else {
                return false
            }
            return SecKeyVerifySignature(key, algorithm.ofSecurity, message as CFData, signature as CFData, nil)
        }
    }
}

/// RSA keys in PKCS #8 and SubjectPublicKeyInfo, of which Security reads only the inner part (PKCS #1).
struct RSAKeyInfo {
    private static let sequence: UInt8 = 0x30
    private static let identifier: UInt8 = 0x06
    private static let rsa: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]
    private static let rsaPSS: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0A]

    let pkcs1: Data
    let isForPSS: Bool

    /// Reads PKCS #8 (RFC 5958 section 2).
    init?(privateKey der: [UInt8]) {
        var file = DERReader(der[...])
        guard var body = file.enter(Self.sequence), body.enter(0x02) != nil, var kind = body.enter(Self.sequence),
            let key = body.enter(0x04)
        else { return nil }
        self.init(&kind, key.bytes)
    }

    /// Reads SubjectPublicKeyInfo (RFC 5280 section 4.1).
    init?(publicKey der: [UInt8]) {
        var file = DERReader(der[...])
        guard var body = file.enter(Self.sequence), var kind = body.enter(Self.sequence), let key = body.enter(0x03)
        else { return nil }
        // The first byte counts unused bits.
        self.init(&kind, key.bytes.dropFirst())
    }

    private init?(_ kind: inout DERReader, _ pkcs1: ArraySlice<UInt8>) {
        guard let identifier = kind.enter(Self.identifier)?.bytes else { return nil }
        isForPSS = identifier.elementsEqual(Self.rsaPSS)
        guard isForPSS || identifier.elementsEqual(Self.rsa) else { return nil }
        self.pkcs1 = Data(pkcs1)
    }

    static func key(_ pkcs1: Data, isPrivate: Bool) -> SecKey? {
        let attributes: [String: Any] = [
            kSecAttrKeyType as String: kSecAttrKeyTypeRSA,
            kSecAttrKeyClass as String: isPrivate ? kSecAttrKeyClassPrivate : kSecAttrKeyClassPublic,
        ]
        return SecKeyCreateWithData(pkcs1 as CFData, attributes as CFDictionary, nil)
    }

    /// SubjectPublicKeyInfo around a key.
    static func publicKey(_ pkcs1: [UInt8]) -> [UInt8] {
        let kind = element(sequence, element(identifier, rsa) + [0x05, 0x00])
        return element(sequence, kind + element(0x03, [0x00] + pkcs1))
    }

    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        guard content.count >= 0x80 else { return [tag, UInt8(content.count)] + content }
        let digits = withUnsafeBytes(of: UInt32(clamping: content.count).bigEndian) { Array($0) }
        let length = digits.drop { $0 == 0 }
        return [tag, 0x80 | UInt8(length.count)] + length + content
    }
}
#endif
