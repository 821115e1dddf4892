#if canImport(Darwin)
import CryptoKit
import Godwit

/// Digests of a body, to compare with published ones.
enum BodyDigest {
    static func sha256(_ data: Data) -> Data { Data(SHA256.hash(data: data)) }

    static func md5(_ data: Data) -> Data { Data(Insecure.MD5.hash(data: data)) }
}
#endif
