#if os(Linux)
import COpenSSL
import GodwitCore
import GodwitSupport

/// A secret key of 256 bits that encrypts what a ``Fleet`` stores in Redis: tokens and cookies.
///
/// ```swift
/// let key = try FleetKey(base64: secret)                // openssl rand -base64 32
/// let fleet = try await Fleet(redis: "rediss://app:secret@redis.example.com") { $0.keys = [key] }
/// ```
///
/// Encryption is AES-256-GCM with a random nonce for each value (NIST SP 800-38D). To change the key, append the new one
/// to the list of every process, then move it to the front in every process, then remove the old one.
public struct FleetKey: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    private let bytes: [UInt8]

    /// Creates a key from 32 random bytes.
    ///
    /// - Parameter bytes: 32 random bytes.
    /// - Throws: `.invalidRequest` if the length differs.
    public init(_ bytes: some Sequence<UInt8>) throws(NetworkError) {
        self.bytes = Array(bytes)
        guard self.bytes.count == 32 else {
            throw NetworkError(
                .invalidRequest(
                    reason: "a fleet key must have 32 bytes, got \(self.bytes.count) (openssl rand -base64 32)"),
                phase: .building)
        }
    }

    /// Creates a key from 32 random bytes in Base64.
    ///
    /// - Parameter base64: 32 random bytes as base64.
    /// - Throws: `.invalidRequest` if it isn't base64 of 32 bytes.
    public init(base64: String) throws(NetworkError) {
        try self.init(Data(base64Encoded: base64) ?? Data())
    }

    /// `FleetKey(<redacted>)`.
    public var description: String { "FleetKey(<redacted>)" }

    /// Empty, so that printing by reflection shows no secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

// The stored form: a version, a nonce of 12 bytes, the encrypted bytes, a tag of 16 bytes.
extension FleetKey {
    private static let version: UInt8 = 1
    private static let nonceSize = 12
    private static let tagSize = 16

    /// Encrypts a value for a place, such as a key of Redis: at another place it can't be decrypted.
    func seal(_ plain: [UInt8], authenticating place: String) -> [UInt8]? {
        let nonce = RandomBytes.make(Self.nonceSize)
        guard let cipher = Cipher(bytes, nonce, encrypting: true, place), let body = cipher.update(plain),
            let tag = cipher.finishedTag(Self.tagSize)
        else { return nil }
        return [Self.version] + nonce + body + tag
    }

    /// Decrypts a value; `nil` if it was made with another key or for another place, or changed.
    func open(_ sealed: [UInt8], authenticating place: String) -> [UInt8]? {
        guard sealed.count >= 1 + Self.nonceSize + Self.tagSize, sealed[0] == Self.version else { return nil }
        let nonce = Array(sealed[1...Self.nonceSize])
        let body = Array(sealed[(1 + Self.nonceSize)..<(sealed.count - Self.tagSize)])
        guard let cipher = Cipher(bytes, nonce, encrypting: false, place), let plain = cipher.update(body),
            cipher.verify(Array(sealed.suffix(Self.tagSize)))
        else { return nil }
        return plain
    }

    /// The HMAC-SHA256 of a text, as four words: it can't be computed without the key.
    func digest(of text: String) -> [UInt64] {
        let digest = HMACSHA256.code(of: text.utf8, key: bytes)
        return stride(from: 0, to: 32, by: 8).map { digest[$0..<($0 + 8)].reduce(0) { $0 << 8 | UInt64($1) } }
    }
}

extension [FleetKey] {
    func seal(_ plain: [UInt8], authenticating place: String) -> [UInt8]? { first?.seal(plain, authenticating: place) }

    func open(_ sealed: [UInt8], authenticating place: String) -> [UInt8]? {
        lazy.compactMap { $0.open(sealed, authenticating: place) }.first
    }
}

/// AES-256-GCM by OpenSSL, for one value.
private final class Cipher {
    private let context: OpaquePointer

    init?(_ key: [UInt8], _ nonce: [UInt8], encrypting: Bool, _ place: String) {
        guard let context = EVP_CIPHER_CTX_new() else { return nil }
        self.context = context
        var length: Int32 = 0
        let associated = Array(place.utf8)
        guard EVP_CipherInit_ex(context, EVP_aes_256_gcm(), nil, key, nonce, encrypting ? 1 : 0) == 1,
            EVP_CipherUpdate(context, nil, &length, associated, Int32(clamping: associated.count)) == 1
        else { return nil }
    }

    deinit { EVP_CIPHER_CTX_free(context) }

    func update(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count <= Int(Int32.max) - 16 else { return nil }
        var output = [UInt8](repeating: 0, count: bytes.count + 16)
        var length: Int32 = 0
        guard EVP_CipherUpdate(context, &output, &length, bytes, Int32(bytes.count)) == 1 else { return nil }
        return Array(output.prefix(Int(length)))
    }

    func finishedTag(_ size: Int) -> [UInt8]? {
        var rest = [UInt8](repeating: 0, count: 16)
        var length: Int32 = 0
        var tag = [UInt8](repeating: 0, count: size)
        guard EVP_CipherFinal_ex(context, &rest, &length) == 1,
            EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(size), &tag) == 1
        else { return nil }
        return tag
    }

    func verify(_ tag: [UInt8]) -> Bool {
        var tag = tag
        var rest = [UInt8](repeating: 0, count: 16)
        var length: Int32 = 0
        return EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag) == 1
            && EVP_CipherFinal_ex(context, &rest, &length) == 1
    }
}
#endif
