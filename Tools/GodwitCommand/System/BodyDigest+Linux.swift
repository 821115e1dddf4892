#if canImport(COpenSSL)
import COpenSSL
import Godwit

/// Digests of a body, to compare with published ones.
enum BodyDigest {
    static func sha256(_ data: Data) -> Data { digest(data, EVP_sha256()) }

    static func md5(_ data: Data) -> Data { digest(data, EVP_md5()) }

    /// Empty if the system refuses the digest, as one that is restricted to FIPS refuses MD5.
    private static func digest(_ data: Data, _ kind: OpaquePointer?) -> Data {
        var result = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        let isDone = data.withUnsafeBytes { bytes in
            EVP_Digest(bytes.baseAddress, bytes.count, &result, &count, kind, nil)
        }
        return isDone == 1 ? Data(result.prefix(Int(count))) : Data()
    }
}
#endif
