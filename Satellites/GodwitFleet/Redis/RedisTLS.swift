#if os(Linux)
import GodwitCore
import GodwitTLS

/// What connections to Redis trust, and how they identify themselves.
struct RedisTLS: Sendable {
    /// A PEM file of the trusted certificates; `nil` for the system's.
    var authorities: String?
    var clientCertificate: ClientCertificate?

    /// Reads the files, so that renewed ones count from the next connection on.
    func context() throws(RedisFailure) -> TLSContext {
        guard let store else { throw RedisFailure(.unreachable, "the trusted certificates can't be read") }
        do throws(NetworkError) {
            let identity = try clientCertificate.map { entry throws(NetworkError) in try TLSIdentity(entry) }
            return try TLSContext(store: store, identity: identity, protocols: [])
        } catch {
            throw RedisFailure(.unreachable, "the client certificate or its key can't be used")
        }
    }

    private var store: TrustStore? {
        guard let authorities else {
            return try? TrustSource(additional: nil, rules: nil).load(replacing: nil).store(for: nil)
        }
        guard let pem = try? KeyMaterial.file(URL(filePath: authorities)).read() else { return nil }
        return CertificateList(pem: pem).flatMap { TrustStore([$0], folder: nil) }
    }
}
#endif
